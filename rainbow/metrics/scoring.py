"""Score a corpus: every metric for every row, as one table."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
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
        Names of metrics or of single columns, or :class:`Metric` objects; by default every metric (one that
        cannot work on this machine gives NaN, with the reason). Metrics with corpus statistics that are not
        fitted yet are fitted on this corpus; fit them elsewhere with :func:`fit_metrics`.
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
    values: dict[str, FloatArray] = {}
    signatures: dict[str, str] = {}
    missing: dict[str, dict[str, list[int] | str]] = {}
    for metric, columns, reason in progress(_select(metrics, group, as_published)):
        if isinstance(metric, type):
            values |= {column: np.full(len(corpus), np.nan) for column in columns}
            missing |= {column: {reason or "": "all"} for column in columns}
            signatures |= dict.fromkeys(columns, f"{metric.name}|not computed: {reason}")
            continue
        if twice := sorted(values.keys() & set(columns)):
            raise ValueError(f"{twice[0]} is asked for twice: score metrics with other parameters one after the other")
        batch = batches.of(metric)
        fitted = _fitted(metric, batch)
        scores = fitted.score(batch)
        reasons = fitted.reasons(batch, scores) if np.isnan(scores).any() else None
        for index, column in enumerate(_names(metric)):
            if column in columns:
                values[column] = scores[:, index]
                signatures[column] = f"{fitted.signature}|view:{batches.name(metric)}"
                if reasons is not None and np.isnan(scores[:, index]).any():
                    missing[column] = _rows_by_reason([row[index] for row in reasons])
    table = pd.DataFrame(values, index=corpus.frame.index)
    table.attrs = {"signatures": signatures, "missing": missing, "view": batches.view.name}
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
        single = [column for column in _names(metric) if column.lower() == name.lower() != metric.name]
        wanted.setdefault(metric, []).extend(single or _names(metric))
    selected += [_instance(metric, tuple(columns), as_published, optional) for metric, columns in wanted.items()]
    return [entry for entry in selected if group in (None, entry.metric.group)]


def _names(metric: Metric | type[Metric]) -> tuple[str, ...]:
    return tuple(column.name for column in metric.columns)


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


def _rows_by_reason(reasons: Sequence[str | None]) -> dict[str, list[int] | str]:
    rows: dict[str, list[int]] = {}
    for row, reason in enumerate(reasons):
        if reason is not None:
            rows.setdefault(reason, []).append(row)
    return {reason: "all" if len(found) == len(reasons) else found for reason, found in rows.items()}
