"""Rows as perturbations see them, with replacements from their dataset, spans of words and values, and edits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from random import Random
from typing import NamedTuple, TypeVar

from rainbow.corpus import Corpus
from rainbow.meaning import MeaningRepresentation, Slot
from rainbow.text.words.mentions import find_mentions, mention_words, phrase_key

Entry = TypeVar("Entry")


class Reference(NamedTuple):
    """A reference with the name and the slot values of its item (None without an MR)."""

    text: str
    item: str
    contents: frozenset[tuple[str, str]] | None


@dataclass(frozen=True)
class Replacements:
    """Replacement values and references of a dataset, independent of row order."""

    # for each slot name its values as references write them, by their letters and digits (:func:`joined`)
    values: Mapping[str, Mapping[str, str]]
    references: tuple[Reference, ...]  # all distinct references, in alphabetical order


@dataclass(frozen=True)
class Row:
    """A row of a corpus as perturbations see it."""

    output: str
    dataset: str
    item: str
    mr: str
    meaning: MeaningRepresentation | None
    references: tuple[str, ...]
    surroundings: Replacements


def rotate_randomly(entries: Sequence[Entry], rng: Random) -> Iterator[Entry]:
    """Return all entries in order, starting at a random one and wrapping around."""
    start = rng.randrange(len(entries)) if entries else 0
    return chain(islice(entries, start, None), islice(entries, start))


# Gives a worse text for a row, or None where it cannot be made.
Perturbation = Callable[[Row, Random], str | None]


def slot_contents(meaning: MeaningRepresentation) -> frozenset[tuple[str, str]]:
    """Return the slots of a meaning representation with normalised values."""
    return frozenset((slot.name, " or ".join(sorted(value_alternatives(slot.value)))) for slot in meaning.slots)


def value_alternatives(value: str) -> set[str]:
    """Return the letters and digits of a value, or of each side of an `or`."""
    return set(map(phrase_key, value.lower().split(" or ")))


def audit_rows(corpus: Corpus) -> list[Row]:
    """Return every row of a corpus with the replacements of its dataset."""
    frame = corpus.frame
    columns = (frame[name] for name in ("dataset", "output", "item", "mr", "references"))
    rows = list(zip(*columns, corpus.meanings, strict=True))
    items: dict[str, set[_Item]] = {}
    for dataset, _, item, _, references, meaning in rows:
        items.setdefault(dataset, set()).add((item, meaning, references))
    surroundings = {dataset: _replacements(values) for dataset, values in items.items()}
    return [
        Row(output, dataset, item, mr, meaning, references, surroundings[dataset])
        for dataset, output, item, mr, references, meaning in rows
    ]


# Name, meaning and references of an item.
_Item = tuple[str, MeaningRepresentation | None, tuple[str, ...]]


def _replacements(items: Iterable[_Item]) -> Replacements:
    references = {
        Reference(text, name, slot_contents(meaning) if meaning else None)
        for name, meaning, texts in items
        for text in texts
        if text.strip()
    }
    ordered = sorted(references, key=lambda own: (own.text, own.item, sorted(own.contents or ())))
    # The most frequent spelling of each value in references, or that of the MR.
    spellings: dict[tuple[str, str], Counter[str]] = {}
    for item in items:
        for slot, spelling, mentioned in _item_spellings(item):
            spellings.setdefault(slot, Counter())[spelling] += mentioned
    values: dict[str, dict[str, str]] = {}
    for (name, key), counts in sorted(spellings.items()):
        values.setdefault(name, {})[key] = min(counts, key=lambda spelling: (-counts[spelling], spelling))
    return Replacements(values, tuple(ordered))


def _item_spellings(item: _Item) -> Iterator[tuple[tuple[str, str], str, int]]:
    """Return slots, values and spellings with whether a reference has them; plurals excluded."""
    _, meaning, references = item
    if meaning is None:
        return
    for slot in meaning.slots:
        if slot.literal and phrase_key(slot.value):
            yield (slot.name, phrase_key(slot.value)), slot.value, 0
    for text in references:
        for value in mentioned_values(text, meaning):
            for start, stop in value.places:
                if phrase_key(text[start:stop]) == value.key:
                    yield from (((slot.name, value.key), text[start:stop], 1) for slot in value.slots)


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
