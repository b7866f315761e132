"""Mentions of values in other languages than English: in inflected forms, with numbers in any format.

Which slots are looked at is learned from the references: values of the others are worded, translated or transliterated.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rainbow.base.caching import cache_by_size
from rainbow.meaning.representation import MeaningRepresentation
from rainbow.meaning.slot_values import literal_value
from rainbow.meaning.value_mentions import ascii_digits
from rainbow.text.tokens.folding import fold_text

if TYPE_CHECKING:
    import regex

# Words are forms of one word if they begin with as many letters in common, and with this share of the longer word.
ROOT, ROOT_SHARE = 3, 0.6
NAME_SHARE = 0.75  # of the letters of a value, in words that are mentioned
SAID = 0.5  # of the references that mention the value of a slot, from which on the slot is looked at
_DATE = re.compile(r"(\d{4})-\d{1,2}-(\d{1,2})")


class Mentionable(NamedTuple):
    """Words and numbers of a text or a value, and its characters without blanks."""

    words: frozenset[str]
    numbers: frozenset[str]  # digits alone, without zeros at either end
    characters: str


@cache_by_size(1 << 18)
def parse_text(text: str) -> Mentionable:
    """Return what a text may mention."""
    folded = fold_text(text.lower())
    found = _word_pattern().findall(folded)
    numbers = frozenset(ascii_digits(word).strip("0") for word in found if word[0].isdecimal())
    return Mentionable(frozenset(word for word in found if not word[0].isdecimal()), numbers, "".join(folded.split()))


@cache_by_size(1 << 18)
def parse_value(value: str) -> Mentionable:
    """Return the words and numbers of a value; of a date, the year and the day."""
    date = _DATE.fullmatch(value.strip())
    return parse_text(f"{date[1]} / {date[2]}" if date else value.replace("_", " "))


def is_mentioned(value: str, text: Mentionable, is_spaced: bool) -> bool:
    """Return whether a text mentions a value: all its numbers, and most letters of its words."""
    sought = parse_value(value)
    if not sought.numbers <= text.numbers:
        return False
    if not is_spaced and sought.words:
        return sought.characters in text.characters
    mentioned = sum(len(word) for word in sought.words if _is_word_mentioned(word, text.words))
    return mentioned >= NAME_SHARE * sum(map(len, sought.words))


def said_slots(pairs: Iterable[tuple[MeaningRepresentation, Sequence[str]]], is_spaced: bool) -> tuple[str, ...]:
    """Return the names of the slots whose values most references mention."""
    asked, said = Counter[str](), Counter[str]()
    for meaning, references in pairs:
        for text in map(parse_text, references):
            for name, value in _literal_slots(meaning):
                asked[name] += 1
                said[name] += is_mentioned(value, text, is_spaced)
    return tuple(sorted(name for name, times in asked.items() if said[name] >= SAID * times))


def mentioned_shares(
    meaning: MeaningRepresentation, text: str, said: Set[str], is_spaced: bool
) -> tuple[float, float, float, float]:
    """Return the shares of these slots that a text mentions and omits, and NaN for repeated and invented ones."""
    states = [
        is_mentioned(value, parse_text(text), is_spaced) for name, value in _literal_slots(meaning) if name in said
    ]
    realised = sum(states) / len(states) if states else math.nan
    return realised, 1 - realised, math.nan, math.nan


def _literal_slots(meaning: MeaningRepresentation) -> list[tuple[str, str]]:
    return [(slot.name, slot.value) for slot in meaning.slots if literal_value(slot)]


def _is_word_mentioned(word: str, words: Set[str]) -> bool:
    if word in words:
        return True
    needed = ((max(ROOT, math.ceil(ROOT_SHARE * max(len(word), len(other)))), other) for other in words)
    return any(len(other) >= size and word[:size] == other[:size] for size, other in needed)


@cache
def _word_pattern() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"[\p{L}\p{M}]+|\d+(?:[.,'’\s]\d+)*")
