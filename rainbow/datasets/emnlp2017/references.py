"""Human references of the 2017 study, read from the published files."""

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
    """A human text for a meaning representation, with its location in the file."""

    meaning: MeaningRepresentation
    text: str
    place: str


def read_dialogues(path: Path) -> list[Utterance]:
    """Return the system utterances in the dialogues of SFHOTEL or SFREST, in file order."""
    utterances = []
    for number, dialogue in enumerate(_read_json(path), 1):
        for turn in dialogue["dial"]:
            place = f"{number}/{turn['turn']}"
            system_turn = turn["S"]
            utterances.append(
                Utterance(_parse_meaning(f"{path}: turn {place}", system_turn["dact"]), system_turn["ref"], place)
            )
    return utterances


def read_bagel(path: Path) -> list[Utterance]:
    """Return the paraphrases of BAGEL in file order, without alignment markers (``[name+X]``)."""
    return [
        Utterance(
            _remove_numbers(_parse_meaning(f"{path}: text {number}", match["mr"])),
            _MARK.sub("", match["text"]),
            f"{number}",
        )
        for number, match in enumerate(_BAGEL.finditer(path.read_text(encoding="utf-8")), 1)
    ]


# Reader of each dataset's references.
READERS: dict[str, Callable[[Path], list[Utterance]]] = {
    "sfhotel": read_dialogues,
    "sfrest": read_dialogues,
    "bagel": read_bagel,
}


def group_by_meaning(utterances: Iterable[Utterance]) -> dict[MeaningRepresentation, tuple[str, ...]]:
    """Return all texts of each meaning representation (equal act and ordered slots), in file order."""
    texts: dict[MeaningRepresentation, list[str]] = {}
    for utterance in utterances:
        texts.setdefault(utterance.meaning, []).append(utterance.text)
    return {meaning: tuple(utterances_of_meaning) for meaning, utterances_of_meaning in texts.items()}


def read_rnnlg(path: Path) -> list[Utterance]:
    """Return the human texts of an RNNLG split in file order, with RNNLG's acts and slots."""
    return [
        Utterance(_parse_meaning(f"{path}: instance {number}", mr), text, f"{number}")
        for number, (mr, text, *_) in enumerate(_read_json(path), 1)
    ]


def _read_json(path: Path) -> Any:
    """Return the content of a JSON file, skipping leading comment lines."""
    try:
        return json.loads(_COMMENTS.sub("", path.read_text(encoding="utf-8")))
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} is not valid JSON: {error}") from None


def _parse_meaning(place: str, mr: str) -> MeaningRepresentation:
    try:
        return parse_meaning(mr)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _remove_numbers(meaning: MeaningRepresentation) -> MeaningRepresentation:
    slots = (
        slot._replace(value="X") if _NUMBERED_PLACEHOLDER.fullmatch(slot.value) else slot for slot in meaning.slots
    )
    return meaning._replace(slots=tuple(slots))


def detokenise(text: str) -> str:
    """Return a dialogue text as plain English: suffixes joined, no space before punctuation."""
    text = _MARKER.sub(_join_suffix, text)
    return " ".join(_PUNCTUATION.sub("", _CLITIC.sub("", text)).split())


def detokenise_references(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the distinct texts as plain English, in order."""
    return tuple(dict.fromkeys(map(detokenise, texts)))


def _join_suffix(match: re.Match[str]) -> str:
    word, ending = match["word"], match["ending"]
    return _plural(word) if ending == "s" else word + ending


def _plural(noun: str) -> str:
    if noun == "child":
        return "children"
    if _SIBILANT.search(noun):
        return noun + "es"
    return _CONSONANT_AND_Y.sub("ie", noun) + "s"
