"""Tables as JSON objects, Markdown, or lists of names and values; numbers in JSON are kept as written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from rainbow.meaning.representation import MeaningRepresentation, Slot

_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")
# A blank follows the colon: neither a time (12:30) nor a name with a prefix (dbr:Paris) is a cell.
_CELL = re.compile(r"\s*+(?P<name>[^\W\d][^:]{0,60}?)\s?:\s+(?P<value>\S.*)", re.DOTALL)
_SET = re.compile(r"\s*+(?P<name>[^\W\d][^:=]{0,60}?)\s?=\s?(?P<value>[^\s=][^=]*)")
_LISTS = ((_CELL, "[|\n]"), (_CELL, ";"), (_SET, "[|\n]"), (_SET, ";"), (_SET, ","))

Cells = list[tuple[str, str]]


def parse_table(text: str) -> MeaningRepresentation | None:
    r"""Return the cells of a table as slots named by column; None if the text is not a table."""
    data = parse_json(text)
    try:
        named = None if data is None else list(_cells_from_json("", data))
        cells = (_cells_from_markdown(text) or _cells_from_pairs(text)) if named is None else named
    except (RecursionError, ValueError):
        return None
    slots = tuple(Slot(name.strip().lower(), " ".join(value.split())) for name, value in cells if name.strip())
    return MeaningRepresentation("inform", slots, "table") if slots else None


def _cells_from_json(name: str, data: Any) -> Iterator[tuple[str, str]]:
    """Return the cells of plain data; ValueError if a value has no name."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _cells_from_json(key, value)
    elif isinstance(data, list):
        for entry in data:
            pair = not name and isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str)
            yield from _cells_from_json(*entry) if pair else _cells_from_json(name, entry)
    elif (text := scalar_text(data)) and not name:
        raise ValueError("a value has no name")
    elif text:
        yield name, text


def _cells_from_markdown(text: str) -> Cells:
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) < 3 or "|" not in lines[0] or not _RULE.fullmatch(lines[1]):
        return []
    names, *rows = (line.strip("|").split("|") for line in (lines[0], *lines[2:]))
    if any(len(row) != len(names) for row in rows):
        return []
    return [(name, value) for row in rows for name, value in zip(names, row, strict=True) if value.strip()]


def _cells_from_pairs(text: str) -> Cells:
    """Return the names and values of a list; nothing if a part is not a pair or a value is a sentence."""
    for cell, between in _LISTS:
        cells = [cell.fullmatch(part) for part in re.split(between, text) if part.strip()]
        pairs = [(results["name"], results["value"]) for results in cells if results]
        sentences = any(value.rstrip().endswith((".", "!", "?")) and " " in value.strip() for _, value in pairs)
        if len(pairs) == len(cells) > 1 and not sentences:
            return pairs
    return []


def parse_json(text: str) -> Any:
    """Return a JSON object or list with numbers as text; None if the text is neither."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text, parse_int=str, parse_float=str, object_pairs_hook=_unique_object)
    except (ValueError, RecursionError):
        return None


def _unique_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object with unique keys; ValueError otherwise."""
    if len(made := dict(pairs)) < len(pairs):
        raise ValueError("a key occurs twice")
    return made


def scalar_text(value: Any) -> str | None:
    """Return a scalar as slot text; None for a list or an object."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else value.strip() if isinstance(value, str) else None
