"""Meaning representations, their values in a text, and delexicalisation."""

from __future__ import annotations

import json
import re
from typing import Literal, NamedTuple

from rainbow.base.caching import cache_by_size
from rainbow.base.native import compiled, kernels

# Kinds of slots: of an act (also E2E attributes), triples of a knowledge base, or cells of a table.
Notation = Literal["act", "triples", "table"]

# Values that say whether or that nothing is asked for: no text ever shows them word by word.
NOT_LITERAL = frozenset({"yes", "no", "true", "false", "none", "dont_care", "dontcare", "don't care", ""})

_BETWEEN = re.compile(r"[\s_-]")  # what a text may have between any two letters of a value
_NO_LETTER = re.compile(r"[\s_-]*+")


class Slot(NamedTuple):
    """One slot: name and value, and the subject in triples."""

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
        """Whether a text can contain the value verbatim, unlike `yes`, `none` or blank values."""
        return _is_literal(self.value)

    @property
    def placeholder(self) -> str:
        """Token that replaces the value in a delexicalised text."""
        return "X" + re.sub(r"[^a-z]", "", self.name.lower())


@cache_by_size(1 << 20)
def _is_literal(value: str) -> bool:
    return value.lower() not in NOT_LITERAL and not _NO_LETTER.fullmatch(value)


class MeaningRepresentation(NamedTuple):
    """What an output has to express: a dialogue act and its slots in order."""

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
    def named_slots(self) -> tuple[Slot, ...]:
        """Slots with literal values, and subjects of triples as slots."""
        subjects = (Slot("subject", slot.subject) for slot in self.slots if slot.subject)
        return tuple(slot for slot in (*self.slots, *subjects) if slot.literal)


def value_pattern(value: str) -> str:
    """Return the regular expression that finds a value in a text."""
    letters = r"[\s_-]?".join(map(re.escape, _BETWEEN.sub("", value)))
    return rf"(?i:(?<!\w){letters}(?=s?(?!\w)))"


@cache_by_size(1 << 20)
def _value_finder(value: str) -> re.Pattern[str]:
    return re.compile(value_pattern(value))


@cache_by_size(1 << 20)
def _literal_slots(meaning: MeaningRepresentation) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of literal values, longest first, with their placeholders."""
    # Value by value: other inputs have the same values, and a pattern over all values of an input is seldom met again.
    return tuple((_value_finder(slot.value), slot.placeholder) for slot, _ in _sort_slots(meaning))


def _sort_slots(meaning: MeaningRepresentation) -> list[tuple[Slot, str]]:
    """Return the slots with distinct literal values, longest first, and their letters."""
    distinct = {slot.value.lower(): slot for slot in reversed(meaning.named_slots)}
    slots = sorted(distinct.values(), key=lambda slot: (-len(slot.value), slot.value))
    return [(slot, letters) for slot in slots if (letters := _BETWEEN.sub("", slot.value))]


def delexicalise(text: str, meaning: MeaningRepresentation | None) -> str:
    """Replace the slot values in a text by placeholders, one token per slot name."""
    if meaning is None:
        return text
    if kernels() and (values := _compiled_values(meaning)) and (replaced := values.replaced(text)) is not None:
        return replaced
    return _replace_values(text, meaning)


@cache_by_size(1 << 20)
def _compiled_values(meaning: MeaningRepresentation) -> compiled.Delexicaliser | None:
    """Return the replacements for a compiled kernel; None for letters beyond Latin-1."""
    try:
        return compiled.Delexicaliser(
            [(letters.encode("latin-1"), slot.placeholder.encode("latin-1")) for slot, letters in _sort_slots(meaning)]
        )
    except UnicodeEncodeError:
        return None


def _replace_values(text: str, meaning: MeaningRepresentation) -> str:
    pieces, end = [], 0
    slots = _literal_slots(meaning)
    result = [(match, name) for finds, name in slots if (match := finds.search(text))]
    while result:
        # Of several at one place the first, which is the longest.
        match, placeholder = min(result, key=lambda pair: pair[0].start())
        pieces += [text[end : match.start()], placeholder]
        end = match.end()
        result = [
            (later, placeholder)
            for match, placeholder in result
            if (later := match if match.start() >= end else match.re.search(text, end))
        ]
    return "".join([*pieces, text[end:]])
