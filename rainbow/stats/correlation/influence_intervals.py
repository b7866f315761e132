"""Confidence intervals of many Spearman correlations from influence values, for large tables."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import scipy
from rainbow.stats.correlation.intervals import Bounds, tail_share
from rainbow.stats.correlation.rank_influence import MidRanks, fisher_influence


def influence_intervals(columns: ArrayLike, others: ArrayLike, items: ArrayLike, confidence: float = 0.95) -> Bounds:
    """Return ``tanh(artanh r -+ t error)`` of each column pair; rows of one item may be dependent.

    Shapes: items (n,), returns (k, m).
    """
    numbers = np.unique(np.asarray(items), return_inverse=True)[1]
    left, *rated = (MidRanks(table) for table in _transposed_tables(columns, others))
    shape = len(left.centred), len(rated)
    r, z, error = np.empty(shape), np.empty(shape), np.empty(shape)
    for place, rating in enumerate(rated):
        r[:, place], z[:, place], weights = fisher_influence(left, rating, numbers)
        error[:, place] = np.sqrt((weights**2).sum(axis=1))
    reach = -scipy.special.stdtrit(int(numbers.max()), tail_share(confidence)) * error
    reason = np.full(r.shape, None, dtype=object)
    reason[np.isnan(z)] = "the correlation is at the limit of its range"
    reason[np.isnan(r)] = "the correlation is undefined"
    return Bounds(np.tanh(z - reach), np.tanh(z + reach), reason)


def _transposed_tables(columns: ArrayLike, others: ArrayLike) -> Iterator[FloatArray]:
    """Yield the columns as one transposed table, then each other column as its own table."""
    first, second = (np.ascontiguousarray(np.asarray(table, dtype=float).T) for table in (columns, others))
    yield first
    yield from second[:, None]
