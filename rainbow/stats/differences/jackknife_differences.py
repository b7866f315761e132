"""Do metrics correlate differently with the same ratings? Spearman's correlations with jackknife errors, by item."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray
from rainbow.stats.correlation.correlation import MINIMUM_ROWS
from rainbow.stats.correlation.rank_influence import MidRanks, fisher_influence
from rainbow.stats.differences.dependent_correlations import Difference, two_sided_p

__all__ = ["PairTests", "Rated", "jackknife_difference", "jackknife_difference_apart", "jackknife_differences"]

# Errors that differ by less are equal but for rounding.
_ROUNDING = 1e-9


class Rated(NamedTuple):
    """Scores of outputs, their ratings, and the item of each output: three columns of one length, no NaN."""

    scores: FloatArray
    ratings: FloatArray
    items: NDArray[np.intp]


class PairTests(NamedTuple):
    """Tests of all pairs of k metrics, each of shape (k, k).

    Attributes
    ----------
    statistic
        t of the row's metric against the column's, above 0 where the row's correlates higher; NaN where it is not
        defined.
    p
        Two-sided; NaN where t is.
    reason
        Why t is NaN; None where it is a number.
    """

    statistic: FloatArray
    p: FloatArray
    reason: NDArray[np.object_]


def jackknife_differences(columns: ArrayLike, ratings: ArrayLike, items: ArrayLike | None = None) -> PairTests:
    """Test for every two columns whether their Spearman correlations with the ratings differ.

    ``t = (artanh r - artanh s) / error``. The error is that of the infinitesimal jackknife: the root of the sum of
    squares, over items, of the difference of the influence values of both (:func:`spearman_influence
    <rainbow.stats.correlation.rank_influence.spearman_influence>`, summed within an item, over ``1 - r^2`` and ``1 -
    s^2``), with items - 1 degrees of freedom. It supposes no distribution of scores or ratings, allows for ties, and
    for rows of one item that are alike.

    Parameters
    ----------
    columns
        Scores of k metrics, turned so that higher is better, shape (n, k), no NaN.
    ratings
        Shape (n,), no NaN.
    items
        The item of each row; by default each row is one.

    Notes
    -----
    By simulation it errs in .02 to .06 of cases at the level .05: too seldom with fewer than 100 items where metrics
    are much alike (docs/lab/levels.md).

    References
    ----------
    Efron, B. (1982). The jackknife, the bootstrap and other resampling plans, chapter 6. SIAM.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> ratings = rng.normal(size=200)
    >>> good, poor = ratings + rng.normal(size=200), ratings + 3 * rng.normal(size=200)
    >>> result = jackknife_differences(np.column_stack([good, poor]), ratings)
    >>> result.statistic.round(2).tolist(), bool(result.p[0, 1] < 0.001)
    ([[nan, 5.77], [-5.77, nan]], True)
    """
    scores, rated = np.asarray(columns, dtype=float).T, np.asarray(ratings, dtype=float)[None]
    places = np.arange(rated.shape[1]) if items is None else np.unique(np.asarray(items), return_inverse=True)[1]
    count, k = int(places.max(initial=-1)) + 1, len(scores)
    if count < MINIMUM_ROWS:
        reason = f"only {count} items: at least {MINIMUM_ROWS} are needed"
        return PairTests(np.full((k, k), np.nan), np.full((k, k), np.nan), np.full((k, k), reason, object))
    ranks, target = MidRanks(scores), MidRanks(rated)
    _, z, weights = fisher_influence(ranks, target, places)
    statistic = (z[:, None] - z) / _errors(weights)
    said = _reasons(z, statistic)
    return PairTests(statistic, two_sided_p(statistic, degrees=np.asarray(count - 1.0)), said)


def jackknife_difference(
    scores: ArrayLike, other: ArrayLike, ratings: ArrayLike, items: ArrayLike | None = None
) -> Difference:
    """Test whether the Spearman correlations of two columns with the ratings differ, as :func:`jackknife_differences`.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> ratings = rng.normal(size=200)
    >>> result = jackknife_difference(ratings + rng.normal(size=200), rng.normal(size=200), ratings)
    >>> round(result.difference, 2), bool(result.p < 0.001), result.n, result.reason
    (0.65, True, 200, None)
    """
    table = np.column_stack([np.asarray(scores, dtype=float), np.asarray(other, dtype=float)])
    rated = np.asarray(ratings, dtype=float)
    found = jackknife_differences(table, rated, items)
    r = fisher_influence(MidRanks(table.T), MidRanks(rated[None]), np.arange(len(rated)))[0]
    statistic, p, reason = (values[0, 1] for values in found)
    return Difference(float(statistic), float(p), float(r[0] - r[1]), len(rated), reason)


def jackknife_difference_apart(first: Rated, second: Rated) -> Difference:
    """Test whether Spearman's correlation of scores with ratings differs between two tables of different outputs.

    ``t = (artanh r - artanh s) / sqrt(v + w)``: v and w are the variances of both by the infinitesimal jackknife over
    items, as for :func:`jackknife_differences`, with the degrees of freedom of Welch's test. Unlike Fisher's z test it
    keeps its level where correlations are high, and where rows of one item are alike (docs/lab/levels.md).

    References
    ----------
    Welch, B. L. (1947). The generalization of "Student's" problem when several different population variances are
    involved. Biometrika 34.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> ratings, items = rng.normal(size=200), np.arange(200)
    >>> good, poor = (Rated(ratings + noise * rng.normal(size=200), ratings, items) for noise in (1, 3))
    >>> result = jackknife_difference_apart(good, poor)
    >>> round(result.difference, 2), bool(result.p < 0.001), result.n, result.reason
    (0.39, True, 400, None)
    """
    (r, z, v, n), (s, other, w, m) = map(_fisher_z, (first, second))
    rows = len(first.ratings) + len(second.ratings)
    if min(n, m) < MINIMUM_ROWS:
        return Difference(np.nan, np.nan, r - s, rows, f"only {min(n, m)} items: at least {MINIMUM_ROWS} are needed")
    if not v + w > 0:
        return Difference(np.nan, np.nan, r - s, rows, "a correlation with the rating is 1, -1 or not defined")
    t = np.asarray((z - other) / np.sqrt(v + w))
    degrees = (v + w) ** 2 / (v**2 / (n - 1) + w**2 / (m - 1))
    return Difference(float(t), float(two_sided_p(t, degrees=np.asarray(degrees))), r - s, rows, None)


def _fisher_z(table: Rated) -> tuple[float, float, float, int]:
    """Return Spearman's correlation, its z with the variance of that, and the number of items."""
    items = np.unique(table.items, return_inverse=True)[1]
    r, z, weights = fisher_influence(MidRanks(table.scores[None]), MidRanks(table.ratings[None]), items)
    return float(r[0]), float(z[0]), float((weights**2).sum()), weights.shape[1]


def _errors(weights: FloatArray) -> FloatArray:
    """Return the standard errors of the differences of all pairs, from one product; NaN where there is none."""
    products = weights @ weights.T
    own = np.diagonal(products)
    variance = own[:, None] + own - 2 * products
    with np.errstate(all="ignore"):
        return np.sqrt(np.where(variance > _ROUNDING * (own[:, None] + own), variance, np.nan))


def _reasons(z: FloatArray, statistic: FloatArray) -> NDArray[np.object_]:
    found = np.full(statistic.shape, None, dtype=object)
    found[np.isnan(statistic)] = "the two metrics order the outputs alike"
    perfect = np.isnan(z)
    found[perfect[:, None] | perfect] = "a correlation with the rating is 1 or -1"
    return found
