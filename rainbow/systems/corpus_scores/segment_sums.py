"""What the outputs of systems add up, and the scores that the sums make."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.metrics import Batch, Metric
from rainbow.stats.resampling.paired_resampling import OfSums
from rainbow.systems.corpus_scores.system_columns import SystemColumn

__all__ = ["SegmentSums", "segment_sums", "sums_of_columns"]


class SegmentSums(NamedTuple):
    """A score of systems that is a function of sums over their outputs.

    What every output adds up is counted once. The score of any sample of outputs, with repetitions or with another
    system's, is then the score of sums: resampling needs no text.

    Attributes
    ----------
    sums
        What every output adds up, shape (..., outputs, k).
    of_sums
        The score, of sums of shape (..., k): shape (...).
    """

    sums: FloatArray
    of_sums: OfSums

    @property
    def scores(self) -> FloatArray:
        """The score of all outputs together, shape (...)."""
        return np.asarray(self.of_sums(self.sums.sum(axis=-2)))


def segment_sums(metric: Metric, batch: Batch, shape: tuple[int, ...] = (-1,)) -> dict[str, SegmentSums]:
    """Return what each system column of a metric is made of, by its name.

    Parameters
    ----------
    metric
        It is fitted on the batch if it has corpus statistics that are not there yet.
    batch
        The outputs.
    shape
        How the rows of the batch are to be arranged, (systems, items) say; by default as they are.

    Examples
    --------
    >>> from rainbow.metrics import get
    >>> found = segment_sums(get("ter"), Batch(["the inn", "a pub"], [["an inn", "the inn"], ["the pub"]]))
    >>> found["TER"].sums.tolist(), found["TER"].scores.item()
    ([[0.0, 2.0], [1.0, 2.0]], 0.25)
    """
    fitted = metric.fit(batch) if getattr(metric, "statistics", metric) is None else metric
    sums = fitted.sums(batch)
    sums = sums.reshape(*shape, sums.shape[1])
    columns = enumerate(metric.system_columns)
    return {column.name: SegmentSums(sums, partial(_column, fitted, place)) for place, column in columns}


def _column(metric: Metric, place: int, sums: FloatArray) -> FloatArray:
    return metric.of_sums(sums)[..., place]


def sums_of_columns(asked: Mapping[str, SystemColumn], batch: Batch, shape: tuple[int, ...]) -> dict[str, SegmentSums]:
    """Return what system columns are made of, by their names, each metric's outputs counted once.

    Parameters
    ----------
    asked
        Columns of metrics that work on this machine.
    batch, shape
        As for :func:`segment_sums`.
    """
    counted: dict[str, SegmentSums] = {}
    for metric in dict.fromkeys(found.metric for found in asked.values()):
        counted |= segment_sums(metric, batch, shape)
    return {name: counted[name] for name in asked}
