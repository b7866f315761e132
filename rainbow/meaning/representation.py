"""Meaning representations: what they are, their values in a text, and the text without those."""

from __future__ import annotations

import json
import re
from typing import Literal, NamedTuple

from rainbow.base.native import compiled, kernels
from rainbow.base.caching import cache_by_size

# How slots are given: with an act (E2E's attributes too), as triples of a knowledge base, or as cells of a table.
Notation = Literal["act", "triples", "table"]

# Values that say whether or that nothing is asked for: no text ever shows them word by word.
NOT_LITERAL = frozenset({"yes", "no", "true", "false", "none", "dont_care", "dontcare", "don't care", ""})

_BETWEEN = re.compile(r"[\s_-]")  # what a text may have between any two letters of a value
_NO_LETTER = re.compile(r"[\s_-]*+")


class Slot(NamedTuple):
    """One slot: what is said (`name`) and as what (`value`); in triples, of which subject."""

    name: str
    value: str
    quoted: bool = False
    subject: str = ""

    def __str__(self) -> str:
        if self.quoted:
            return f"{self.name}='{self.value}'"
        return f"{self.name}={self.value}" if self.value else self.name

    @property
    def literal(self) -> bool:
        """Whether a text can show the value word by word (`yes`, `none` and the like, or blanks alone, it cannot)."""
        return _is_literal(self.value)

    @property
    def placeholder(self) -> str:
        """The one token that stands for the value in a delexicalised text."""
        return "X" + re.sub(r"[^a-z]", "", self.name.lower())


@cache_by_size(1 << 20)
def _is_literal(value: str) -> bool:
    return value.lower() not in NOT_LITERAL and not _NO_LETTER.fullmatch(value)


class MeaningRepresentation(NamedTuple):
    """What an output is to say: a dialogue act and its slots, in order; triples and tables inform."""

    act: str
    slots: tuple[Slot, ...]
    form: Notation = "act"

    def __str__(self) -> str:
        if self.form == "triples":
            return " && ".join(f"{slot.subject} | {slot.name} | {slot.value}" for slot in self.slots)
        if self.form == "table":
            return json.dumps([[slot.name, slot.value] for slot in self.slots], ensure_ascii=False)
        return f"{self.act}({','.join(map(str, self.slots))})"

    @property
    def named(self) -> tuple[Slot, ...]:
        """The slots whose values a text can show word by word, and the subjects of triples as slots."""
        subjects = (Slot("subject", slot.subject) for slot in self.slots if slot.subject)
        return tuple(slot for slot in (*self.slots, *subjects) if slot.literal)


def value_pattern(value: str) -> str:
    """Return the regular expression that finds a value in a text."""
    return rf"(?i:(?<!\w){_letters(value)}(?=s?(?!\w)))"


def _letters(value: str) -> str:
    return r"[\s_-]?".join(map(re.escape, _BETWEEN.sub("", value)))


@cache_by_size(1 << 20)
def _finds(value: str) -> re.Pattern[str]:
    return re.compile(value_pattern(value))


@cache_by_size(1 << 20)
def _literal_slots(meaning: MeaningRepresentation) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what finds every literal value, longest first, and the placeholder that it takes."""
    # Value by value: other inputs have the same values, and a pattern over all values of an input is seldom met again.
    return tuple((_finds(slot.value), slot.placeholder) for slot, _ in _ordered(meaning))


def _ordered(meaning: MeaningRepresentation) -> list[tuple[Slot, str]]:
    """Return the slots with distinct literal values, longest first, and the letters that those have."""
    slots = sorted({slot.value.lower(): slot for slot in reversed(meaning.named)}.values(), key=_longest_first)
    return [(slot, letters) for slot in slots if (letters := _BETWEEN.sub("", slot.value))]


def _longest_first(slot: Slot) -> tuple[int, str]:
    return -len(slot.value), slot.value


def delexicalise(text: str, meaning: MeaningRepresentation | None) -> str:
    """Replace the values of a meaning representation, where there is one, by placeholders, one token per slot name."""
    if meaning is None:
        return text
    if kernels() and (values := _values(meaning)) and (replaced := values.replaced(text)) is not None:
        return replaced
    return _replaced(text, meaning)


@cache_by_size(1 << 20)
def _values(meaning: MeaningRepresentation) -> compiled.Delexicaliser | None:
    """Return what replaces the values in a compiled kernel; None if there are letters beyond Latin-1 in them."""
    try:
        return compiled.Delexicaliser(
            [(letters.encode("latin-1"), slot.placeholder.encode("latin-1")) for slot, letters in _ordered(meaning)]
        )
    except UnicodeEncodeError:
        return None


def _replaced(text: str, meaning: MeaningRepresentation) -> str:
    pieces, end = [], 0
    slots = _literal_slots(meaning)
    found = [(match, name) for finds, name in slots if (match := finds.search(text))]
    while found:
        match, placeholder = min(found, key=_start)  # of several at one place the first, which is the longest
        pieces += [text[end : match.start()], placeholder]
        end = match.end()
        found = [
            (later, placeholder)
            for match, placeholder in found
            if (later := match if match.start() >= end else match.re.search(text, end))
        ]
    return "".join([*pieces, text[end:]])


def _start(found: tuple[re.Match[str], str]) -> int:
    return found[0].start()
