"""Where the words and the values of a meaning representation stand in a text, to be cut out or replaced there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from rainbow.meaning import MeaningRepresentation, Slot
from rainbow.text.words.mentions import phrase_key, find_mentions, mention_words

# A word with what joins its halves (an apostrophe, a combining accent), or a sign that ends a clause.
_PIECE = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f]|['’](?=[^\W_]))*|[.,;:!?]")
# A word as it is printed: from its first letter to its last, hyphens and all; a clitic keeps its apostrophe.
_PRINTED = re.compile(r"['’]?\w(?:\S*\w)?")
_POSSESSIVE = re.compile(r"\s*['’][sS]$")
_ARTICLE = re.compile(r"\b(a|A)n?(\s*)$")


class Words(NamedTuple):
    """The words of a text, as :func:`rainbow.text.words.mentions.mention_words` gives them, and the place of each."""

    tokens: tuple[str, ...]
    starts: tuple[int, ...]
    stops: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Words:
        """Find the words of a text."""
        found = [(word, piece.start(), piece.end()) for piece in _PIECE.finditer(text) for word in mention_words(piece[0])]
        tokens, starts, stops = zip(*found, strict=True) if found else ((), (), ())
        return cls(tokens, starts, stops)


class Place(NamedTuple):
    """Part of a text: from the character `start` up to and without `stop`."""

    start: int
    stop: int


class Value(NamedTuple):
    """A value as a text says it: the slots that have it, and every place where it is said."""

    key: str
    slots: tuple[Slot, ...]
    places: tuple[Place, ...]


class Edit(NamedTuple):
    """A replacement for part of a text."""

    place: Place
    text: str


def said_values(text: str, meaning: MeaningRepresentation) -> list[Value]:
    """Return the values of a meaning representation that a text says word by word, in the order first said."""
    slots: dict[str, list[Slot]] = {}
    for slot in meaning.slots:
        if slot.literal and phrase_key(slot.value):
            slots.setdefault(phrase_key(slot.value), []).append(slot)
    located = Words.of(text)
    places: dict[str, list[Place]] = {}
    for mention in find_mentions(located.tokens, slots.keys()):
        start, stop = located.starts[mention.start], located.stops[mention.stop - 1]
        owner = _POSSESSIVE.sub("", text[start:stop])
        stop = start + len(owner) if phrase_key(owner) == mention.phrase else stop
        places.setdefault(mention.phrase, []).append(Place(start, stop))
    return [Value(key, tuple(slots[key]), tuple(found)) for key, found in places.items()]


def split_words(text: str) -> list[Place]:
    """Return where each word stands as a reader sees words: between blanks, without the punctuation around it."""
    return [Place(*match.span()) for match in _PRINTED.finditer(text)]


def sentence_begins(text: str, position: int) -> bool:
    """Return whether a sentence begins at this character."""
    before = text[:position].rstrip()
    return not before or before[-1] in ".!?"


def as_written(text: str, like: str) -> str:
    """Return a text in lower case if the text that it stands beside or for is."""
    return text.lower() if like.islower() else text


def with_article(before: str, after: str) -> str:
    """Return the text before with its last word `a` or `an`, if it is one of them, as the letter after it wants it."""
    article = _ARTICLE.search(before)
    if not article or not after[:1].isalpha():
        return before
    return before[: article.end(1)] + "n" * (after[0] in "aeiouAEIOU") + article[2]


def replace(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with parts replaced, in its own letter case, with `a` or `an` as needed; parts must not
    overlap.
    """
    changed = text
    for (start, stop), new in sorted(edits, reverse=True):
        new = as_written(new, text)
        if text[start].isupper() and sentence_begins(text, start):
            new = new[:1].upper() + new[1:]
        changed = with_article(changed[:start], new) + new + changed[stop:]
    return changed
