"""Jackknife tests, by item, of differences of Spearman correlations with the same ratings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray
from rainbow.stats.correlation.correlation import MINIMUM_ROWS
from rainbow.stats.correlation.rank_influence import MidRanks, fisher_influence
from rainbow.stats.differences.dependent_correlations import Difference, two_sided_p

# Errors that differ by less are equal but for rounding.
_ROUNDING = 1e-9


class RatedScores(NamedTuple):
    """Scores, ratings and items of outputs: three columns of equal length without NaN."""

    scores: FloatArray
    ratings: FloatArray
    items: NDArray[np.intp]


class PairTests(NamedTuple):
    """Tests of all pairs of k metrics, each of shape (k, k)."""

    statistic: FloatArray  # t of the row's metric against the column's, above 0 where the row's correlates higher
    p: FloatArray  # two-sided; NaN where t is
    reason: NDArray[np.object_]  # why t is NaN; None where it is a number


def jackknife_differences(columns: ArrayLike, ratings: ArrayLike, items: ArrayLike | None = None) -> PairTests:
    """Test every pair of columns for different Spearman correlations with the ratings.

    Shapes: columns (n, k), ratings (n,).
    Source: Efron, B. (1982). The jackknife, the bootstrap and other resampling plans, chapter 6. SIAM.
    """
    scores, rated = np.asarray(columns, dtype=float).T, np.asarray(ratings, dtype=float)[None]
    places = np.arange(rated.shape[1]) if items is None else np.unique(np.asarray(items), return_inverse=True)[1]
    count, k = int(places.max(initial=-1)) + 1, len(scores)
    if count < MINIMUM_ROWS:
        reason = f"only {count} items: at least {MINIMUM_ROWS} are needed"
        return PairTests(np.full((k, k), np.nan), np.full((k, k), np.nan), np.full((k, k), reason, object))
    ranks, target = MidRanks(scores), MidRanks(rated)
    _, z, weights = fisher_influence(ranks, target, places)
    statistic = (z[:, None] - z) / _pair_errors(weights)
    pair_reasons = _pair_reasons(z, statistic)
    return PairTests(statistic, two_sided_p(statistic, degrees=np.asarray(count - 1.0)), pair_reasons)


def jackknife_difference(
    scores: ArrayLike, other: ArrayLike, ratings: ArrayLike, items: ArrayLike | None = None
) -> Difference:
    """Test two columns for different Spearman correlations, as :func:`jackknife_differences` does."""
    table = np.column_stack([np.asarray(scores, dtype=float), np.asarray(other, dtype=float)])
    rated = np.asarray(ratings, dtype=float)
    result = jackknife_differences(table, rated, items)
    r = fisher_influence(MidRanks(table.T), MidRanks(rated[None]), np.arange(len(rated)))[0]
    statistic, p, reason = (values[0, 1] for values in result)
    return Difference(float(statistic), float(p), float(r[0] - r[1]), len(rated), reason)


def independent_jackknife_difference(first: RatedScores, second: RatedScores) -> Difference:
    """Test whether two tables of different outputs differ in Spearman's correlation with ratings.

    Source: Welch, B. L. (1947). The generalization of "Student's" problem when several different population variances
    are involved. Biometrika 34.
    """
    (r, z, v, n), (s, other, w, m) = map(_fisher_z, (first, second))
    rows = len(first.ratings) + len(second.ratings)
    if min(n, m) < MINIMUM_ROWS:
        return Difference(np.nan, np.nan, r - s, rows, f"only {min(n, m)} items: at least {MINIMUM_ROWS} are needed")
    if not v + w > 0:
        return Difference(np.nan, np.nan, r - s, rows, "a correlation with the rating is 1, -1 or undefined")
    t = np.asarray((z - other) / np.sqrt(v + w))
    degrees = (v + w) ** 2 / (v**2 / (n - 1) + w**2 / (m - 1))
    return Difference(float(t), float(two_sided_p(t, degrees=np.asarray(degrees))), r - s, rows, None)


def _fisher_z(table: RatedScores) -> tuple[float, float, float, int]:
    """Return Spearman's correlation, Fisher's z, the variance of z and the number of items."""
    items = np.unique(table.items, return_inverse=True)[1]
    r, z, weights = fisher_influence(MidRanks(table.scores[None]), MidRanks(table.ratings[None]), items)
    return float(r[0]), float(z[0]), float((weights**2).sum()), weights.shape[1]


def _pair_errors(weights: FloatArray) -> FloatArray:
    """Return the standard error of the difference of each pair; NaN if it is 0."""
    products = weights @ weights.T
    own = np.diagonal(products)
    variance = own[:, None] + own - 2 * products
    with np.errstate(all="ignore"):
        return np.sqrt(np.where(variance > _ROUNDING * (own[:, None] + own), variance, np.nan))


def _pair_reasons(z: FloatArray, statistic: FloatArray) -> NDArray[np.object_]:
    """Return why each pair cannot be tested, or None."""
    values = np.full(statistic.shape, None, dtype=object)
    values[np.isnan(statistic)] = "the two metrics order the outputs identically"
    perfect = np.isnan(z)
    values[perfect[:, None] | perfect] = "a correlation with the rating is 1 or -1"
    return values
