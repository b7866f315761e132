"""Prediction-powered inference for group means from few ratings and many scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.base.lazy import scipy
from rainbow.stats.estimation.item_sums import (
    ItemSums,
    Means,
    covariances,
    item_sums,
    means_of_all,
    resampled_means,
    score_slopes,
)

# Rated items needed in all, of a group and of a stratum of it, to resample them.
MIN_ITEMS, MIN_ITEMS_GROUP, MIN_ITEMS_STRATUM = 10, 5, 5
# Rated items needed for each score.
ITEMS_PER_SCORE = 5
# The share of the intervals that hold the true value.
CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A group mean or a difference of two, with prediction-powered and rating-only values."""

    group: int  # places of groups; `other` is None for the mean of one
    other: int | None  # places of groups; `other` is None for the mean of one
    value: float  # with the scores
    low: float  # with the scores
    high: float  # with the scores
    rated_value: float  # by ratings alone
    rated_low: float  # by ratings alone
    rated_high: float  # by ratings alone
    p: float  # of a difference of 0, two-sided; NaN for a mean
    gain: float  # by what factor more ratings alone would give the same interval; 1 where the scores say nothing
    n: int  # rows with and without a rating
    n_unrated: int  # rows with and without a rating
    reason: str | None  # why there is no number; None where there is one


class Estimates(NamedTuple):
    """Prediction-powered estimates of group means and their differences."""

    groups: list[str]  # the groups' names, sorted
    means: list[Estimate]  # one entry per group and per pair of groups
    differences: list[Estimate]  # one entry per group and per pair of groups
    slopes: tuple[float, ...]  # rating points per point of each score, within groups; 0 where it is given no weight
    why: str | None  # why no score has weight; None where one has


def prediction_powered_means(
    ratings: ArrayLike,
    scores: ArrayLike,
    groups: ArrayLike,
    items: ArrayLike,
    *,
    strata: ArrayLike | None = None,
    higher_is_better: bool | Sequence[bool | None] | None = True,
    resamples: int = 2000,
    rng: Random = None,
) -> Estimates:
    """Estimate mean ratings of groups and their differences from few ratings and many scores.

    Shapes: ratings (n,), scores (n,) or (n, scores), strata of items (n,).
    Source: Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I. and Zrnic, T. (2023). Prediction-powered
    inference. Science 382. Angelopoulos, A. N., Duchi, J. C. and Zrnic, T. (2023). PPI++: efficient prediction-powered
    inference. arXiv:2311.01453. Fisch, A. et al. (2024). Stratified prediction-powered inference for hybrid language
    model evaluation. arXiv:2406.04291. Hall, P. (1988). On symmetric bootstrap confidence intervals. Journal of the
    Royal Statistical Society B 50.
    """
    names, group = np.unique(np.asarray(groups, dtype=str), return_inverse=True)
    scored = np.asarray(scores, dtype=float)
    scored = scored[:, None] if scored.ndim == 1 else scored
    better = [higher_is_better] * scored.shape[1] if isinstance(higher_is_better, bool | None) else [*higher_is_better]
    sums, layers, cells = _sum_items(np.asarray(ratings, dtype=float), scored, group, items, strata)
    labels = [str(name) for name in names]
    counts = _Counts(sums, (cells == np.arange(len(names))[:, None]).astype(float))
    slopes, places = np.zeros(len(better)), range(len(names))
    if counts.any_rated < MIN_ITEMS:
        reason = f"{counts.any_rated} items have a rated output: {MIN_ITEMS} are needed"
        none = [counts.undefined(place, None, reason) for place in places]
        return Estimates(labels, none, [], (*slopes.tolist(),), reason)
    kept, why = _select_scores(sums, better)
    sums = sums.columns(kept)
    slopes[kept] = score_slopes(sums.total())[0] / _spreads(scored)[kept]
    interval = _Intervals(sums, counts, layers, resamples, np.random.default_rng(rng))
    differences = [interval.estimate(*pair) for pair in combinations(places, 2)]
    return Estimates(labels, [interval.estimate(place) for place in places], differences, (*slopes.tolist(),), why)


