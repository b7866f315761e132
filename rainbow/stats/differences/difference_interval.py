"""Interval of a difference of two correlations, from the interval of each."""

from __future__ import annotations

import math

from rainbow.stats.correlation.intervals import Interval


def difference_interval(
    r: float, ends: tuple[float, float], r_other: float, ends_other: tuple[float, float], dependence: float = 0.0
) -> Interval:
    """Return the interval of the first correlation minus the second (Zou 2007).

    Source: Zou, G. Y. (2007). Toward using confidence intervals to compare correlations. Psychological Methods 12.
    """
    if any(map(math.isnan, (r, r_other, *ends, *ends_other, dependence))):
        return Interval(math.nan, math.nan, "an interval is missing")
    (low, high), (low_other, high_other) = ends, ends_other
    below = _margin(r - low, high_other - r_other, dependence)
    above = _margin(high - r, r_other - low_other, dependence)
    return Interval(r - r_other - below, r - r_other + above)


def _margin(own: float, other: float, dependence: float) -> float:
    """Return the distance of one interval end from the difference."""
    return math.sqrt(max(0.0, own**2 + other**2 - 2 * dependence * own * other))


def estimate_correlation(r: float, r_other: float, r_between: float) -> float:
    """Return the correlation of r(x, y) and r(x, z) estimated from the same rows.

    Source: Olkin, I. and Siotani, M. (1976). Asymptotic distribution of functions of a correlation matrix. In Essays in
    probability and statistics. As Zou (2007) gives it.
    """
    left = (1 - r**2) * (1 - r_other**2)
    if not left > 0:
        return math.nan
    free = 1 - r**2 - r_other**2 - r_between**2
    return ((r_between - r * r_other / 2) * free + r_between**3) / left
