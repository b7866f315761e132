"""Score a corpus: every metric for every row, as one table."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.corpus import Corpus
from rainbow.metrics.base import FloatArray, Metric, MissingResourceError
from rainbow.metrics.batch import Batch
from rainbow.metrics.registry import all_metrics, find, get

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["fit_metrics", "score_corpus"]

Progress = Callable[[list["Selected"]], Iterable["Selected"]]


class Selected(NamedTuple):
    """A metric and those of its columns that are asked for; `missing` says why it cannot work here."""

    metric: Metric | type[Metric]
    columns: tuple[str, ...]
    missing: str | None = None


class _Scored(NamedTuple):
    """A column: its values, what they depend on, and the rows of each reason for missing ones."""

    values: FloatArray
    signature: str
    missing: dict[str, list[int] | str]


def score_corpus(
    corpus: Corpus,
    metrics: Iterable[str | Metric] | str | None = None,
    view: str | None = None,
    *,
    group: str | None = None,
    as_published: bool = False,
    progress: Progress = iter,
) -> pd.DataFrame:
    """Give a score of every row for every metric column, in the corpus's order.

    Parameters
    ----------
    corpus
        The outputs and what belongs to them.
    metrics
        Names of metrics (``cider``), or of single columns (``CIDEr``), or :class:`Metric` objects; by default every
        metric (one that cannot work on this machine gives NaN, with the reason). Metrics with corpus statistics that
        are not fitted yet are fitted on this corpus; fit them elsewhere with :func:`fit_metrics`.
    view
        The texts that word-based and language-model metrics see: ``surface``, ``delexicalised`` (the default
        where there is a meaning representation) or another that the corpus has. Grammar-based and meaning-based
        metrics always see the surface.
    group
        Only metrics of this group.
    as_published
        Compute the definitions behind the tables of Novikova et al. (2017) where they differ from the right ones,
        on the view ``published`` where the corpus has it.
    progress
        Wraps the list of metrics while they are computed (say, a progress bar).

    Returns
    -------
    DataFrame
        A float column per metric column, indexed as the corpus's frame. ``attrs["signatures"]`` holds all that each
        column depends on; ``attrs["missing"]`` says why cells are NaN: for each column a mapping of the reason
        to the list of row positions, or to ``"all"``.

    Raises
    ------
    ValueError
        If a name or the view is not known.
    MissingResourceError
        If a metric that was asked for by name cannot work on this machine.

    Examples
    --------
    >>> corpus = Corpus.of(["the inn is cheap", ""], [["the inn is cheap"], []])
    >>> scores = score_corpus(corpus, ["TER", "len"])
    >>> scores
       TER   len
    0  0.0  13.0
    1  NaN   0.0
    >>> scores.attrs["missing"]
    {'TER': {'there is no reference': [1]}}
    """
    import pandas as pd

    if as_published and view is None and "published" in corpus.view_names:
        view = "published"
    batches = _Batches(corpus, view)
    scored: dict[str, _Scored] = {}
    for selected in progress(_select(metrics, group, as_published)):
        if twice := sorted(scored.keys() & set(selected.columns)):
            raise ValueError(f"{twice[0]} is asked for twice: score metrics with other parameters one after the other")
        scored |= _score(selected, batches)
    table = pd.DataFrame({name: column.values for name, column in scored.items()}, index=corpus.frame.index)
    table.attrs = {
        "signatures": {name: column.signature for name, column in scored.items()},
        "missing": {name: column.missing for name, column in scored.items() if column.missing},
        "view": batches.view.name,
    }
    return table


def fit_metrics(
    corpus: Corpus, metrics: Iterable[str] | str | None = None, view: str | None = None, *, as_published: bool = False
) -> list[Metric]:
    """Give metrics with the corpus statistics of this corpus, to score other rows by the same definition.

    Parameters
    ----------
    corpus, metrics, view, as_published
        As in :func:`score_corpus`; metrics that cannot work on this machine are left out.

    Examples
    --------
    >>> corpus = Corpus.of(["a b c"], [["a b c d"]])
    >>> score_corpus(Corpus.of(["a b"], [["a b c d"]]), fit_metrics(corpus, ["CIDEr"])).shape
    (1, 2)
    """
    batches = _Batches(corpus, view)
    chosen = [selected.metric for selected in _select(metrics, None, as_published)]
    return [_fitted(metric, batches.of(metric)) for metric in chosen if not isinstance(metric, type)]


class _Batches:
    """The texts that each metric sees, prepared once."""

    def __init__(self, corpus: Corpus, view: str | None) -> None:
        self.corpus, self.view = corpus, corpus.view(view)
        self._prepared: dict[str, Batch] = {}

    def name(self, metric: Metric) -> str:
        return "surface" if metric.surface_only else self.view.name

    def of(self, metric: Metric) -> Batch:
        name = self.name(metric)
        if name not in self._prepared:
            self._prepared[name] = Batch.of(self.corpus, self.corpus.view(name))
        return self._prepared[name]


def _score(selected: Selected, batches: _Batches) -> dict[str, _Scored]:
    """Give the columns asked for by their names; all NaN where the metric cannot work here."""
    metric, columns, missing = selected
    if isinstance(metric, type):
        nothing = np.full(len(batches.corpus), np.nan)
        return {column: _Scored(nothing, f"{metric.name}|not computed", {missing or "": "all"}) for column in columns}
    batch = batches.of(metric)
    fitted = _fitted(metric, batch)
    values = fitted.score(batch)
    reasons = fitted.reasons(batch, values)
    signature = f"{fitted.signature}|view:{batches.name(metric)}"
    return {
        column: _Scored(values[:, place], signature, _rows_by_reason(reasons, place, len(batch)))
        for place, column in enumerate(_names(metric))
        if column in columns
    }


def _fitted(metric: Metric, batch: Batch) -> Metric:
    return metric.fit(batch) if getattr(metric, "statistics", metric) is None else metric


def _select(metrics: Iterable[str | Metric] | str | None, group: str | None, as_published: bool) -> list[Selected]:
    """Resolve what was asked for into metrics and columns, each metric once, in the order asked."""
    optional = metrics is None
    entries = [metrics] if isinstance(metrics, str) else list(all_metrics() if metrics is None else metrics)
    selected = [Selected(entry, _names(entry)) for entry in entries if isinstance(entry, Metric)]
    wanted: dict[type[Metric], list[str]] = {}
    for name in (entry for entry in entries if isinstance(entry, str)):
        metric = find(name)
        wanted.setdefault(metric, []).extend(_meant(name, metric))
    selected += [_instance(metric, tuple(columns), as_published, optional) for metric, columns in wanted.items()]
    return [entry for entry in selected if group in (None, entry.metric.group)]


def _names(metric: Metric | type[Metric]) -> tuple[str, ...]:
    return tuple(column.name for column in metric.columns)


def _meant(name: str, metric: type[Metric]) -> tuple[str, ...]:
    """Give the columns that a name means: one if it is written as that column, all if it is the metric's name."""
    if name in _names(metric):
        return (name,)
    columns = tuple(column for column in _names(metric) if column.lower() == name.lower())
    return _names(metric) if name.lower() == metric.name.lower() else columns


def _instance(metric: type[Metric], columns: tuple[str, ...], as_published: bool, optional: bool) -> Selected:
    published = {"as_published": True} if as_published and _has_parameter(metric, "as_published") else {}
    try:
        return Selected(get(metric.name, **published), columns)
    except MissingResourceError as error:
        if optional:
            return Selected(metric, columns, str(error))
        raise


def _has_parameter(metric: type[Metric], name: str) -> bool:
    return name in {field.name for field in dataclasses.fields(metric)}  # type: ignore[arg-type]


def _rows_by_reason(reasons: dict[tuple[int, int], str], place: int, size: int) -> dict[str, list[int] | str]:
    rows: dict[str, list[int]] = {}
    for (row, column), reason in reasons.items():
        if column == place:
            rows.setdefault(reason, []).append(row)
    return {reason: "all" if len(found) == size else found for reason, found in rows.items()}
