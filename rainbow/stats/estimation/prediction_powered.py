"""Means of groups of which few rows are rated and all have a score: prediction-powered inference."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.stats.resamples import draws, multiplicities

# With fewer rated items there are too few to resample.
FEWEST_ITEMS = 10

# What every item adds up in a group: rated rows, their ratings, scores, products and squares; all rows, their scores.
_N, _Y, _X, _XY, _XX, _ALL, _ALL_X = range(7)


class Estimate(NamedTuple):
    """The mean of a group, or the difference of two, with the scores and by ratings alone."""

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
    """What was found."""

    groups: list[str]  # the groups' names, sorted
    means: list[Estimate]  # an entry for each group, and for each two
    differences: list[Estimate]  # an entry for each group, and for each two
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
    """Return the mean rating of every group, and of differences between groups, from few ratings and many scores.

    Shapes: ratings (n,), scores (n,).
    Source: Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I. and Zrnic, T. (2023). Prediction-powered
    inference. Science 382. Angelopoulos, A. N., Duchi, J. C. and Zrnic, T. (2023). PPI++: efficient prediction-powered
    inference. arXiv:2311.01453.
    """
    rated, scored = np.asarray(ratings, dtype=float), np.asarray(scores, dtype=float)
    names, group = np.unique(np.asarray(groups, dtype=str), return_inverse=True)
    _, item = np.unique(np.asarray(items), return_inverse=True)
    if not rated.shape == scored.shape == group.shape == item.shape:
        raise ValueError("ratings, scores, groups and items are of unlike lengths: give one of each for every row")
    if np.isnan(scored).any():
        raise ValueError("a score is missing: leave its row out")
    sums = _sums(rated, scored, group, item, len(names))
    items_rated = (sums[:, :, _N] > 0).sum(axis=0)
    any_rated = int((sums[:, :, _N] > 0).any(axis=1).sum())
    labels = [str(name) for name in names]
    if any_rated < FEWEST_ITEMS:
        reason = f"{any_rated} items have a rated output: {FEWEST_ITEMS} are needed"
        return Estimates(labels, _none(sums, reason), [], 0.0, reason)
    whole, drawn = _draws(sums, resamples, np.random.default_rng(rng))
    slope, why = _weight(whole.slopes[0], drawn.slopes, any_rated, higher_is_better)
    if why:
        whole, drawn = (each._replace(powered=each.rated) for each in (whole, drawn))
    width = _Width(whole, drawn, sums.sum(axis=0), items_rated, confidence)
    pairs = list(combinations(range(len(names)), 2))
    return Estimates(
        labels, [width.of(place) for place in range(len(names))], [width.of(*pair) for pair in pairs], slope, why
    )


def _sums(ratings: FloatArray, scores: FloatArray, group: IntArray, item: IntArray, groups: int) -> FloatArray:
    """Return what every item adds up in every group, shape (items, groups, 7)."""
    there = ~np.isnan(ratings)
    y, x = np.where(there, ratings, 0.0), scores - scores.mean()  # centred: squares of large numbers would cancel
    parts = there, y, there * x, y * x, there * x**2, np.ones(len(x)), x
    items = int(item.max(initial=-1)) + 1
    cell = item * groups + group
    added = [np.bincount(cell, part, items * groups).reshape(items, groups) for part in parts]
    return np.stack(added, axis=-1)


def _draws(sums: FloatArray, resamples: int, rng: np.random.Generator) -> tuple[_Draws, _Draws]:
    """Return the means of all items, and of draws: rated items and the others are drawn apart."""
    rated = sums[:, :, _N].any(axis=1)
    totals = [np.zeros((resamples, *sums.shape[1:])) for _ in range(2)]
    for part, total in zip((sums[rated], sums[~rated]), totals, strict=True):
        if len(part):
            blocks = [multiplicities(block) @ part.reshape(len(part), -1) for block in draws(len(part), resamples, rng)]
            total += np.concatenate(blocks).reshape(total.shape)
    return _means(sums.sum(axis=0)[None]), _means(totals[0] + totals[1])


def _means(sums: FloatArray) -> _Draws:
    with np.errstate(invalid="ignore", divide="ignore"):
        n = sums[..., _N]
        y, x, every = sums[..., _Y] / n, sums[..., _X] / n, sums[..., _ALL_X] / sums[..., _ALL]
        covariance = np.nansum(sums[..., _XY] - sums[..., _X] * y, axis=1)
        variance = np.nansum(sums[..., _XX] - sums[..., _X] * x, axis=1)
        slopes = covariance / variance
    return _Draws(y, y + slopes[:, None] * (every - x), slopes)


def _weight(slope: float, drawn: FloatArray, items: int, higher_is_better: bool | None) -> tuple[float, str | None]:
    """Return the slope, or 0 and why the scores are given no weight."""
    known = drawn[np.isfinite(drawn)]
    if not math.isfinite(slope) or len(known) < 2 or known.std(ddof=1) == 0:
        return (slope, None) if math.isfinite(slope) and slope != 0 else (0.0, "the scores or the ratings are constant")
    if abs(slope) < _quantile(0.95, items) * known.std(ddof=1):
        return 0.0, "the scores do not follow the ratings of these outputs significantly (5 %)"
    if higher_is_better is not None and (slope > 0) != higher_is_better:
        return 0.0, "the scores go the wrong way on these outputs"
    return slope, None


def _quantile(confidence: float, items: int) -> float:
    from scipy.stats import t

    return float(t.ppf((1 + confidence) / 2, max(1, items - 1)))


class _Width:
    """Estimates with their intervals."""

    def __init__(
        self, whole: _Draws, drawn: _Draws, sums: FloatArray, items: NDArray[np.intp], confidence: float
    ) -> None:
        self.whole, self.drawn, self.sums, self.items, self.confidence = whole, drawn, sums, items, confidence

    def of(self, group: int, other: int | None = None) -> Estimate:
        """Return the mean of a group, or its difference from another."""
        places = [group] if other is None else [group, other]
        items, n = int(self.items[places].min()), int(self.sums[places, _N].sum())
        unrated = int(self.sums[places, _ALL].sum()) - n
        if items < 2:
            return _nothing(group, other, n, unrated, "fewer than two items have a rated output")
        (rated, rated_error), (value, error) = (self._found(table, places) for table in ("rated", "powered"))
        half = _quantile(self.confidence, items)
        gain = (rated_error / error) ** 2 if error > 0 else math.nan
        p = math.nan if other is None else _two_sided(value, error, items)
        ends = value - half * error, value + half * error, rated, rated - half * rated_error, rated + half * rated_error
        return Estimate(group, other, value, *ends, p, gain, n, unrated, None)

    def _found(self, table: str, places: list[int]) -> tuple[float, float]:
        """Return an estimate and its standard error; the factor makes up for what resampling few items leaves out."""
        signs = np.array([1.0, -1.0][: len(places)])
        estimate = float(getattr(self.whole, table)[0, places] @ signs)
        drawn = getattr(self.drawn, table)[:, places] @ signs
        items = int(self.items[places].min())
        return estimate, float(np.nanstd(drawn, ddof=1)) * math.sqrt(items / (items - 1))


def _two_sided(value: float, error: float, items: int) -> float:
    from scipy.stats import t

    return float(2 * t.sf(abs(value) / error, items - 1)) if error > 0 else math.nan


def _none(sums: FloatArray, reason: str) -> list[Estimate]:
    return list(_empty(sums.sum(axis=0), reason))


def _empty(sums: FloatArray, reason: str) -> Iterator[Estimate]:
    for group, total in enumerate(sums):
        yield _nothing(group, None, int(total[_N]), int(total[_ALL] - total[_N]), reason)


def _nothing(group: int, other: int | None, n: int, unrated: int, reason: str) -> Estimate:
    gap = math.nan
    return Estimate(group, other, gap, gap, gap, gap, gap, gap, gap, gap, n, unrated, reason)
