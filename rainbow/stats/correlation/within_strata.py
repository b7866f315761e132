"""Does a column agree with ratings within systems, or within inputs? Pooled over strata, tested as the best of many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.stats.resamples import draws, multiplicities, swaps

# Statistics that are nearer to each other than this are equal but for rounding.
_ROUNDING = 1e-9
# Means of systems and of inputs are taken away in turn: once does where every system answers every input.
_ROUNDS = 8


class Terms(NamedTuple):
    """A statistic of each of k columns that is 0 where nothing is to be found, and what each cluster adds to its error.

    Shapes: statistic (k,), parts (clusters, k).
    """

    statistic: FloatArray  # shape (k,); NaN where there is none
    parts: FloatArray  # shape (clusters, k): the error is the root of the sum of their squares


class Within(NamedTuple):
    """What each cluster adds to the correlations of k columns with a rating, each of shape (clusters, k)."""

    products: FloatArray  # sums of the products of centred ranks of column and rating
    squares: FloatArray  # sums of their squares, over the rows that have the column
    rated: FloatArray  # sums of their squares, over the rows that have the column

    @property
    def r(self) -> FloatArray:
        """The pooled correlation of each column, shape (k,); NaN where it is constant in every stratum."""
        return _ratio(self.products.sum(axis=0), self.squares.sum(axis=0) * self.rated.sum(axis=0))

    @property
    def influence(self) -> FloatArray:
        """What each cluster adds to the error of r, shape (clusters, k): the sum over clusters is 0."""
        squares, rated = (_ratio(part, part.sum(axis=0) ** 2) for part in (self.squares, self.rated))
        products = _ratio(self.products, self.squares.sum(axis=0) * self.rated.sum(axis=0))
        return np.asarray(products - self.r / 2 * (squares + rated))

    @property
    def terms(self) -> Terms:
        """The sums of products of all columns, of which chance gives each cluster's either sign."""
        return Terms(np.where(np.isnan(self.r), np.nan, self.products.sum(axis=0)), self.products)


class BestOf(NamedTuple):
    """How likely chance gives the best of k columns as much, for each statistic.

    Shapes: standardised (statistics, k), above, below (statistics, k), threshold (statistics,).
    """

    standardised: FloatArray  # each statistic over its error, shape (statistics, k); NaN where there is none
    above: FloatArray
    below: FloatArray
    threshold: FloatArray


def ranks_within(table: ArrayLike, strata: IntArray) -> FloatArray:
    """Return the ranks of every column within each stratum, as shares of its size and centred; shape (n, k), no NaN."""
    from scipy.stats import rankdata

    values = np.asarray(table, dtype=float)
    _, strata, sizes = np.unique(strata, return_inverse=True, return_counts=True)
    inner = rankdata(values, method="dense", axis=0)
    ranks = rankdata(strata[:, None] * (len(values) + 1.0) + inner, axis=0)
    before = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    middle = (before + (sizes + 1) / 2)[strata]
    result: FloatArray = (ranks - middle[:, None]) / sizes[strata][:, None]
    return result


def within_strata(
    columns: ArrayLike,
    rated: ArrayLike,
    strata: IntArray,
    clusters: IntArray,
    *,
    held: ArrayLike | None = None,
    across: bool = False,
) -> Within:
    """Return what Spearman's correlation within strata, pooled over them, is made of.

    Shapes: columns (n, k), rated (n,), held (n,).
    """
    values, ratings = np.asarray(columns, dtype=float), np.asarray(rated, dtype=float)
    parts = np.zeros((3, int(clusters.max(initial=-1)) + 1, values.shape[1]))
    for there, places in _alike(~np.isnan(values)):
        if not there.any():
            continue
        kept = strata[there], clusters[there]
        x = _left(values[there][:, places], *kept, across)
        y = _left(ratings[there, None], *kept, across)
        if held is not None:
            fixed = _left(np.asarray(held, dtype=float)[there, None], *kept, across)
            x, y = _without(x, fixed), _without(y, fixed)
        for sums, terms in zip(parts, (x * y, x**2, np.broadcast_to(y**2, x.shape)), strict=True):
            sums[:, places] = _members(clusters[there], len(sums)) @ terms
    return Within(*parts)


def differences(sides: Sequence[Within], baselines: IntArray | None = None) -> Terms:
    """Return how much better than its baseline every column agrees with the ratings, the sign of the baseline left
    out.
    """
    r, parts = np.mean([side.r for side in sides], axis=0), np.mean([side.influence for side in sides], axis=0)
    if baselines is None:
        baselines = np.full(len(r) - 1, len(r) - 1)
    compared, sign = len(baselines), np.sign(np.nan_to_num(r[baselines]))
    baseline = np.nan_to_num(sign * r[baselines]), np.nan_to_num(sign * parts[:, baselines])
    return Terms(r[:compared] - baseline[0], parts[:, :compared] - baseline[1])


