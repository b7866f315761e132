"""What a perturbation may look at: a row, and what the other rows of its corpus offer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from random import Random
from typing import NamedTuple, TypeVar

from rainbow.audit.places import said_values
from rainbow.corpus import Corpus
from rainbow.meaning import MeaningRepresentation
from rainbow.text.words.mentions import phrase_key

Entry = TypeVar("Entry")


class Reference(NamedTuple):
    """A reference and what it says: the item's name, and its slots with their values (None without an MR)."""

    text: str
    item: str
    contents: frozenset[tuple[str, str]] | None


@dataclass(frozen=True)
class Surroundings:
    """What a dataset offers for replacements; it does not depend on the order of the rows."""

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
    surroundings: Surroundings


def from_anywhere(entries: Sequence[Entry], rng: Random) -> Iterator[Entry]:
    """Return all entries in their order, from a random one on and round to it."""
    start = rng.randrange(len(entries)) if entries else 0
    return chain(islice(entries, start, None), islice(entries, start))


# Gives a worse text for a row, or None where it cannot be made.
Perturbation = Callable[[Row, Random], str | None]


def contents(meaning: MeaningRepresentation) -> frozenset[tuple[str, str]]:
    """Return the slots of a meaning representation with their values, however spaced and in whatever order."""
    return frozenset((slot.name, " or ".join(sorted(alternatives(slot.value)))) for slot in meaning.slots)


def alternatives(value: str) -> set[str]:
    """Return the letters and digits of a value, or of each that an `or` joins."""
    return set(map(phrase_key, value.lower().split(" or ")))


def rows_of(corpus: Corpus) -> list[Row]:
    """Return every row of a corpus with what the rest of its dataset offers."""
    frame = corpus.frame
    columns = (frame[name] for name in ("dataset", "output", "item", "mr", "references"))
    rows = list(zip(*columns, corpus.meanings, strict=True))
    items: dict[str, set[_Item]] = {}
    for dataset, _, item, _, references, meaning in rows:
        items.setdefault(dataset, set()).add(_Item(item, meaning, references))
    surroundings = {dataset: _surroundings(found) for dataset, found in items.items()}
    return [
        Row(output, dataset, item, mr, meaning, references, surroundings[dataset])
        for dataset, output, item, mr, references, meaning in rows
    ]


class _Item(NamedTuple):
    name: str
    meaning: MeaningRepresentation | None
    references: tuple[str, ...]


def _surroundings(items: Iterable[_Item]) -> Surroundings:
    references = {
        Reference(text, item.name, contents(item.meaning) if item.meaning else None)
        for item in items
        for text in item.references
        if text.strip()
    }
    return Surroundings(_values(items), tuple(sorted(references, key=_order)))


def _order(reference: Reference) -> tuple[str, str, list[tuple[str, str]]]:
    return reference.text, reference.item, sorted(reference.contents or ())


def _values(items: Iterable[_Item]) -> dict[str, dict[str, str]]:
    """Return for each slot its values, in the spelling that references use most (that of the MR if none says them)."""
    spellings: dict[tuple[str, str], Counter[str]] = {}
    for item in items:
        for slot, spelling, said in _spellings(item):
            spellings.setdefault(slot, Counter())[spelling] += said
    values: dict[str, dict[str, str]] = {}
    for (name, key), counts in sorted(spellings.items()):
        values.setdefault(name, {})[key] = min(counts, key=lambda spelling: (-counts[spelling], spelling))
    return values


def _spellings(item: _Item) -> Iterator[tuple[tuple[str, str], str, int]]:
    """Return slots and values with a spelling and whether a reference has it; plurals are no spelling of the value."""
    if item.meaning is None:
        return
    for slot in item.meaning.slots:
        if slot.literal and phrase_key(slot.value):
            yield (slot.name, phrase_key(slot.value)), slot.value, 0
    for text in item.references:
        for value in said_values(text, item.meaning):
            for start, stop in value.places:
                if phrase_key(text[start:stop]) == value.key:
                    yield from (((slot.name, value.key), text[start:stop], 1) for slot in value.slots)
