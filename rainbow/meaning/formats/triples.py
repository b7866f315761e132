"""Knowledge-base triples: delimited, bracketed, JSON or WebNLG XML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import unescape
from typing import Any

from rainbow.meaning.formats.table_formats import parse_json, scalar_text
from rainbow.meaning.representation import MeaningRepresentation, Slot

# WebNLG gives triples as they were found (`otriple`) and as they were given to systems (`mtriple`).
_XML = {name: re.compile(rf"<{name}>([^<]*)</{name}>") for name in ("mtriple", "otriple")}
_WORD = re.compile(r"\w")
# Between triples with bars, those first that no value holds.
_NEXT = (re.compile(r"&&|\n"), re.compile(r"\|\||<br\s*/?>"), re.compile(";"))
# Triples as written for sequence-to-sequence models, and by hand.
_MARKED = re.compile(r"<[HS]>([^<]*)<[RP]>([^<]*)<[TO]>([^<]*)", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\(([^(),]*),([^(),]*),([^(),]*)\)")
_KEYS = (("subject", "predicate", "object"), ("subject", "property", "object"))
# A literal of RDF: in quotes, with its language or its type.
_LITERAL = re.compile(r'"(?P<value>.*)"(?:@[\w-]+|\^\^\S+)?', re.DOTALL)


def parse_triples(text: str) -> MeaningRepresentation | None:
    """Return triples as slots of their subjects; None if the text holds anything else."""
    slots = [
        Slot(name.strip(), _plain_text(value), subject=_plain_text(subject))
        for subject, name, value in _split_triples(text)
    ]
    complete = slots and all(slot.subject and slot.name for slot in slots)
    return MeaningRepresentation("inform", tuple(slots), "triples") if complete else None


def _split_triples(text: str) -> Iterable[Sequence[str]]:
    """Return subject, predicate and object of each triple; nothing if any part is not one."""
    for expression in _XML.values():
        if matches := expression.findall(text):
            return _triples_from_lines(map(unescape, matches))
    if (data := parse_json(text)) is not None:
        results = [_triple_from_entry(entry) for entry in (data if isinstance(data, list) else [data])]
        triples = [triple for triple in results if triple]
        return triples if len(triples) == len(results) else []
    for expression in (_MARKED, _IN_BRACKETS):
        if not _WORD.search(expression.sub("", text)):
            return [[part.strip(" '") for part in parts] for parts in expression.findall(text)]
    return next((matches for mark in _NEXT if (matches := _triples_from_lines(mark.split(text)))), [])


def _triples_from_lines(lines: Iterable[str]) -> list[list[str]]:
    triples = [line.split("|") for line in lines if line.strip()]
    return triples if all(map(_is_triple, triples)) else []


def _is_triple(parts: Sequence[str]) -> bool:
    """Return whether these are three parts with words, not table cells (`name: value`)."""
    return len(parts) == 3 and all(_WORD.search(part) for part in parts) and not all(": " in part for part in parts)


def _triple_from_entry(entry: Any) -> list[str] | None:
    """Return a triple from a list, object or line; None if it is not one."""
    if isinstance(entry, str):
        entry = entry.split("|")
    if isinstance(entry, dict):
        keys = next((keys for keys in _KEYS if entry.keys() >= set(keys)), ())
        entry = [entry[key] for key in keys]
    parts = [part for part in map(scalar_text, entry) if part] if isinstance(entry, list) and len(entry) == 3 else []
    return parts if len(parts) == 3 else None


def _plain_text(value: str) -> str:
    literal = _LITERAL.fullmatch(value.strip())
    return " ".join((literal["value"] if literal else value).replace("_", " ").split())
