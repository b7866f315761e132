"""Closed-form tests of the difference of two correlations, of the same or different rows.

All tests keep the sign of the correlations. If lower is better for a metric, flip its sign first: its correlations with
the ratings and with the other metric both change sign. With absolute values, `r_between` would have the wrong sign.

The tests assume bivariate normal columns and Pearson's r. For Spearman's r they are a common approximation;
:func:`~rainbow.stats.differences.permutation_difference.permutation_differences` is distribution-free.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.base.lazy import scipy
from rainbow.stats.correlation.correlation import MINIMUM_ROWS
from rainbow.stats.correlation.intervals import Interval

# Correlations this close to 1 equal 1 up to rounding; likewise determinants close to 0.
ROUNDING = 1e-12


class Difference(NamedTuple):
    """Test of the difference of two correlations; scalars for scalar arguments, else arrays."""

    statistic: float | FloatArray  # Williams' t, or z
    p: float | FloatArray  # two-sided p-value; NaN if the statistic is
    difference: float | FloatArray  # first correlation minus the second
    n: int | NDArray[np.int64]  # number of rows, summed over both samples if there are two
    reason: str | NDArray[np.object_] | None  # why the statistic is NaN; None if it is defined


def williams_test(r: ArrayLike, r_other: ArrayLike, r_between: ArrayLike, n: ArrayLike) -> Difference:
    """Test whether two metrics correlate differently with the same ratings of the same outputs: Williams' t.

    ``t = (r - s) sqrt((n - 1) (1 + b) / (2 D (n - 1) / (n - 3) + ((r + s) / 2)^2 (1 - b)^3))`` with
    ``D = 1 - r^2 - s^2 - b^2 + 2 r s b`` and n - 3 degrees of freedom, where s is `r_other`, b `r_between`.

    Parameters
    ----------
    r, r_other : float or array
        Correlations of the two metrics with the ratings, signed so that higher is better. All arguments are broadcast.
    r_between : float or array
        Correlation of the two metrics, with the same signs.
    n : int or array
        Number of outputs.

    Returns
    -------
    Difference
        NaN with a reason if a correlation is NaN, 1 or -1, n is below 4, or the correlation matrix is impossible.

    Raises
    ------
    ValueError
        If a correlation is not between -1 and 1, or n is not a whole number.

    References
    ----------
    Williams, E. J. (1959). The comparison of regression variables. Journal of the Royal Statistical Society B 21(2).
    Steiger, J. H. (1980). Tests for comparing elements of a correlation matrix. Psychological Bulletin 87(2),
    equation 7.
    Graham, Y. and Baldwin, T. (2014). Testing for significance of increased correlation with human judgment. EMNLP.

    Examples
    --------
    >>> result = williams_test(0.4, 0.5, 0.1, 103)
    >>> round(result.statistic, 4), round(result.p, 4), result.n
    (-0.8913, 0.3749, 103)
    >>> williams_test(0.4, [0.1, 0.2, 1.0], 0.3, 50).p.round(3).tolist()
    [0.066, 0.215, nan]
    """
    given = _broadcast_arguments(n, r=r, r_other=r_other, r_between=r_between)
    rows, (first, second, between) = given.rows, given.correlations
    determinant = _determinant(first, second, between)
    reasons = given.reasons(determinant < -ROUNDING, "no three columns can have these correlations")
    with np.errstate(all="ignore"):
        mean = (first + second) / 2
        spread = 2 * (rows - 1) / (rows - 3) * determinant + mean**2 * (1 - between) ** 3
        statistic = (first - second) * np.sqrt((rows - 1) * (1 + between) / spread)
    return _make_difference(statistic, first - second, rows, reasons, degrees=rows - 3)


def fisher_z_test(r: ArrayLike, r_other: ArrayLike, n: ArrayLike, n_other: ArrayLike | None = None) -> Difference:
    """Test the difference of two correlations of independent rows, e.g. two data sets: Fisher's z.

    Source: Fisher, R. A. (1921). On the "probable error" of a coefficient of correlation deduced from a small sample.
    Metron 1.
    """
    rows, rows_other = np.broadcast_arrays(_row_counts(n), _row_counts(n if n_other is None else n_other))
    given = _broadcast_arguments(np.minimum(rows, rows_other), r=r, r_other=r_other)
    reasons = given.reasons(np.zeros((), dtype=bool), "")
    first, second = given.correlations
    with np.errstate(all="ignore"):
        error = np.sqrt(1 / (rows - 3) + 1 / (rows_other - 3))
        statistic = (np.arctanh(first) - np.arctanh(second)) / error
    together = np.broadcast_to(rows + rows_other, statistic.shape)
    return _make_difference(statistic, first - second, together, reasons)


def two_sided_p(statistic: FloatArray, degrees: FloatArray | None = None) -> FloatArray:
    """Return the two-sided p-value of a t statistic, or of z if there are no degrees of freedom."""
    below = -np.abs(statistic)  # lower tail, for numerical precision
    p: FloatArray = 2 * (scipy.special.ndtr(below) if degrees is None else scipy.special.stdtr(degrees, below))
    return p


class _Arguments(NamedTuple):
    """Correlations, their names and the number of rows, broadcast to one shape."""

    names: tuple[str, ...]
    correlations: list[FloatArray]
    rows: FloatArray

    def reasons(self, impossible: BoolArray, message: str) -> NDArray[np.object_]:
        """Return why each test is undefined; an empty string if it is defined."""
        result = np.full(self.rows.shape, "", dtype=object)
        result[np.broadcast_to(impossible, result.shape)] = message
        for name, values in zip(self.names, self.correlations, strict=True):
            result[np.abs(values) >= 1 - ROUNDING] = f"{name} is 1 or -1"
        for name, values in zip(self.names, self.correlations, strict=True):
            result[np.isnan(values)] = f"{name} is NaN"
        result[self.rows < MINIMUM_ROWS] = f"fewer than {MINIMUM_ROWS} rows"
        return result


def _broadcast_arguments(n: ArrayLike, **correlations: ArrayLike) -> _Arguments:
    """Validate correlations and row counts and broadcast them to one shape."""
    arrays = [np.asarray(values, dtype=float) for values in correlations.values()]
    for name, values in zip(correlations, arrays, strict=True):
        if np.any(np.abs(values) > 1 + ROUNDING):
            raise ValueError(f"{name} is outside -1 to 1: give correlations")
    *arrays, rows = np.broadcast_arrays(*arrays, _row_counts(n))
    return _Arguments(tuple(correlations), arrays, rows)


def _row_counts(n: ArrayLike) -> FloatArray:
    """Return the row counts as floats; raise ValueError if any is not a whole number."""
    rows = np.asarray(n, dtype=float)
    if np.any(rows != np.floor(rows)):
        raise ValueError("n must be a whole number: give the number of rows")
    return rows


def _determinant(first: FloatArray, second: FloatArray, between: FloatArray) -> FloatArray:
    """Return the determinant of the 3 x 3 correlation matrix; negative if it is impossible."""
    return 1 - first**2 - second**2 - between**2 + 2 * first * second * between


def _make_difference(
    statistic: FloatArray,
    difference: FloatArray,
    rows: FloatArray,
    reasons: NDArray[np.object_],
    degrees: FloatArray | None = None,
) -> Difference:
    """Return the test result, NaN where a reason is given."""
    undefined = np.asarray(reasons != "")
    statistic = np.where(undefined, np.nan, statistic)
    p = np.asarray(two_sided_p(statistic, degrees))
    counts = rows.astype(np.int64)
    reasons[~undefined] = None
    if statistic.ndim == 0:
        return Difference(statistic.item(), p.item(), np.asarray(difference).item(), counts.item(), reasons.item())
    return Difference(statistic, p, difference, counts, reasons)


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
