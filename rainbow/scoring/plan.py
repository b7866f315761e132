"""What to compute: fitted metrics and the texts they see, the same for every row and in every process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.corpus import COLUMNS, Corpus, RowError
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.selection import Selected, column_names
from rainbow.metrics.contract.views import Views, signature_in, view_of

__all__ = ["DistinctInputs", "Plan", "Scores"]


class Scores(NamedTuple):
    """The scores of some rows, shape (rows, columns), and for each column and reason where values are missing."""

    values: FloatArray
    missing: dict[str, dict[str, Any]]


class DistinctInputs:
    """What corpus statistics are fitted on: every input with its references once, from any number of chunks.

    Parameters
    ----------
    view
        The view that metrics see, where it is one that a dataset brings along.
    background
        References for further inputs.
    """

    def __init__(self, view: str | None = None, background: Corpus | None = None) -> None:
        self._view, self._background = view, background
        self._seen: set[tuple[Any, ...]] = set()
        self._kept: list[Corpus] = []

    def add(self, corpus: Corpus) -> None:
        """Take what is new in the next rows."""
        new = []
        for row, key in enumerate(self._keys(corpus)):
            if key not in self._seen:
                self._seen.add(key)
                new.append(row)
        if new or not self._kept:
            rows = corpus.take(new)
            self._kept.append(Corpus(rows.frame[list(COLUMNS)], views=rows.views))

    def corpus(self) -> Corpus:
        """Return the first row of every input, in the order in which they were met, with the background."""
        inputs = Corpus.concatenate(self._kept)
        return inputs if self._background is None else replace(inputs, background=self._background)

    def _keys(self, corpus: Corpus) -> Iterator[tuple[Any, ...]]:
        frame = corpus.frame
        columns: list[Iterable[Any]] = [frame["item"], frame["mr"], frame["references"]]
        if view := corpus.views.get(self._view or ""):
            columns += [view.references, view.collections or [""] * len(corpus)]
        return zip(*columns, strict=True)


@dataclass(frozen=True)
class Plan:
    """Metrics that are ready to score any rows, and the view they see.

    Parameters
    ----------
    selected
        The metrics, fitted, and the columns asked for.
    view
        What word-based and language-model metrics see.
    """

    selected: tuple[Selected, ...]
    view: str

    @classmethod
    def fit(cls, selected: Sequence[Selected], view: str, inputs: Corpus | None = None) -> Self:
        """Return the plan, with the corpus statistics of these inputs for metrics that have none yet."""
        views = None if inputs is None else Views.of(inputs)

        def fitted(metric: Metric | type[Metric]) -> Metric | type[Metric]:
            if isinstance(metric, type) or not needs_fitting(metric):
                return metric
            if views is None:
                raise ValueError(f"{metric.name} needs corpus statistics: give the inputs to fit it on")
            return metric.fit(views.seen_by(metric, view))

        return cls(tuple(entry._replace(metric=fitted(entry.metric)) for entry in selected), view)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column for entry in self.selected for column in _wanted(entry))

    @cached_property
    def signatures(self) -> dict[str, str]:
        """All that each column depends on."""
        return {column: self._signature(entry) for entry in self.selected for column in _wanted(entry)}

    def _signature(self, entry: Selected) -> str:
        if isinstance(entry.metric, type):
            return f"{entry.metric.name}|not computed"
        return signature_in(entry.metric, self.view)

    def score(self, corpus: Corpus, threads: int = 1) -> Scores:
        """Return the scores of all rows of a corpus; every preparation of its texts is shared by all metrics.

        Raises
        ------
        RowError
            If a metric fails for a row; the message names the row and the metric. What it fails with for any row is
            raised as it is.
        """
        views = Views.of(corpus, threads)
        values = np.full((len(corpus), len(self.columns)), np.nan)
        missing: dict[str, dict[str, Any]] = {}
        for entry in self.selected:
            if isinstance(entry.metric, type):
                missing |= {column: {entry.missing or "": "all"} for column in entry.columns}
                continue
            batch = views.seen_by(entry.metric, self.view)
            found = _scored(entry.metric, batch, corpus, view_of(entry.metric, self.view))
            reasons = entry.metric.reasons(batch, found)
            for place, column in enumerate(column_names(entry.metric)):
                if column in entry.columns:
                    values[:, self.columns.index(column)] = found[:, place]
                    if rows := _rows_by_reason(reasons, place, len(corpus)):
                        missing[column] = rows
        return Scores(values, missing)


def needs_fitting(metric: Metric | type[Metric]) -> bool:
    """Return whether corpus statistics are still to be counted."""
    return not isinstance(metric, type) and getattr(metric, "statistics", metric) is None


def _wanted(entry: Selected) -> list[str]:
    return [column for column in column_names(entry.metric) if column in entry.columns]


def _scored(metric: Metric, batch: Batch, corpus: Corpus, view: str) -> FloatArray:
    try:
        return metric.score(batch)
    except MemoryError:
        raise
    except Exception as error:
        row = _failing_row(metric, corpus, view)
        if row is None:
            raise
        raise RowError(row + 1, f"{metric.name}: {error}") from error


def _failing_row(metric: Metric, corpus: Corpus, view: str) -> int | None:
    """Find the first row that a metric fails for; None where it fails for the first and the last, so for any row."""

    def fails(start: int, stop: int) -> bool:
        some = corpus.take(range(start, stop))
        try:
            metric.score(Views.of(some).get(view))
        except Exception:
            return True
        return False

    start, stop = 0, len(corpus)
    if stop > 1 and fails(0, 1) and fails(stop - 1, stop):
        return None
    # A row's score does not depend on its neighbours, so one of the halves fails too.
    while stop - start > 1:
        middle = (start + stop) // 2
        start, stop = (start, middle) if fails(start, middle) else (middle, stop)
    return start if fails(start, stop) else None


def _rows_by_reason(reasons: dict[tuple[int, int], str], place: int, size: int) -> dict[str, Any]:
    rows: dict[str, list[int]] = {}
    for (row, column), reason in reasons.items():
        if column == place:
            rows.setdefault(reason, []).append(row)
    return {reason: "all" if len(found) == size else found for reason, found in rows.items()}
