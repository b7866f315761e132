"""Confidence intervals of many Spearman correlations at once, from influence values: for tables of many rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray
from rainbow.stats.correlation.intervals import Bounds, tail_of
from rainbow.stats.correlation.rank_influence import MidRanks, fisher_influence


def influence_intervals(columns: ArrayLike, others: ArrayLike, items: ArrayLike, confidence: float = 0.95) -> Bounds:
    """Return ``tanh(artanh r -+ t error)`` of every column with every other; rows of one item may be alike.

    Shapes: items (n,), returns (k, m).
    """
    from scipy.special import stdtrit

    numbers = np.unique(np.asarray(items), return_inverse=True)[1]
    left, *rated = (MidRanks(table) for table in _tables(columns, others))
    shape = len(left.centred), len(rated)
    r, z, error = np.empty(shape), np.empty(shape), np.empty(shape)
    for place, rating in enumerate(rated):
        r[:, place], z[:, place], weights = fisher_influence(left, rating, numbers)
        error[:, place] = np.sqrt((weights**2).sum(axis=1))
    reach = -stdtrit(int(numbers.max()), tail_of(confidence)) * error
    reason = np.full(r.shape, None, dtype=object)
    reason[np.isnan(z)] = "the correlation is at the end of its range"
    reason[np.isnan(r)] = "there is no correlation"
    return Bounds(np.tanh(z - reach), np.tanh(z + reach), reason)


def _tables(columns: ArrayLike, others: ArrayLike) -> Iterator[FloatArray]:
    """Yield all columns as one table, a column in each row, then each of the others as one."""
    first, second = (np.ascontiguousarray(np.asarray(table, dtype=float).T) for table in (columns, others))
    yield first
    yield from second[:, None]
