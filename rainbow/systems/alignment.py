"""Alignment of several systems' outputs for the same inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.base.files import Note, raise_problems
from rainbow.corpus import Corpus


class AlignedSystems(NamedTuple):
    """Outputs of every system for the same items.

    Shapes: rows (systems, items).
    """

    corpus: Corpus  # a row per output
    systems: tuple[str, ...]  # in the order in which the corpus first has them
    items: tuple[str, ...]  # in the order in which the corpus first has them
    rows: NDArray[np.int64]  # the row, counted from 0, of each system's output for each item; shape (systems, items)
    notes: tuple[Note, ...]  # what was left out


def align_systems(corpus: Corpus, *, lenient: bool = False) -> AlignedSystems:
    """Return every system's output for each item that all systems have."""
    systems = tuple(dict.fromkeys(corpus.frame["system"]))
    if len(systems) < 2:
        raise ValueError("at least two systems are needed: name the column of systems")
    first, notes = _first_rows(corpus)
    items = dict.fromkeys(corpus.frame["item"])
    notes += list(_note_missing_references(corpus))
    notes += list(_note_missing_outputs(corpus, systems, items, first))
    if not lenient:
        raise_problems(notes)
    referenced = {item for item, texts in zip(corpus.frame["item"], corpus.frame["references"], strict=True) if texts}
    kept = tuple(item for item in items if item in referenced and all((system, item) in first for system in systems))
    if not kept:
        raise ValueError("no item has a reference and an output of every system")
    rows = np.array([[first[system, item] for item in kept] for system in systems])
    return AlignedSystems(corpus, systems, kept, rows, tuple(notes))


def _first_rows(corpus: Corpus) -> tuple[dict[tuple[str, str], int], list[Note]]:
    """Return the first row of each system for each item, and notes on duplicates."""
    first: dict[tuple[str, str], int] = {}
    notes = []
    for row, key in enumerate(zip(corpus.frame["system"], corpus.frame["item"], strict=True)):
        if key in first:
            problem = f"{key[0]} already has an output for {key[1]!r} ({_row_location(corpus, first[key])})"
            notes.append(Note(_row_location(corpus, row), problem, "this one is ignored"))
        first.setdefault(key, row)
    return first, notes


def _note_missing_references(corpus: Corpus) -> Iterator[Note]:
    """Yield a note for each item without a reference."""
    items = corpus.frame["item"]
    referenced = set(items[corpus.frame["references"].map(bool).to_numpy(dtype=bool)])
    for row in np.flatnonzero(~items.duplicated()).tolist():
        if (item := items.iloc[row]) not in referenced:
            problem = f"{item!r} has no reference"
            yield Note(_row_location(corpus, row), problem, "the item is excluded for every system")


def _note_missing_outputs(
    corpus: Corpus, systems: Sequence[str], items: dict[str, None], first: dict[tuple[str, str], int]
) -> Iterator[Note]:
    """Yield a note for each item that a system has no output for."""
    last = dict(zip(corpus.frame["system"], range(len(corpus)), strict=True))
    for system in systems:
        for item in items:
            if (system, item) not in first:
                other = next(first[name, item] for name in systems if (name, item) in first)
                problem = f"{system} has no output for {item!r} ({_row_location(corpus, other)} has one)"
                place = _row_file(corpus, last[system]) or _row_location(corpus, last[system])
                yield Note(place, problem, "the item is excluded for every system")


def _row_location(corpus: Corpus, row: int) -> str:
    file = _row_file(corpus, row)
    return f"{file}, line {corpus.frame['line'].iloc[row]}" if file else f"row {row + 1}"


def _row_file(corpus: Corpus, row: int) -> str:
    return str(corpus.frame["file"].iloc[row]) if {"file", "line"} <= set(corpus.frame.columns) else ""
