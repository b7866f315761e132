"""Uniqueness check of row ids, using eight bytes per row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.base.storage import Place
from rainbow.corpus.corpus_table import TWICE


class Row(NamedTuple):
    """File, row number from 1, and id of a row."""

    file: Place
    number: int
    identity: str


class UniqueIds:
    """The ids seen so far, as sorted hashes."""

    def __init__(self, rows: Callable[[], Iterable[Row]]) -> None:
        self._all, self._count = rows, 0
        self._runs: list[NDArray[Any]] = []  # sorted, each at most half as long as the one before

    def add(self, hashes: NDArray[Any]) -> None:
        """Add the hashes of the next rows' distinct ids; raise an error if one is already known."""
        for run in self._runs:
            places = np.searchsorted(run, hashes).clip(max=len(run) - 1)
            for row in np.flatnonzero(run[places] == hashes).tolist():
                self._raise_if_repeated(self._count + row)
        self._count += len(hashes)
        if len(hashes):
            self._runs.append(np.sort(hashes))
        while len(self._runs) > 1 and len(self._runs[-2]) < 2 * len(self._runs[-1]):
            merged = np.concatenate(self._runs[-2:])
            merged.sort()
            self._runs[-2:] = [merged]

    def _raise_if_repeated(self, place: int) -> None:
        """Raise an error if the row at this index repeats an earlier id."""
        (late,) = islice(self._all(), place, place + 1)
        for early in islice(self._all(), place):
            if early.identity == late.identity:
                where = f"row {early.number}" + (f" of {early.file}" if early.file != late.file else "")
                raise ValueError(
                    f"{late.file}: row {late.number}, id: {late.identity!r} is already used in {where}{TWICE}"
                )
