"""Several systems' outputs for the same inputs, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.base.notes import Note, raise_problems
from rainbow.corpus import Corpus


class Aligned(NamedTuple):
    """Outputs of the same items by every system.

    Shapes: rows (systems, items).
    """

    corpus: Corpus  # a row per output
    systems: tuple[str, ...]  # in the order in which the corpus first has them
    items: tuple[str, ...]  # in the order in which the corpus first has them
    rows: NDArray[np.int64]  # the row, counted from 0, of each system's output for each item; shape (systems, items)
    notes: tuple[Note, ...]  # what was left out


def align(corpus: Corpus, *, lenient: bool = False) -> Aligned:
    """Return every system's output for every item, each system having one for the same items as all others."""
    systems = tuple(dict.fromkeys(corpus.frame["system"]))
    if len(systems) < 2:
        raise ValueError("there are not two systems to compare: name the column that says which system wrote an output")
    first, notes = _first_rows(corpus)
    items = dict.fromkeys(corpus.frame["item"])
    notes += list(_without_reference(corpus, items))
    notes += list(_missing(corpus, systems, items, first))
    if not lenient:
        raise_problems(notes)
    referenced = {item for item, texts in zip(corpus.frame["item"], corpus.frame["references"], strict=True) if texts}
    kept = tuple(item for item in items if item in referenced and all((system, item) in first for system in systems))
    if not kept:
        raise ValueError("there is no item with a reference that every system has an output for")
    rows = np.array([[first[system, item] for item in kept] for system in systems])
    return Aligned(corpus, systems, kept, rows, tuple(notes))


def _first_rows(corpus: Corpus) -> tuple[dict[tuple[str, str], int], list[Note]]:
    """Return the first row of each system for each item, and notes on the others."""
    first: dict[tuple[str, str], int] = {}
    notes = []
    for row, key in enumerate(zip(corpus.frame["system"], corpus.frame["item"], strict=True)):
        if key in first:
            problem = f"{key[0]} already has an output for {key[1]!r} ({_place(corpus, first[key])})"
            notes.append(Note(_place(corpus, row), problem, "this one is left out"))
        first.setdefault(key, row)
    return first, notes


def _without_reference(corpus: Corpus, items: dict[str, None]) -> Iterator[Note]:
    rows: dict[str, int] = {}
    known: set[str] = set()
    for row, (item, texts) in enumerate(zip(corpus.frame["item"], corpus.frame["references"], strict=True)):
        rows.setdefault(item, row)
        if texts:
            known.add(item)
    for item in items:
        if item not in known:
            problem = f"there is no reference for {item!r}"
            yield Note(_place(corpus, rows[item]), problem, "the item is left out for every system")


def _missing(
    corpus: Corpus, systems: Sequence[str], items: dict[str, None], first: dict[tuple[str, str], int]
) -> Iterator[Note]:
    """Tell of items that a system has no output for, by its last place and where another system has one."""
    last = dict(zip(corpus.frame["system"], range(len(corpus)), strict=True))
    for system in systems:
        for item in items:
            if (system, item) not in first:
                other = next(first[name, item] for name in systems if (name, item) in first)
                problem = f"{system} has no output for {item!r} ({_place(corpus, other)} has one)"
                place = _file(corpus, last[system]) or _place(corpus, last[system])
                yield Note(place, problem, "the item is left out for every system")


def _place(corpus: Corpus, row: int) -> str:
    file = _file(corpus, row)
    return f"{file}, line {_cell(corpus, 'line', row)}" if file else f"row {row + 1}"


def _file(corpus: Corpus, row: int) -> str:
    return str(_cell(corpus, "file", row)) if {"file", "line"} <= set(corpus.frame.columns) else ""


def _cell(corpus: Corpus, column: str, row: int) -> Any:
    return corpus.frame[column].iloc[row]
