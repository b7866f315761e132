"""Bootstrap confidence intervals, resampling items with all their outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, Random
from rainbow.stats.correlation.intervals import Bounds, Interval, bca_interval, cell_intervals, percentile_interval

Resampling = Literal["bca", "percentile"]

# From row multiplicities, shape (resamples, n), to a table of values for each, shape (resamples, k, m).
WeightedStatistic = Callable[[FloatArray], FloatArray]

# Fewer items have too few different resamples to say anything: three have ten.
MINIMUM_ITEMS = 4

# With more items than this the jackknife leaves out groups of items: their deviations add up to the same skewness.
_MAX_GROUPS = 2_000

# Multiplicities that are held at a time (64 MB as floats).
_CELLS = 8_000_000


def bootstrap(
    statistic: WeightedStatistic,
    items: ArrayLike,
    interval: Resampling = "bca",
    confidence: float = 0.95,
    resamples: int = 1000,
    rng: Random = None,
) -> Bounds:
    """Return bootstrap confidence intervals of a table of statistics, resampling whole items.

    Shapes: items (n,).
    Source: Davison, A. and Hinkley, D. (1997). Bootstrap methods and their application, section 3.8 (resampling of
    clusters).
    """
    if interval not in get_args(Resampling):
        raise ValueError(f"unknown interval {interval!r}: choose from {', '.join(get_args(Resampling))}")
    if resamples < 1:
        raise ValueError(f"resamples is {resamples}: use at least 1, ideally 1000")
    places = np.unique(np.asarray(items), return_inverse=True)[1]
    observed = statistic(np.ones((1, len(places))))[0]
    if places.max(initial=-1) + 1 < MINIMUM_ITEMS:
        reason = f"only {places.max(initial=-1) + 1} items to resample: at least {MINIMUM_ITEMS} are needed"
        return cell_intervals(observed.shape, lambda cell: Interval(np.nan, np.nan, reason))
    resampled = _replicates(statistic, _draw_multiplicities(places, resamples, np.random.default_rng(rng)), places)
    if interval == "percentile":
        return cell_intervals(observed.shape, lambda cell: percentile_interval(resampled[cell], confidence))
    jackknife = _replicates(statistic, _jackknife_weights(places), places)
    return cell_intervals(
        observed.shape, lambda cell: bca_interval(observed[cell], resampled[cell], jackknife[cell], confidence)
    )


def _draw_multiplicities(places: NDArray[np.intp], resamples: int, rng: np.random.Generator) -> FloatArray:
    """Count how often each item is drawn, shape (resamples, items)."""
    size = int(places.max()) + 1
    drawn = rng.integers(0, size, (resamples, size)) + size * np.arange(resamples)[:, None]
    return np.bincount(drawn.ravel(), minlength=resamples * size).reshape(resamples, size).astype(float)


def _jackknife_weights(places: NDArray[np.intp]) -> FloatArray:
    """Return the item weights of the grouped jackknife, shape (groups, items)."""
    size = int(places.max()) + 1
    groups = np.arange(size) % _MAX_GROUPS
    kept: FloatArray = (np.arange(min(size, _MAX_GROUPS))[:, None] != groups).astype(float)
    return kept


def _replicates(statistic: WeightedStatistic, counts: FloatArray, places: NDArray[np.intp]) -> FloatArray:
    """Return the statistics under every set of item multiplicities, on the last axis."""
    step = max(1, _CELLS // max(1, len(places)))
    blocks = [statistic(counts[start : start + step, places]) for start in range(0, len(counts), step)]
    return np.moveaxis(np.concatenate(blocks), 0, -1)
