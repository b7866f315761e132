"""Correlations with ratings within systems or inputs, pooled over strata, with max-type tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.base.lazy import scipy
from rainbow.stats.resamples import count_multiplicities, draw_items, draw_swaps

# Statistics that are nearer to each other than this are equal but for rounding.
_ROUNDING = 1e-9
# Means of systems and of inputs are taken away in turn: once does where every system answers every input.
_CENTRING_ROUNDS = 8


class Terms(NamedTuple):
    """A statistic of each of k columns that is 0 under the null, and each cluster's contribution.

    Shapes: statistic (k,), parts (clusters, k).
    """

    statistic: FloatArray  # shape (k,); NaN for none
    parts: FloatArray  # shape (clusters, k): the error is the root of the sum of their squares


class WithinCorrelations(NamedTuple):
    """Contributions of each cluster to the correlations of k columns, each of shape (clusters, k)."""

    products: FloatArray  # sums of the products of centred ranks of column and rating
    squares: FloatArray  # sums of their squares, over the rows that have the column
    rated: FloatArray  # sums of their squares, over the rows that have the column

    @property
    def r(self) -> FloatArray:
        """The pooled correlation of each column, shape (k,); NaN if constant in every stratum."""
        return _ratio(self.products.sum(axis=0), self.squares.sum(axis=0) * self.rated.sum(axis=0))

    @property
    def influence(self) -> FloatArray:
        """Contribution of each cluster to the error of r, shape (clusters, k), summing to 0."""
        squares, rated = (_ratio(part, part.sum(axis=0) ** 2) for part in (self.squares, self.rated))
        products = _ratio(self.products, self.squares.sum(axis=0) * self.rated.sum(axis=0))
        return np.asarray(products - self.r / 2 * (squares + rated))

    @property
    def terms(self) -> Terms:
        """Sums of products of all columns, whose cluster signs are random under the null."""
        return Terms(np.where(np.isnan(self.r), np.nan, self.products.sum(axis=0)), self.products)


class MaxTest(NamedTuple):
    """Corrected p-values for the best of k columns, for each statistic.

    Shapes: standardised (statistics, k), above, below (statistics, k), threshold (statistics,).
    """

    standardised: FloatArray  # each statistic over its error, shape (statistics, k); NaN for none
    above: FloatArray
    below: FloatArray
    threshold: FloatArray


def ranks_within(table: ArrayLike, strata: IntArray) -> FloatArray:
    """Return centred ranks within each stratum, divided by its size, shape (n, k); no NaN."""
    values = np.asarray(table, dtype=float)
    _, strata, sizes = np.unique(strata, return_inverse=True, return_counts=True)
    inner = scipy.stats.rankdata(values, method="dense", axis=0)
    ranks = scipy.stats.rankdata(strata[:, None] * (len(values) + 1.0) + inner, axis=0)
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
) -> WithinCorrelations:
    """Return the components of Spearman's correlation within strata, pooled over strata.

    Shapes: columns (n, k), rated (n,), held (n,).
    """
    values, ratings = np.asarray(columns, dtype=float), np.asarray(rated, dtype=float)
    parts = np.zeros((3, int(clusters.max(initial=-1)) + 1, values.shape[1]))
    for there, places in _missing_patterns(~np.isnan(values)):
        if not there.any():
            continue
        kept = strata[there], clusters[there]
        x = _centred_ranks(values[there][:, places], *kept, across)
        y = _centred_ranks(ratings[there, None], *kept, across)
        if held is not None:
            fixed = _centred_ranks(np.asarray(held, dtype=float)[there, None], *kept, across)
            x, y = _remove_covariate(x, fixed), _remove_covariate(y, fixed)
        for sums, terms in zip(parts, (x * y, x**2, np.broadcast_to(y**2, x.shape)), strict=True):
            sums[:, places] = _membership_matrix(clusters[there], len(sums)) @ terms
    return WithinCorrelations(*parts)


def baseline_differences(sides: Sequence[WithinCorrelations], baselines: IntArray) -> Terms:
    """Return each column's correlation minus the absolute correlation of its baseline."""
    r, parts = np.mean([side.r for side in sides], axis=0), np.mean([side.influence for side in sides], axis=0)
    compared, sign = len(baselines), np.sign(np.nan_to_num(r[baselines]))
    baseline = np.nan_to_num(sign * r[baselines]), np.nan_to_num(sign * parts[:, baselines])
    return Terms(r[:compared] - baseline[0], parts[:, :compared] - baseline[1])


