"""Additive segment statistics of systems, and the scores computed from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.metrics import Batch, Metric
from rainbow.stats.resampling.paired_resampling import OfSums
from rainbow.systems.corpus_scores.system_columns import SystemColumn


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
