"""System-level columns of metrics, additive segment statistics, and the scores computed from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.metrics import Batch, Column, Metric, all_metrics
from rainbow.stats.resampling.paired_resampling import OfSums

AVERAGE = "normalised_average"
# The metrics of the E2E challenge under their names in its table, and the value that counts as 1. Its CIDEr is CIDEr-D.
PARTS = {"BLEU": 1.0, "NIST": 10.0, "METEOR": 1.0, "ROUGE-L": 1.0, "CIDEr": 10.0}


class SystemColumn(NamedTuple):
    """A system-level column and its metric."""

    column: Column
    metric: Metric


def system_columns(metrics: Iterable[str | Metric] | None = None) -> dict[str, SystemColumn]:
    """Return the requested system-level columns by name, in the order requested."""
    known = _index_columns(
        column for metric in all_metrics().values() if metric.system_columns for column in _metric_columns(metric())
    )
    if metrics is None:
        return known
    chosen: list[SystemColumn] = []
    for entry in metrics:
        if isinstance(entry, str) and entry not in known:
            raise ValueError(f"no corpus-level metric gives {entry!r}: choose from {', '.join(known)}")
        chosen += [known[entry]] if isinstance(entry, str) else _metric_columns(entry)
    return _index_columns(chosen)


def _metric_columns(metric: Metric) -> list[SystemColumn]:
    return [SystemColumn(column, metric) for column in metric.system_columns]


def _index_columns(columns: Iterable[SystemColumn]) -> dict[str, SystemColumn]:
    result: dict[str, SystemColumn] = {}
    for one in columns:
        name, first = one.column.name, result.setdefault(one.column.name, one)
        if first != one:
            raise ValueError(f"{one.metric.name}: {name} is already defined by {first.metric.name}")
    return result


class SegmentSums(NamedTuple):
    """A system-level score that is a function of sums over outputs.

    Shapes: sums (..., outputs, k), score_sums (..., k).
    """

    sums: FloatArray  # what every output adds up, shape (..., outputs, k)
    score_sums: OfSums  # the score, of sums of shape (..., k): shape (...)

    @property
    def scores(self) -> FloatArray:
        """The score of all outputs together, shape (...)."""
        return np.asarray(self.score_sums(self.sums.sum(axis=-2)))


def segment_sums(metric: Metric, batch: Batch, shape: tuple[int, ...] = (-1,)) -> dict[str, SegmentSums]:
    """Return the segment sums of each system column of a metric, by name."""
    fitted = metric.fit(batch) if getattr(metric, "statistics", metric) is None else metric
    sums = fitted.sums(batch)
    sums = sums.reshape(*shape, sums.shape[1])
    columns = enumerate(metric.system_columns)
    return {column.name: SegmentSums(sums, partial(_score_column, fitted, place)) for place, column in columns}


def _score_column(metric: Metric, place: int, sums: FloatArray) -> FloatArray:
    return metric.score_sums(sums)[..., place]


def column_sums(
    columns: Mapping[str, SystemColumn], batch_for: Callable[[Metric], Batch], shape: tuple[int, ...]
) -> dict[str, SegmentSums]:
    """Return the segment sums of system columns by name, computing each metric once on its batch."""
    counted: dict[str, SegmentSums] = {}
    for metric in dict.fromkeys(results.metric for results in columns.values()):
        counted |= segment_sums(metric, batch_for(metric), shape)
    return {name: counted[name] for name in columns}


def normalised_average(scores: Mapping[str, FloatArray]) -> FloatArray:
    """Return the mean of the available :data:`PARTS`, each scaled by its maximum and capped at 1.

    Source: Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural
    language generation: the E2E NLG challenge. Computer Speech & Language 59.
    """
    parts = [np.minimum(scores[name] / top, 1.0) for name, top in PARTS.items() if name in scores]
    return np.asarray(np.mean(parts, axis=0))


def average_sums(sums_of_metrics: Mapping[str, SegmentSums]) -> SegmentSums:
    """Return the segment sums of the normalised average, from the sums of its parts."""
    parts = {name: sums_of_metrics[name] for name in PARTS}
    edges = [*accumulate(part.sums.shape[-1] for part in parts.values())][:-1]

    def score_sums(sums: FloatArray) -> FloatArray:
        pieces = zip(parts.items(), np.split(sums, edges, axis=-1), strict=True)
        return normalised_average({name: np.asarray(part.score_sums(piece)) for (name, part), piece in pieces})

    return SegmentSums(np.concatenate([part.sums for part in parts.values()], axis=-1), score_sums)