def _sum_items(
    ratings: FloatArray, scores: FloatArray, group: IntArray, items: ArrayLike, strata: ArrayLike | None
) -> tuple[ItemSums, IntArray, IntArray]:
    """Return sums of standardised scores per item, the strata of items, and the groups of cells."""
    _, item = np.unique(np.asarray(items), return_inverse=True)
    _, stratum = np.unique(np.zeros(len(item)) if strata is None else np.asarray(strata), return_inverse=True)
    if len({len(part) for part in (ratings, scores, group, item, stratum)}) > 1:
        raise ValueError("ratings, scores, groups and items have different lengths: give one of each per row")
    if np.isnan(scores).any():
        raise ValueError("a score is missing: drop its row")
    layers = np.zeros(item.max(initial=-1) + 1, dtype=np.int64)
    layers[item] = stratum
    if (layers[item] != stratum).any():
        raise ValueError("an item is in two strata: give all outputs for an input the same stratum")
    cells, cell = np.unique(np.stack([group, stratum]), axis=1, return_inverse=True)
    # Squares of large numbers would cancel.
    standardised = (scores - scores.mean(axis=0)) / _spreads(scores)
    return item_sums(ratings, standardised, cell.ravel(), item, cells.shape[1]), layers, cells[0]


def _spreads(scores: FloatArray) -> FloatArray:
    """Return the standard deviations of scores, 1 for a constant."""
    spreads: FloatArray = np.where(np.ptp(scores, axis=0) > 0, scores.std(axis=0), 1.0)
    return spreads


def _select_scores(sums: ItemSums, better: Sequence[bool | None]) -> tuple[NDArray[np.intp], str | None]:
    """Return the places of the scores that get weight, or none and the reason."""
    nothing = np.array([], dtype=np.intp)
    items, (with_ratings, among) = int(sums.n.any(axis=1).sum()), covariances(sums.total())
    constant = (np.diagonal(among[0]) <= 1e-12) | (np.abs(with_ratings[0]) <= 1e-12)
    if constant.all():
        return nothing, "the scores or the ratings are constant"
    if items < ITEMS_PER_SCORE * len(better):
        return nothing, f"{items} items have a rated output: give at most {items // ITEMS_PER_SCORE} scores"
    wrong = [up is not None and (value > 0) != up for up, value in zip(better, with_ratings[0], strict=True)]
    for kept in (np.flatnonzero(~constant), np.flatnonzero(~constant & ~np.array(wrong))):
        if not len(kept):
            return nothing, "the scores correlate with the ratings in the wrong direction on these outputs"
        if not _correlate(sums.columns(kept), items):
            return nothing, "the scores do not correlate significantly with the ratings of these outputs (5 %)"
    return kept, None


def _correlate(sums: ItemSums, items: int) -> bool:
    """Return whether ratings depend on scores: Hotelling's test of the slopes at 5 %, with the jackknife over items."""
    slopes, left = score_slopes(sums.total())[0], score_slopes(sums.without_each())
    spread = (left - left.mean(axis=0)).T @ (left - left.mean(axis=0)) * (items - 1) / items
    scores = len(slopes)
    statistic = slopes @ np.linalg.pinv(spread, hermitian=True) @ slopes * (items - scores) / (scores * (items - 1))
    return bool(statistic > scipy.special.fdtri(scores, items - scores, 0.95)) or not spread.any()