def best_of(terms: Sequence[Terms], resamples: int = 1000, rng: Random = None, level: float = 0.05) -> BestOf:
    """Test whether each statistic of each column is above 0, corrected for the choice among the columns.

    Source: Westfall, P. H. and Young, S. S. (1993). Resampling-based multiple testing. Wiley. Berger, R. L. (1982).
    Multiparameter hypothesis testing and acceptance sampling. Technometrics 24. Cameron, A. C., Gelbach, J. B. and
    Miller, D. L. (2008). Bootstrap-based improvements for inference with clustered errors. Review of Economics and
    Statistics 90.
    """
    statistic, parts = np.array([one.statistic for one in terms]), np.hstack([one.parts for one in terms])
    known = ~np.isnan(statistic)
    standardised, above, below = np.full((3, *statistic.shape), np.nan)
    threshold = np.full(len(statistic), np.nan)
    if not known.any():
        return BestOf(standardised, above, below, threshold)
    parts = parts[:, known.ravel()]
    error = np.sqrt((parts**2).sum(axis=0) + np.finfo(float).tiny)
    standardised[known] = statistic[known] / error
    largest, smallest = _extremes(parts / error, np.nonzero(known)[0], resamples, rng)
    for place, highest in largest.items():
        columns = known[place]
        above[place, columns] = _share(highest, standardised[place, columns])
        below[place, columns] = _share(-smallest[place], -standardised[place, columns])
        threshold[place] = np.quantile(highest, 1 - level)
    return BestOf(standardised, above, below, threshold)


def _extremes(
    parts: FloatArray, statistics: IntArray, resamples: int, rng: Random
) -> tuple[dict[int, FloatArray], dict[int, FloatArray]]:
    """Return, by statistic, the largest and the smallest sum over the columns for each draw of signs."""
    places = {int(place): np.flatnonzero(statistics == place) for place in np.unique(statistics)}
    ends: list[dict[int, list[FloatArray]]] = [{place: [] for place in places} for _ in range(2)]
    for block in swaps(len(parts), resamples, rng):
        drawn = (1 - 2.0 * block) @ parts
        for place, columns in places.items():
            ends[0][place].append(drawn[:, columns].max(axis=1))
            ends[1][place].append(drawn[:, columns].min(axis=1))
    largest, smallest = ({place: np.concatenate(blocks) for place, blocks in end.items()} for end in ends)
    return largest, smallest


def resampled(within: Within, resamples: int = 1000, rng: Random = None) -> FloatArray:
    """Return the pooled correlation of every column where clusters are drawn with replacement, shape (resamples, k)."""
    rows = []
    for block in draws(len(within.products), resamples, rng):
        weights = multiplicities(block)
        products, squares, rated = (weights @ part for part in within)
        rows.append(_ratio(products, squares * rated))
    return np.concatenate(rows)


def _alike(there: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the different columns of a table of booleans, each with the places where it stands."""
    patterns, places = np.unique(there, axis=1, return_inverse=True)
    return [(pattern, np.flatnonzero(places.ravel() == number)) for number, pattern in enumerate(patterns.T)]


def _without(table: FloatArray, fixed: FloatArray) -> FloatArray:
    spread = float((fixed**2).sum())
    slope = (table * fixed).sum(axis=0) / spread if spread else 0.0
    return table - fixed * slope


def _left(table: FloatArray, strata: IntArray, clusters: IntArray, across: bool) -> FloatArray:
    """Return ranks within strata, without the means of clusters where these are taken away too."""
    ranks = ranks_within(table, strata)
    if not across:
        return ranks
    groups = [_members(labels) for labels in (clusters, strata)]
    for _ in range(_ROUNDS):
        for members in groups:
            ranks = ranks - members.T @ (members @ ranks / members.sum(axis=1)[:, None])
    return ranks


def _members(labels: IntArray, count: int | None = None) -> Any:
    """Return a sparse matrix of 0 and 1 that adds rows up by their labels."""
    from scipy.sparse import csr_array

    _, places = (None, labels) if count else np.unique(labels, return_inverse=True)
    rows = np.arange(len(labels))
    return csr_array((np.ones(len(labels)), (places, rows)), shape=(count or int(places.max()) + 1, len(labels)))


def _ratio(products: FloatArray, squares: FloatArray) -> FloatArray:
    known = squares > _ROUNDING**2
    return np.where(known, products / np.sqrt(np.where(known, squares, 1.0)), np.nan)


def _share(drawn: FloatArray, observed: FloatArray) -> FloatArray:
    """Return (count + 1) / (n + 1) of what is drawn that reaches each observed number."""
    ordered = np.sort(drawn)
    reached = len(ordered) - np.searchsorted(ordered, observed - _ROUNDING)
    return np.asarray((reached + 1) / (len(ordered) + 1))