def max_test(terms: Sequence[Terms], resamples: int = 1000, rng: Random = None, level: float = 0.05) -> MaxTest:
    """Test whether each statistic exceeds 0, corrected for selection among the columns.

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
        return MaxTest(standardised, above, below, threshold)
    parts = parts[:, known.ravel()]
    error = np.sqrt((parts**2).sum(axis=0) + np.finfo(float).tiny)
    standardised[known] = statistic[known] / error
    largest, smallest = _extremes(parts / error, np.nonzero(known)[0], resamples, rng)
    for place, highest in largest.items():
        columns = known[place]
        above[place, columns] = _exceedance_share(highest, standardised[place, columns])
        below[place, columns] = _exceedance_share(-smallest[place], -standardised[place, columns])
        threshold[place] = np.quantile(highest, 1 - level)
    return MaxTest(standardised, above, below, threshold)


def _extremes(
    parts: FloatArray, statistics: IntArray, resamples: int, rng: Random
) -> tuple[dict[int, FloatArray], dict[int, FloatArray]]:
    """Return the maximum and minimum sum over the columns per statistic and random sign draw."""
    places = {int(place): np.flatnonzero(statistics == place) for place in np.unique(statistics)}
    ends: list[dict[int, list[FloatArray]]] = [{place: [] for place in places} for _ in range(2)]
    for block in draw_swaps(len(parts), resamples, rng):
        drawn = (1 - 2.0 * block) @ parts
        for place, columns in places.items():
            ends[0][place].append(drawn[:, columns].max(axis=1))
            ends[1][place].append(drawn[:, columns].min(axis=1))
    largest, smallest = ({place: np.concatenate(blocks) for place, blocks in end.items()} for end in ends)
    return largest, smallest


def resampled_correlations(within: WithinCorrelations, resamples: int = 1000, rng: Random = None) -> FloatArray:
    """Return pooled correlations with clusters resampled, shape (resamples, k)."""
    rows = []
    for block in draw_items(len(within.products), resamples, rng):
        weights = count_multiplicities(block)
        products, squares, rated = (weights @ part for part in within)
        rows.append(_ratio(products, squares * rated))
    return np.concatenate(rows)


def _missing_patterns(present: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the distinct columns of a boolean table, each with its column indices."""
    patterns, places = np.unique(present, axis=1, return_inverse=True)
    return [(pattern, np.flatnonzero(places.ravel() == number)) for number, pattern in enumerate(patterns.T)]


def _remove_covariate(table: FloatArray, fixed: FloatArray) -> FloatArray:
    """Return the residuals of columns after regression on a covariate."""
    spread = float((fixed**2).sum())
    slope = (table * fixed).sum(axis=0) / spread if spread else 0.0
    return table - fixed * slope


def _centred_ranks(table: FloatArray, strata: IntArray, clusters: IntArray, across: bool) -> FloatArray:
    """Return ranks within strata, optionally also centred within clusters."""
    ranks = ranks_within(table, strata)
    if not across:
        return ranks
    groups = [_membership_matrix(labels) for labels in (clusters, strata)]
    for _ in range(_CENTRING_ROUNDS):
        for members in groups:
            ranks = ranks - members.T @ (members @ ranks / members.sum(axis=1)[:, None])
    return ranks


def _membership_matrix(labels: IntArray, count: int | None = None) -> Any:
    """Return a sparse 0/1 matrix that sums rows by label."""
    _, places = (None, labels) if count else np.unique(labels, return_inverse=True)
    rows = np.arange(len(labels))
    return scipy.sparse.csr_array(
        (np.ones(len(labels)), (places, rows)), shape=(count or int(places.max()) + 1, len(labels))
    )


def _ratio(products: FloatArray, squares: FloatArray) -> FloatArray:
    known = squares > _ROUNDING**2
    return np.where(known, products / np.sqrt(np.where(known, squares, 1.0)), np.nan)


def _exceedance_share(drawn: FloatArray, observed: FloatArray) -> FloatArray:
    """Return (count + 1) / (n + 1) for the draws that reach each observed value."""
    ordered = np.sort(drawn)
    reached = len(ordered) - np.searchsorted(ordered, observed - _ROUNDING)
    return np.asarray((reached + 1) / (len(ordered) + 1))