class _Counts:
    """Rated and unrated rows of groups, and rated items."""

    def __init__(self, sums: ItemSums, belongs: FloatArray) -> None:
        every, rated = sums.every.sum(axis=0), sums.n > 0
        self.shares = belongs * every / (belongs @ every)[:, None]  # of cells in groups
        self.n, self.all = belongs @ sums.n.sum(axis=0), belongs @ every
        self.any_rated = int(rated.any(axis=1).sum())
        self.items = (rated @ belongs.T > 0).sum(axis=0)
        self.fewest = np.where(belongs > 0, rated.sum(axis=0), self.any_rated).min(axis=1)

    def undefined(self, group: int, other: int | None, reason: str) -> Estimate:
        """Return an undefined estimate with the reason."""
        gap = math.nan
        return Estimate(group, other, gap, gap, gap, gap, gap, gap, gap, gap, *self.rows(group, other), reason)

    def rows(self, group: int, other: int | None) -> tuple[int, int]:
        """Return the numbers of rated and unrated rows of one or two groups."""
        places = [group] if other is None else [group, other]
        return int(self.n[places].sum()), int((self.all - self.n)[places].sum())

    def shortage(self, places: list[int]) -> str | None:
        """Return why there are too few rated items, or None."""
        if (items := int(self.items[places].min())) < MIN_ITEMS_GROUP:
            return f"{items} items have a rated output of a system: {MIN_ITEMS_GROUP} are needed"
        if self.fewest[places].min() < MIN_ITEMS_STRATUM:
            return f"a stratum has fewer than {MIN_ITEMS_STRATUM} items with a rated output of a system"
        return None


class _Intervals:
    """Estimates with symmetric bootstrap-t intervals over items."""

    def __init__(
        self, sums: ItemSums, counts: _Counts, layers: IntArray, resamples: int, rng: np.random.Generator
    ) -> None:
        self.whole = means_of_all(sums, counts.shares)
        self.drawn = resampled_means(sums, counts.shares, layers, resamples, rng)
        self.counts = counts

    def estimate(self, group: int, other: int | None = None) -> Estimate:
        """Return the mean of a group, or its difference from another group."""
        places = [group] if other is None else [group, other]
        if reason := self.counts.shortage(places):
            return self.counts.undefined(group, other, reason)
        (rated, rated_error, rated_half), (value, error, half) = (self._interval(kind, places) for kind in (0, 1))
        if not math.isfinite(half + rated_half):
            return self.counts.undefined(group, other, "too few of the rated outputs have different ratings")
        p = math.nan if other is None else _two_sided_p(value / half, int(self.counts.items[places].min()))
        ends = value - half, value + half, rated, rated - rated_half, rated + rated_half
        return Estimate(
            group, other, value, *ends, p, (rated_error / error) ** 2, *self.counts.rows(group, other), None
        )

    def _interval(self, kind: int, places: list[int]) -> tuple[float, float, float]:
        """Return an estimate, its standard error and half its interval; infinite if resamples vary too little."""
        (estimate,), (error,) = _contrast(self.whole[kind], places)
        values, errors = _contrast(self.drawn[kind], places)
        with np.errstate(invalid="ignore", divide="ignore"):
            studentised = np.abs(values - estimate) / errors
        known = studentised[~np.isnan(studentised)]
        critical = float(np.quantile(known, CONFIDENCE, method="higher")) if len(known) and error else math.inf
        return float(estimate), float(error), critical * float(error)


def _contrast(means: Means, places: list[int]) -> tuple[FloatArray, FloatArray]:
    """Return the mean of a group or the difference of two, and the standard errors, shape (resamples,)."""
    signs = np.array([1.0, -1.0][: len(places)])
    variances = np.einsum("rgh,g,h->r", means.covariances[:, places][:, :, places], signs, signs)
    # Rounding leaves a little where all influence values are 0.
    return means.values[:, places] @ signs, np.sqrt(np.where(variances > 1e-20, variances, 0.0))


def _two_sided_p(halves: float, items: int) -> float:
    """Return the p-value of no difference, by the t distribution scaled to the interval."""
    reach = scipy.special.stdtrit(items - 1, (1 + CONFIDENCE) / 2)
    return float(2 * scipy.special.stdtr(items - 1, -abs(halves) * reach))
