"""Prediction-powered inference for group means from few ratings and many scores."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.stats.resamples import count_multiplicities, draw_items

# With fewer rated items there are too few to resample.
MIN_ITEMS = 10

# Sums per item and group: rated rows, ratings, scores, products and squares; all rows and their scores.
_N, _Y, _X, _XY, _XX, _ALL, _ALL_X = range(7)


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
    slope: float  # points of the rating for a point of the score, within groups; 0 where the scores are given no weight
    why: str | None  # why they are given none; None where they have weight


class _Draws(NamedTuple):
    """Means of groups, shape (resamples, groups), and slopes, shape (resamples,)."""

    rated: FloatArray
    powered: FloatArray
    slopes: FloatArray


def prediction_powered_means(
    ratings: ArrayLike,
    scores: ArrayLike,
    groups: ArrayLike,
    items: ArrayLike,
    *,
    higher_is_better: bool | None = True,
    confidence: float = 0.95,
    resamples: int = 2000,
    rng: Random = None,
) -> Estimates:
    """Estimate mean ratings of groups and their differences from few ratings and many scores.

    Shapes: ratings (n,), scores (n,).
    Source: Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I. and Zrnic, T. (2023). Prediction-powered
    inference. Science 382. Angelopoulos, A. N., Duchi, J. C. and Zrnic, T. (2023). PPI++: efficient prediction-powered
    inference. arXiv:2311.01453.
    """
    rated, scored = np.asarray(ratings, dtype=float), np.asarray(scores, dtype=float)
    names, group = np.unique(np.asarray(groups, dtype=str), return_inverse=True)
    _, item = np.unique(np.asarray(items), return_inverse=True)
    if not rated.shape == scored.shape == group.shape == item.shape:
        raise ValueError("ratings, scores, groups and items have different lengths: give one of each per row")
    if np.isnan(scored).any():
        raise ValueError("a score is missing: drop its row")
    sums = _item_sums(rated, scored, group, item, len(names))
    items_rated = (sums[:, :, _N] > 0).sum(axis=0)
    any_rated = int((sums[:, :, _N] > 0).any(axis=1).sum())
    labels = [str(name) for name in names]
    if any_rated < MIN_ITEMS:
        reason = f"{any_rated} items have a rated output: {MIN_ITEMS} are needed"
        return Estimates(labels, _undefined_means(sums, reason), [], 0.0, reason)
    whole, drawn = _bootstrap_means(sums, resamples, np.random.default_rng(rng))
    slope, why = _score_weight(whole.slopes[0], drawn.slopes, any_rated, higher_is_better)
    if why:
        whole, drawn = (each._replace(powered=each.rated) for each in (whole, drawn))
    width = _Intervals(whole, drawn, sums.sum(axis=0), items_rated, confidence)
    pairs = list(combinations(range(len(names)), 2))
    return Estimates(
        labels, [*map(width.estimate, range(len(names)))], [width.estimate(*pair) for pair in pairs], slope, why
    )


def _item_sums(ratings: FloatArray, scores: FloatArray, group: IntArray, item: IntArray, groups: int) -> FloatArray:
    """Return the sums of every item in every group, shape (items, groups, 7)."""
    there = ~np.isnan(ratings)
    y, x = np.where(there, ratings, 0.0), scores - scores.mean()  # centred: squares of large numbers would cancel
    parts = there, y, there * x, y * x, there * x**2, np.ones(len(x)), x
    items = int(item.max(initial=-1)) + 1
    cell = item * groups + group
    added = [np.bincount(cell, part, items * groups).reshape(items, groups) for part in parts]
    return np.stack(added, axis=-1)


def _bootstrap_means(sums: FloatArray, resamples: int, rng: np.random.Generator) -> tuple[_Draws, _Draws]:
    """Return the means of all items and of resamples, resampling rated and unrated items separately."""
    rated = sums[:, :, _N].any(axis=1)
    totals = [np.zeros((resamples, *sums.shape[1:])) for _ in range(2)]
    for part, total in zip((sums[rated], sums[~rated]), totals, strict=True):
        if len(part):
            blocks = [
                count_multiplicities(block) @ part.reshape(len(part), -1)
                for block in draw_items(len(part), resamples, rng)
            ]
            total += np.concatenate(blocks).reshape(total.shape)
    return _group_means(sums.sum(axis=0)[None]), _group_means(totals[0] + totals[1])


def _group_means(sums: FloatArray) -> _Draws:
    """Return the rating-only and prediction-powered group means and the slopes."""
    with np.errstate(invalid="ignore", divide="ignore"):
        n = sums[..., _N]
        y, x, every = sums[..., _Y] / n, sums[..., _X] / n, sums[..., _ALL_X] / sums[..., _ALL]
        covariance = np.nansum(sums[..., _XY] - sums[..., _X] * y, axis=1)
        variance = np.nansum(sums[..., _XX] - sums[..., _X] * x, axis=1)
        slopes = covariance / variance
    return _Draws(y, y + slopes[:, None] * (every - x), slopes)


def _score_weight(
    slope: float, drawn: FloatArray, items: int, higher_is_better: bool | None
) -> tuple[float, str | None]:
    """Return the slope, or 0 and the reason why the scores get no weight."""
    known = drawn[np.isfinite(drawn)]
    if not math.isfinite(slope) or len(known) < 2 or known.std(ddof=1) == 0:
        return (slope, None) if math.isfinite(slope) and slope != 0 else (0.0, "the scores or the ratings are constant")
    if abs(slope) < _t_quantile(0.95, items) * known.std(ddof=1):
        return 0.0, "the scores do not correlate significantly with the ratings of these outputs (5 %)"
    if higher_is_better is not None and (slope > 0) != higher_is_better:
        return 0.0, "the scores correlate with the ratings in the wrong direction on these outputs"
    return slope, None


def _t_quantile(confidence: float, items: int) -> float:
    """Return the two-sided t quantile for the number of items."""
    from scipy.stats import t

    return float(t.ppf((1 + confidence) / 2, max(1, items - 1)))


class _Intervals:
    """Bootstrap estimates with confidence intervals."""

    def __init__(
        self, whole: _Draws, drawn: _Draws, sums: FloatArray, items: NDArray[np.intp], confidence: float
    ) -> None:
        self.whole, self.drawn, self.sums, self.items, self.confidence = whole, drawn, sums, items, confidence

    def estimate(self, group: int, other: int | None = None) -> Estimate:
        """Return the mean of a group, or its difference from another group."""
        places = [group] if other is None else [group, other]
        items, n = int(self.items[places].min()), int(self.sums[places, _N].sum())
        unrated = int(self.sums[places, _ALL].sum()) - n
        if items < 2:
            return _undefined_estimate(group, other, n, unrated, "fewer than two items have a rated output")
        (rated, rated_error), (value, error) = (self._estimate_error(table, places) for table in ("rated", "powered"))
        half = _t_quantile(self.confidence, items)
        gain = (rated_error / error) ** 2 if error > 0 else math.nan
        p = math.nan if other is None else _two_sided_p(value, error, items)
        ends = value - half * error, value + half * error, rated, rated - half * rated_error, rated + half * rated_error
        return Estimate(group, other, value, *ends, p, gain, n, unrated, None)

    def _estimate_error(self, table: str, places: list[int]) -> tuple[float, float]:
        """Return an estimate and its standard error, with a small-sample correction."""
        signs = np.array([1.0, -1.0][: len(places)])
        estimate = float(getattr(self.whole, table)[0, places] @ signs)
        drawn = getattr(self.drawn, table)[:, places] @ signs
        items = int(self.items[places].min())
        return estimate, float(np.nanstd(drawn, ddof=1)) * math.sqrt(items / (items - 1))


def _two_sided_p(value: float, error: float, items: int) -> float:
    """Return the two-sided p-value of no difference."""
    from scipy.stats import t

    return float(2 * t.sf(abs(value) / error, items - 1)) if error > 0 else math.nan


def _undefined_means(sums: FloatArray, reason: str) -> list[Estimate]:
    """Return undefined estimates for all groups, with the reason."""
    return list(_iterate_undefined(sums.sum(axis=0), reason))


def _iterate_undefined(sums: FloatArray, reason: str) -> Iterator[Estimate]:
    """Yield an undefined estimate for each group."""
    for group, total in enumerate(sums):
        yield _undefined_estimate(group, None, int(total[_N]), int(total[_ALL] - total[_N]), reason)


def _undefined_estimate(group: int, other: int | None, n: int, unrated: int, reason: str) -> Estimate:
    """Return an undefined estimate with the reason."""
    gap = math.nan
    return Estimate(group, other, gap, gap, gap, gap, gap, gap, gap, gap, n, unrated, reason)
