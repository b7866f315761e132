"""What people wrote for the meaning representations of the 2017 study, read from the published files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.meaning import MeaningRepresentation, parse_meaning

_BAGEL = re.compile(r'^ABSTRACT_DA = (?P<mr>.+?)\s*\n-> "(?P<text>.*)";', re.MULTILINE)
_COMMENTS = re.compile(r"\A(?:#.*\n)*")
_MARK = re.compile(r"\[[^\]]*\]")
_NUMBERED_PLACEHOLDER = re.compile(r"X\d+")
_MARKER = re.compile(r"(?P<word>\w+) -(?P<ending>s|ly)\b")
_CLITIC = re.compile(r"\s+(?='(?:s|m|d|re|ve|ll)\b)")
_PUNCTUATION = re.compile(r"\s+(?=[.,;:?!])")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)\Z")
_CONSONANT_AND_Y = re.compile(r"(?<=[^aeiou])y\Z")


class Utterance(NamedTuple):
    """What one person wrote for a meaning representation, as the file has it, and where in the file it stands."""

    meaning: MeaningRepresentation
    text: str
    place: str


def read_dialogues(path: Path) -> list[Utterance]:
    """Return the system's utterances in the dialogues of SFHOTEL or SFREST, in file order."""
    utterances = []
    for number, dialogue in enumerate(_read_json(path), 1):
        for turn in dialogue["dial"]:
            place = f"{number}/{turn['turn']}"
            said = turn["S"]
            utterances.append(Utterance(_parsed(f"{path}: turn {place}", said["dact"]), said["ref"], place))
    return utterances


def read_bagel(path: Path) -> list[Utterance]:
    """Return the paraphrases of BAGEL in file order, the marks of their alignment (``[name+X]``) taken away."""
    return [
        Utterance(
            _unnumbered(_parsed(f"{path}: text {number}", match["mr"])), _MARK.sub("", match["text"]), f"{number}"
        )
        for number, match in enumerate(_BAGEL.finditer(path.read_text(encoding="utf-8")), 1)
    ]


# How the references of each dataset are read.
READERS: dict[str, Callable[[Path], list[Utterance]]] = {
    "sfhotel": read_dialogues,
    "sfrest": read_dialogues,
    "bagel": read_bagel,
}


def by_meaning(utterances: Iterable[Utterance]) -> dict[MeaningRepresentation, tuple[str, ...]]:
    """Return all texts of each meaning representation (same act, same slots, same order), in file order."""
    texts: dict[MeaningRepresentation, list[str]] = {}
    for utterance in utterances:
        texts.setdefault(utterance.meaning, []).append(utterance.text)
    return {meaning: tuple(said) for meaning, said in texts.items()}


def read_rnnlg(path: Path) -> list[Utterance]:
    """Return what people wrote in a split of RNNLG, acts and slots as RNNLG writes them, in file order."""
    return [
        Utterance(_parsed(f"{path}: instance {number}", mr), text, f"{number}")
        for number, (mr, text, *_) in enumerate(_read_json(path), 1)
    ]


def _read_json(path: Path) -> Any:
    """Return the content of a JSON file that may begin with lines of comment."""
    try:
        return json.loads(_COMMENTS.sub("", path.read_text(encoding="utf-8")))
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} is no JSON: {error}") from None


def _parsed(place: str, mr: str) -> MeaningRepresentation:
    try:
        return parse_meaning(mr)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _unnumbered(meaning: MeaningRepresentation) -> MeaningRepresentation:
    slots = (
        slot._replace(value="X") if _NUMBERED_PLACEHOLDER.fullmatch(slot.value) else slot for slot in meaning.slots
    )
    return meaning._replace(slots=tuple(slots))


def readable(text: str) -> str:
    """Return a text of the dialogue data as plain English: endings joined, no blank before punctuation."""
    text = _MARKER.sub(_joined, text)
    text = _PUNCTUATION.sub("", _CLITIC.sub("", text))
    return " ".join(text.split())


def readable_references(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the distinct texts as plain English, in order."""
    return tuple(dict.fromkeys(map(readable, texts)))


def _joined(match: re.Match[str]) -> str:
    word, ending = match["word"], match["ending"]
    return _plural(word) if ending == "s" else word + ending


def _plural(noun: str) -> str:
    if noun == "child":
        return "children"
    if _SIBILANT.search(noun):
        return noun + "es"
    return _CONSONANT_AND_Y.sub("ie", noun) + "s"
