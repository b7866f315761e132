"""Spans of words and values in a text, and edits of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from rainbow.meaning import MeaningRepresentation, Slot
from rainbow.text.words.mentions import find_mentions, mention_words, phrase_key

# A word with what joins its halves (an apostrophe, a combining accent), or a sign that ends a clause.
_PIECE = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f]|['’](?=[^\W_]))*|[.,;:!?]")
# A word as it is printed: from its first letter to its last, hyphens and all; a clitic keeps its apostrophe.
_PRINTED = re.compile(r"['’]?\w(?:\S*\w)?")
_POSSESSIVE = re.compile(r"\s*['’][sS]$")
_ARTICLE = re.compile(r"\b(a|A)n?(\s*)$")


class Words(NamedTuple):
    """Words of a text and their positions."""

    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    stops: tuple[int, ...]

    @classmethod
    def from_text(cls, text: str) -> Words:
        """Find the words of a text."""
        results = [
            (word, piece.start(), piece.end()) for piece in _PIECE.finditer(text) for word in mention_words(piece[0])
        ]
        tokens, starts, stops = zip(*results, strict=True) if results else ((), (), ())
        return cls(tokens, starts, stops)


class Span(NamedTuple):
    """Part of a text: characters from `start` up to but excluding `stop`."""

    start: int
    stop: int


class Value(NamedTuple):
    """A value mentioned in a text, with its slots and positions."""

    key: str
    slots: tuple[Slot, ...]
    places: tuple[Span, ...]


class Edit(NamedTuple):
    """A replacement for part of a text."""

    place: Span
    text: str


def mentioned_values(text: str, meaning: MeaningRepresentation) -> list[Value]:
    """Return the values of a meaning representation that occur verbatim in a text, in order."""
    slots: dict[str, list[Slot]] = {}
    for slot in meaning.slots:
        if slot.literal and phrase_key(slot.value):
            slots.setdefault(phrase_key(slot.value), []).append(slot)
    located = Words.from_text(text)
    places: dict[str, list[Span]] = {}
    for mention in find_mentions(located.tokens, slots.keys()):
        start, stop = located.starts[mention.start], located.stops[mention.stop - 1]
        owner = _POSSESSIVE.sub("", text[start:stop])
        stop = start + len(owner) if phrase_key(owner) == mention.phrase else stop
        places.setdefault(mention.phrase, []).append(Span(start, stop))
    return [Value(key, tuple(slots[key]), tuple(spans)) for key, spans in places.items()]


def spaced_word_spans(text: str) -> list[Span]:
    """Return the spans of space-separated words without surrounding punctuation."""
    return [Span(*match.span()) for match in _PRINTED.finditer(text)]


def starts_sentence(text: str, position: int) -> bool:
    """Return whether a sentence starts at this character."""
    before = text[:position].rstrip()
    return not before or before[-1] in ".!?"


def match_case(text: str, pattern: str) -> str:
    """Return a text in lower case if the given context is lower-cased."""
    return text.lower() if pattern.islower() else text


def fix_article(before: str, following: str) -> str:
    """Return the text before with its final `a` or `an` adapted to the next letter."""
    article = _ARTICLE.search(before)
    if not article or not following[:1].isalpha():
        return before
    return before[: article.end(1)] + "n" * (following[0] in "aeiouAEIOU") + article[2]


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with non-overlapping replacements, letter case and articles adapted."""
    changed = text
    for (start, stop), new in sorted(edits, reverse=True):
        new = match_case(new, text)
        if text[start].isupper() and starts_sentence(text, start):
            new = new[:1].upper() + new[1:]
        changed = fix_article(changed[:start], new) + new + changed[stop:]
    return changed
