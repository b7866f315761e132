"""Influence of every row on the Spearman correlations of columns with the ratings, and intervals from it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import scipy
from rainbow.stats.correlation.intervals import Bounds, tail_share

# Correlations that are nearer to 1 are 1 but for rounding.
_ROUNDING = 1e-9


class MidRanks:
    """Columns as mid-ranks in [-1/2, 1/2], with their sort order and the bounds of their ties.

    Shapes: columns (k, n).
    """

    def __init__(self, columns: FloatArray) -> None:
        k, self.rows = columns.shape
        starts, places = np.ones(columns.shape, dtype=bool), np.arange(self.rows)
        lines = np.arange(k)[:, None]
        self.order = np.argsort(columns, axis=1, kind="stable")
        # Places in the flattened table: several times as fast as indices along an axis.
        self._flat = self.order + self.rows * lines
        ascending = np.ravel(columns)[self._flat]
        np.not_equal(ascending[:, 1:], ascending[:, :-1], out=starts[:, 1:])
        self.first = np.maximum.accumulate(np.where(starts, places, 0), axis=1)
        last = np.where(np.roll(starts, -1, axis=1), places, self.rows)[:, ::-1]
        self.beyond = np.minimum.accumulate(last, axis=1)[:, ::-1] + 1
        self._ties = self.first + (self.rows + 1) * lines, self.beyond + (self.rows + 1) * lines
        self.centred = self._restore_order((self.first + self.beyond) / (2 * self.rows) - 0.5)

    @cached_property
    def variance(self) -> FloatArray:
        """Return the variance of the mid-ranks of each column, shape (k,); 0 if constant."""
        return np.asarray((self.centred**2).mean(axis=1))

    @cached_property
    def variance_influence(self) -> FloatArray:
        """Return the influence values of that variance, shape (k, n); about 0 without ties."""
        return self.centred**2 + 2 * self.mean_above(self.centred) - 3 * self.variance[:, None]

    def mean_above(self, values: FloatArray) -> FloatArray:
        """Return, for each row, the sum of values ranked above it (ties half) divided by n."""
        ascending = np.ravel(values)[self._flat if len(values) == len(self._flat) else self.order]
        sums = np.zeros((len(ascending), self.rows + 1))
        np.cumsum(ascending, axis=1, out=sums[:, 1:])
        whole, (first, beyond) = sums[:, -1:], (np.ravel(sums)[at] for at in self._ties)
        return self._restore_order((whole - (first + beyond) / 2) / self.rows)

    def _restore_order(self, ascending: FloatArray) -> FloatArray:
        """Return sorted values in the original row order."""
        placed = np.empty(ascending.size)
        placed[self._flat] = ascending
        return placed.reshape(ascending.shape)


def spearman_influence(columns: MidRanks, ratings: MidRanks) -> tuple[FloatArray, FloatArray]:
    """Return Spearman correlations of columns with the ratings, and their influence values.

    Shapes: returns (k,), returns (k, n).
    Source: Croux, C. and Dehon, C. (2010). Influence functions of the Spearman and Kendall correlation measures.
    Statistical Methods and Applications 19. Efron, B. (1982). The jackknife, the bootstrap and other resampling plans,
    chapter 6. SIAM.
    """
    with np.errstate(all="ignore"):
        scale = np.sqrt(columns.variance * ratings.variance)[:, None]
        product = columns.centred * ratings.centred
        mean = product.mean(axis=1, keepdims=True)
        moved = columns.mean_above(ratings.centred) + _mean_above_ratings(ratings, columns.centred)
        r = mean / scale
        shares = (each.variance_influence / each.variance[:, None] for each in (columns, ratings))
        influence = (product + moved - 3 * mean) / scale - r / 2 * sum(shares)
    return r[:, 0], influence


def fisher_influence(
    columns: MidRanks, ratings: MidRanks, items: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Spearman correlations, Fisher's z, and each item's contribution to the error of z.

    Shapes: returns (k,), returns (k, items).
    """
    r, influence = spearman_influence(columns, ratings)
    with np.errstate(all="ignore"):
        inside = np.where(np.abs(r) < 1 - _ROUNDING, r, np.nan)
        rows = influence / (1 - inside**2)[:, None] / columns.rows
        count = int(items.max()) + 1
        if count < columns.rows:
            rows = rows[:, np.argsort(items, kind="stable")]
            rows = np.add.reduceat(rows, np.searchsorted(np.sort(items), np.arange(count)), axis=1)
        return r, np.arctanh(inside), rows * np.sqrt(count / (count - 1))


def _mean_above_ratings(ratings: MidRanks, centred: FloatArray) -> FloatArray:
    """Return the mean column ranks above each rating, reusing the rating order for all columns."""
    order, first, beyond = ratings.order[0], ratings.first[0], ratings.beyond[0]
    sums = np.zeros((len(centred), ratings.rows + 1))
    np.cumsum(centred[:, order], axis=1, out=sums[:, 1:])
    placed = np.empty(centred.shape)
    placed[:, order] = (sums[:, -1:] - (sums[:, first] + sums[:, beyond]) / 2) / ratings.rows
    return placed


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
