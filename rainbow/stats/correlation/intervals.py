"""Confidence intervals: Fisher's z for correlations, and bootstrap intervals for any statistic."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import scipy
from rainbow.stats.correlation.correlation import MINIMUM_ROWS, Method

# Correlations that differ by less are the same number, computed in another order.
_ROUNDING = 1e-12
# Number of units from which a bootstrap interval is wide enough.
_NORMAL_UNITS = 200


class Interval(NamedTuple):
    """A two-sided confidence interval; NaN ends with a reason if undefined."""

    low: float
    high: float
    reason: str | None = None


class Bounds(NamedTuple):
    """Interval ends for every cell of a table of statistics, each of shape (k, m)."""

    low: FloatArray  # naN where there is no interval
    high: FloatArray  # naN where there is no interval
    reason: NDArray[np.object_]  # the reason for a missing value, else None


def cell_intervals(shape: tuple[int, ...], interval: Callable[[tuple[int, ...]], Interval]) -> Bounds:
    """Return the interval of every cell of a table of statistics."""
    low, high = np.full(shape, np.nan), np.full(shape, np.nan)
    reason = np.full(shape, None, dtype=object)
    for cell in np.ndindex(shape):
        low[cell], high[cell], reason[cell] = interval(cell)
    return Bounds(low, high, reason)


def fisher_interval(r: float, n: int, method: Method = "spearman", confidence: float = 0.95) -> Interval:
    """Return the interval of a correlation of n independent rows, ``tanh(atanh(r) -+ z se)``.

    Source: Bonett, D. and Wright, T. (2000). Sample size requirements for estimating Pearson, Kendall and Spearman
    correlations. Psychometrika 65. Fieller, E., Hartley, H. and Pearson, E. (1957). Tests for rank correlation
    coefficients. Biometrika 44.
    """
    tail = tail_share(confidence)
    if math.isnan(r):
        return _undefined_interval("the correlation is undefined")
    if not -1 <= r <= 1:
        raise ValueError(f"r is {r}: a correlation must be between -1 and 1")
    if method == "kendall-c":
        return _undefined_interval("Fisher's z is not available for kendall-c: resample the items instead")
    least = MINIMUM_ROWS + (method == "kendall-b")
    if n < least:
        return _undefined_interval(f"n is {n}: Fisher's z needs at least {least}")
    if r in (-1, 1):
        return Interval(r, r)
    variance = {"pearson": 1 / (n - 3), "spearman": (1 + r * r / 2) / (n - 3)}.get(method) or 0.437 / (n - 4)
    reach = float(scipy.special.ndtri(1 - tail)) * math.sqrt(variance)
    return Interval(math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach))


def percentile_interval(resampled: ArrayLike, confidence: float = 0.95) -> Interval:
    """Return the percentile interval of a statistic from its bootstrap replicates.

    Shapes: resampled (resamples,).
    """
    tail = tail_share(confidence)
    values, reason = _defined_replicates(resampled, confidence)
    return _undefined_interval(reason) if reason else _quantile_interval(values, tail, 1 - tail)


def bca_interval(observed: float, resampled: ArrayLike, jackknife: ArrayLike, confidence: float = 0.95) -> Interval:
    """Return the bias-corrected and accelerated interval of a statistic from its replicates (Efron 1987).

    Shapes: resampled (resamples,), jackknife (units,).
    Source: Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical Association 82.
    Hesterberg, T. (2015). What teachers should know about the bootstrap. The American Statistician 69.
    """
    tail = tail_share(confidence)
    if math.isnan(observed):
        return _undefined_interval("the correlation is undefined")
    values, reason = _defined_replicates(resampled, confidence)
    if reason:
        return _undefined_interval(reason)
    below = np.mean([np.mean(values < observed - _ROUNDING), np.mean(values <= observed + _ROUNDING)])
    if below in (0, 1):
        return _undefined_interval(
            "all resamples are on one side of the observed value, which is at the limit of its range"
        )
    left_out = np.asarray(jackknife, dtype=float)
    shift, stretch = float(scipy.special.ndtri(below)), _acceleration(left_out)
    reach = _interval_deviations(tail, len(left_out))
    ends = [shift - reach, shift + reach]
    return _quantile_interval(values, *(float(scipy.special.ndtr(shift + end / (1 - stretch * end))) for end in ends))


def _interval_deviations(tail: float, units: int) -> float:
    """Return the half-width of an interval in standard deviations of the replicates."""
    if units >= _NORMAL_UNITS:
        return -float(scipy.special.ndtri(tail))
    return -float(scipy.special.stdtrit(units - 1, tail)) * math.sqrt(units / (units - 1))


def _acceleration(jackknife: FloatArray) -> float:
    """Return the acceleration constant from jackknife values."""
    values = jackknife[~np.isnan(jackknife)]
    deviations = values.mean() - values if len(values) else values
    spread = float((deviations**2).sum()) ** 1.5
    return float((deviations**3).sum()) / (6 * spread) if spread > 0 else 0.0


def _defined_replicates(resampled: ArrayLike, confidence: float) -> tuple[FloatArray, str | None]:
    """Return the defined replicates, and the reason if too few are defined."""
    values = np.asarray(resampled, dtype=float)
    if not values.size:
        raise ValueError("there are no resamples: resample at least once")
    undefined = int(np.isnan(values).sum())
    if undefined > (1 - confidence) * len(values):
        return values, f"a column is constant in {undefined} of {len(values)} resamples"
    return values[~np.isnan(values)], None


def _quantile_interval(values: FloatArray, lower: float, upper: float) -> Interval:
    """Return the interval between two quantiles."""
    low, high = np.quantile(values, [lower, upper])
    return Interval(float(low), float(high))


def tail_share(confidence: float) -> float:
    """Validate a confidence level and return the probability left out in each tail."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}: use a number between 0 and 1, such as 0.95")
    return (1 - confidence) / 2


def _undefined_interval(reason: str) -> Interval:
    """Return an undefined interval with its reason."""
    return Interval(math.nan, math.nan, reason)
