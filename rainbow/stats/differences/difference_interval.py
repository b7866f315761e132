"""The interval of a difference of two correlations, from the interval of each."""

from __future__ import annotations

import math

from rainbow.stats.correlation.intervals import Interval

__all__ = ["difference_interval", "overlap"]


def difference_interval(
    r: float, ends: tuple[float, float], r_other: float, ends_other: tuple[float, float], dependence: float = 0.0
) -> Interval:
    """Return the interval of the difference of two correlations, the first less the second (Zou 2007).

    ``low = d - sqrt(a² + b² - 2 c a b)`` with ``a = r - l``, ``b = m - s``, and ``high`` likewise, where d is the
    difference of the correlations r and s, l the lower end of the interval of r, m the upper end of that of s, and c
    their dependence.

    Parameters
    ----------
    r, r_other
        The correlations.
    ends, ends_other
        The lower and the upper end of the interval of each, made in whatever way; these set the confidence.
    dependence
        The correlation of the two estimates: 0 for those of different rows, :func:`overlap` for those of the same.

    Returns
    -------
    Interval
        NaN with the reason where a number is NaN.

    References
    ----------
    Zou, G. Y. (2007). Toward using confidence intervals to compare correlations. Psychological Methods 12.

    Examples
    --------
    >>> low, high, _ = difference_interval(0.49, (0.355, 0.605), 0.36, (0.162, 0.530))
    >>> round(low, 3), round(high, 3)
    (-0.087, 0.359)
    """
    if any(map(math.isnan, (r, r_other, *ends, *ends_other, dependence))):
        return Interval(math.nan, math.nan, "an interval is missing")
    (low, high), (low_other, high_other) = ends, ends_other
    below = _reach(r - low, high_other - r_other, dependence)
    above = _reach(high - r, r_other - low_other, dependence)
    return Interval(r - r_other - below, r - r_other + above)


def _reach(own: float, other: float, dependence: float) -> float:
    return math.sqrt(max(0.0, own**2 + other**2 - 2 * dependence * own * other))


def overlap(r: float, r_other: float, r_between: float) -> float:
    """Return the correlation of two estimates that share a column, and its rows: of x with y, and of x with z.

    Parameters
    ----------
    r, r_other, r_between
        The correlations of x and y, of x and z, and of y and z.

    Returns
    -------
    float
        NaN where a correlation is NaN, or one of the first two is 1 or -1.

    References
    ----------
    Olkin, I. and Siotani, M. (1976). Asymptotic distribution of functions of a correlation matrix. In Essays in
    probability and statistics. As Zou (2007) gives it.

    Examples
    --------
    >>> round(overlap(0.396, 0.179, 0.088), 3), overlap(0.5, 0.5, 1.0)
    (0.053, 1.0)
    """
    left = (1 - r**2) * (1 - r_other**2)
    if not left > 0:
        return math.nan
    free = 1 - r**2 - r_other**2 - r_between**2
    return ((r_between - r * r_other / 2) * free + r_between**3) / left
