"""The scoring plan: fitted metrics and the view they see."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.corpus import COLUMNS, Corpus, RowError, View
from rainbow.corpus.text_profile import Language
from rainbow.corpus.views import CHARACTERS, DELEXICALISED, SURFACE
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.selection import SelectedMetric, column_names, restrict_to_language
from rainbow.metrics.contract.views import Views, view_signature
from rainbow.scoring.chunks import Chunk

# Needs of metrics that take seconds per row, or minutes to start.
SLOW = frozenset({"neural", "named", "java"})


def seconds_per_row(metric: type[Metric], corpus: Corpus) -> float:
    """Return the seconds per row of a metric, in one thread after loading and fitting."""
    view = corpus.view("surface" if metric.surface_only else None)
    fitted = metric().for_language(corpus.language).fit(Batch.from_corpus(corpus, view))
    fitted.score(Batch.from_corpus(corpus.take([0]), corpus.take([0]).view(view.name)))  # loaded once
    batch = Batch.from_corpus(corpus, view)
    start = time.perf_counter()
    fitted.score(batch)
    return (time.perf_counter() - start) / len(corpus)


class Scores(NamedTuple):
    """Scores of a chunk, shape (rows, columns), and the reasons for missing values."""

    values: FloatArray
    missing: dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Plan:
    """Fitted metrics, ready to score any rows, and their view."""

    selected: tuple[SelectedMetric, ...]
    view: str
    language: str | None = None  # of the outputs, as given or detected

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(column for entry in self.selected for column in entry.columns)

    @cached_property
    def signatures(self) -> dict[str, str]:
        """Signature of each column: everything it depends on."""
        return {
            column: view_signature(entry.metric, self.view) if entry.metric else f"{entry.name}|not computed"
            for entry in self.selected
            for column in entry.columns
        }

    def fit(self, inputs: Corpus) -> Plan:
        """Return the plan with corpus statistics for metrics that have none yet."""
        views = Views.from_corpus(inputs)

        fitted = [
            entry._replace(metric=entry.metric.fit(views.get_for_metric(entry.metric, self.view)))
            if entry.metric and _needs_fitting(entry.metric)
            else entry
            for entry in self.selected
        ]
        return replace(self, selected=tuple(fitted))

    def score(self, chunk: Chunk, threads: int = 1) -> Scores:
        """Return the scores of a chunk; preprocessing is shared by all metrics."""
        values = np.full((len(chunk.rows), len(self.columns)), np.nan)
        views, missing = Views.from_corpus(chunk.rows, threads), dict[str, dict[str, Any]]()
        for entry in self.selected:
            if entry.metric is None:
                missing |= {column: {entry.missing: "all"} for column in entry.columns}
                continue
            batch = views.get_for_metric(entry.metric, self.view)
            result = _score_metric(entry.metric, batch, chunk, self.view)
            reasons = _rows_by_reason(entry.metric, batch, result)
            for column in entry.columns:
                place = column_names(entry.metric).index(column)
                values[:, self.columns.index(column)], missing[column] = result[:, place], reasons[place]
        return Scores(values, missing)


def fit_plan(
    chunks: Iterable[Corpus],
    selected: tuple[SelectedMetric, ...],
    view: str | None = None,
    as_published: bool = False,
    background: Corpus | None = None,
    language: Callable[[], Language] = lambda: Language(None, False),
) -> Plan:
    """Return the plan with corpus statistics counted on these rows where missing, for the language that they are in."""
    unfitted = any(_needs_fitting(entry.metric) for entry in selected)
    inputs, names = _DistinctInputs(), dict[str, None]()
    for rows in chunks:
        if as_published and view is None and "published" in rows.views:
            view = "published"
        names |= dict.fromkeys(rows.view_names)
        if unfitted:
            inputs.add(rows, rows.views.get(view or ""))
    spoken = language()
    name = view or (CHARACTERS if spoken.is_unspaced else DELEXICALISED if DELEXICALISED in names else SURFACE)
    if name not in names:
        raise ValueError(f"this corpus has no view {name!r}: choose from {', '.join(names)}")
    plan = Plan(restrict_to_language(selected, spoken.code), name, spoken.code)
    return plan.fit(inputs.corpus(background)) if unfitted else plan


def fitting_rows(rows: Corpus, selected: tuple[SelectedMetric, ...], view: str | None, as_published: bool) -> Corpus:
    """Return the rows for :func:`fit_plan`: the first of each input, if corpus statistics are fitted."""
    if any(_needs_fitting(entry.metric) for entry in selected):
        inputs = _DistinctInputs()
        inputs.add(rows, rows.views.get(view or ("published" if as_published else "")))
        return inputs.corpus(None)
    with_meaning = next((row for row, meaning in enumerate(rows.meanings) if meaning), 0)
    taken = rows.take(range(with_meaning, min(with_meaning + 1, len(rows))))
    return Corpus(taken.frame[list(COLUMNS)], views=taken.views, mr_format=taken.mr_format)


class _DistinctInputs:
    """Distinct inputs with their references, collected from chunks to fit statistics."""

    def __init__(self) -> None:
        self._seen: set[tuple[Any, ...]] = set()
        self._kept: list[Corpus] = []

    def add(self, rows: Corpus, view: View | None) -> None:
        """Add new inputs of the next rows and their view."""
        columns: list[Iterable[Any]] = [rows.frame["item"], rows.frame["mr"], rows.frame["references"]]
        if view is not None:
            columns += [view.references, view.collections or [""] * len(rows)]
        new = []
        for row, key in enumerate(zip(*columns, strict=True)):
            if key not in self._seen:
                self._seen.add(key)
                new.append(row)
        if new or not self._kept:
            taken = rows.take(new)
            self._kept.append(Corpus(taken.frame[list(COLUMNS)], views=taken.views, mr_format=taken.mr_format))

    def corpus(self, background: Corpus | None) -> Corpus:
        """Return the first row of every input in order, with the background."""
        inputs = Corpus.concatenate(self._kept)
        return inputs if background is None else replace(inputs, background=background)


def _needs_fitting(metric: Metric | None) -> bool:
    """Return whether corpus statistics are still missing."""
    return metric is not None and getattr(metric, "statistics", metric) is None


def _score_metric(metric: Metric, batch: Batch, chunk: Chunk, view: str) -> FloatArray:
    try:
        return metric.score(batch)
    except MemoryError:
        raise
    except Exception as error:
        row = _find_failing_row(metric, chunk.rows, view)
        if row is None:
            raise
        raise RowError(chunk.before + row + 1, f"{metric.name}: {error}") from error


def _find_failing_row(metric: Metric, rows: Corpus, view: str) -> int | None:
    """Return the first row that a metric fails for; None if it fails for any row."""

    def fails(start: int, stop: int) -> bool:
        some = Views.from_corpus(rows.take(range(start, stop)))
        try:
            metric.score(some.get_for_metric(metric, view))
        except Exception:
            return True
        return False

    start, stop = 0, len(rows)
    if stop > 1 and fails(0, 1) and fails(stop - 1, stop):
        return None
    # A row's score does not depend on its neighbours, so one of the halves fails too.
    while stop - start > 1:
        middle = (start + stop) // 2
        start, stop = (start, middle) if fails(start, middle) else (middle, stop)
    return start if fails(start, stop) else None


def _rows_by_reason(metric: Metric, batch: Batch, values: FloatArray) -> list[dict[str, Any]]:
    """Return for every column the rows with missing values by reason: ``"all"`` or positions."""
    results: list[dict[str, list[int]]] = [{} for _ in metric.columns]
    for (row, place), reason in metric.reasons(batch, values).items():
        results[place].setdefault(reason, []).append(row)
    return [{why: "all" if len(rows) == len(values) else rows for why, rows in column.items()} for column in results]
