"""Rows as perturbations see them, with replacements from their dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from random import Random
from typing import NamedTuple, TypeVar

from rainbow.audit.spans import mentioned_values
from rainbow.corpus import Corpus
from rainbow.meaning import MeaningRepresentation
from rainbow.text.words.mentions import phrase_key

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
