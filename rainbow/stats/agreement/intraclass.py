"""Intraclass correlation in all six forms: share of the rating variance due to items."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import scipy
from rainbow.stats.agreement.rating_matrix import Ratings, no_agreement_reason, rating_matrix

Form = Literal["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"]
FORMS: tuple[Form, ...] = get_args(Form)

# A sum of squares below this share of the total is rounding error.
_ROUNDING = 1e-13
# Probability below a 95 % interval, and above it.
_TAIL = (1 - 0.95) / 2


class Intraclass(NamedTuple):
    """An intraclass correlation with its F test and interval."""

    measure: str  # ``ICC(2,k)`` and the like
    estimate: float  # at most 1; below 0 where items differ less than chance would have it; NaN where it is not defined
    low: float  # its confidence interval
    high: float  # its confidence interval
    f: float  # the F test that items do not differ, one-sided
    df1: int  # the F test that items do not differ, one-sided
    df2: int  # the F test that items do not differ, one-sided
    p: float  # the F test that items do not differ, one-sided
    n_items: int  # how many items and raters it rests on
    n_raters: int  # how many items and raters it rests on
    reason: str | None  # why the estimate is NaN; None where it is a number


class _MeanSquares(NamedTuple):
    """Analysis of variance for one form; `raters` (k) is the harmonic mean of ratings per item."""

    items: float
    between_raters: float
    error: float
    df1: int
    df2: int
    n: int
    k: float


def intraclass(ratings: Ratings, form: Form = "2,k") -> Intraclass:
    """Return an intraclass correlation of ratings with its F test and F-based interval.

    Shapes: ratings (items, raters).
    Source: Shrout, P. E. and Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater reliability.
    Psychological Bulletin 86(2). McGraw, K. O. and Wong, S. P. (1996). Forming inferences about some intraclass
    correlation coefficients. Psychological Methods 1(1). Thomas, J. D. and Hultquist, R. A. (1978). Interval estimation
    for the unbalanced case of the one-way random effects model. Annals of Statistics 6(3).
    """
    if form not in FORMS:
        raise ValueError(f"unknown form {form!r}: choose from {', '.join(FORMS)}")
    matrix = rating_matrix(ratings)
    if reason := _undefined_reason(matrix, form):
        return _undefined(matrix, form, reason)
    squares = _one_way(matrix) if form.startswith("1") else _two_way(matrix)
    if squares.items == squares.error == 0:
        return _undefined(matrix, form, "every item has the same ratings")
    estimate = _estimate(squares, form)
    if math.isnan(estimate):
        return _undefined(matrix, form, "the item means differ less than expected by chance")
    low, high = _interval(squares, form)
    return Intraclass(f"ICC({form})", estimate, low, high, *_f_test(squares), matrix.shape[0], matrix.shape[1], None)


def spearman_brown(reliability: float, factor: float) -> float:
    """Return the reliability of the mean of `factor` times as many ratings: ``m r / (1 + (m - 1) r)``.

    Source: Spearman, C. (1910). Correlation calculated from faulty data. British Journal of Psychology 3. Brown, W.
    (1910). Some experimental results in the correlation of mental abilities. British Journal of Psychology 3.
    """
    if factor <= 0:
        raise ValueError(f"factor is {factor}: use a number above 0, the ratio of new to old ratings")
    divisor = 1 + (factor - 1) * reliability
    if reliability > 1 or divisor <= 0:
        raise ValueError(f"a reliability of {reliability} cannot be extrapolated to {factor} times as many ratings")
    return factor * reliability / divisor


def reliability(matrix: FloatArray, form: Form) -> float:
    """Return only the estimate of :func:`intraclass`, for use in loops; NaN if undefined."""
    if _undefined_reason(matrix, form) is not None:
        return math.nan
    return _estimate(_one_way(matrix) if form.startswith("1") else _two_way(matrix), form)


def _undefined_reason(matrix: FloatArray, form: Form) -> str | None:
    """Return why the correlation is undefined, or None if it is defined."""
    reason = no_agreement_reason(matrix)
    with_gaps = int(np.isnan(matrix).any(axis=1).sum())
    if reason is None and with_gaps and not form.startswith("1"):
        return (
            f"{with_gaps} of {len(matrix)} items lack a rating: a two-way form needs every rater on every item; "
            "use a one-way form or Krippendorff's alpha"
        )
    return reason


def _undefined(matrix: FloatArray, form: Form, reason: str) -> Intraclass:
    nan = math.nan
    return Intraclass(f"ICC({form})", nan, nan, nan, nan, 0, 0, nan, matrix.shape[0], matrix.shape[1], reason)


def _one_way(matrix: FloatArray) -> _MeanSquares:
    sizes = (~np.isnan(matrix)).sum(axis=1)
    n, k = len(matrix), float(len(matrix) / (1 / sizes).sum())
    means = np.nanmean(matrix, axis=1)
    between = k * ((means - means.mean()) ** 2).sum()
    within = np.nansum((matrix - means[:, None]) ** 2)
    between, within = _clear_rounding(between, within)
    df2 = int(sizes.sum()) - n
    return _MeanSquares(between / (n - 1), within / df2, within / df2, n - 1, df2, n, k)


def _two_way(matrix: FloatArray) -> _MeanSquares:
    n, k = matrix.shape
    centred = matrix - matrix.mean()
    items, raters = centred.mean(axis=1, keepdims=True), centred.mean(axis=0, keepdims=True)
    between, of_raters, error = _clear_rounding(
        k * (items**2).sum(), n * (raters**2).sum(), ((centred - items - raters) ** 2).sum()
    )
    df2 = (n - 1) * (k - 1)
    return _MeanSquares(between / (n - 1), of_raters / (k - 1), error / df2, n - 1, df2, n, float(k))


def _clear_rounding(*sums: float) -> list[float]:
    """Set sums that are nonzero only by rounding to 0."""
    total = sum(sums)
    return [0.0 if part < _ROUNDING * total else float(part) for part in sums]


def _estimate(squares: _MeanSquares, form: Form) -> float:
    items, raters, error, n, k = squares.items, squares.between_raters, squares.error, squares.n, squares.k
    offsets = (raters - error) / n if form.startswith("2") else 0.0
    divisor = items + offsets if form.endswith("k") else items + (k - 1) * error + k * offsets
    return (items - error) / divisor if divisor > 0 else math.nan


def _interval(squares: _MeanSquares, form: Form) -> tuple[float, float]:
    single = _random_raters_interval(squares) if form.startswith("2") else _exact_interval(squares)
    if form.endswith("1"):
        return single
    low, high = (_mean_rating_reliability(bound, squares.k) for bound in single)
    return low, high


def _mean_rating_reliability(single: float, k: float) -> float:
    """Return the reliability of the mean of k ratings from that of a single rating."""
    divisor = 1 + (k - 1) * single
    return k * single / divisor if divisor > _ROUNDING else -math.inf


def _exact_interval(squares: _MeanSquares) -> tuple[float, float]:
    """Return the exact F-based interval of a single rating in forms 1 and 3."""

    def bound(quantile: float) -> float:
        error = float(quantile) * squares.error
        return (squares.items - error) / (squares.items + (squares.k - 1) * error)

    upper, lower = (bound(scipy.stats.f.isf(share, squares.df1, squares.df2)) for share in (_TAIL, 1 - _TAIL))
    return upper, lower


def _random_raters_interval(squares: _MeanSquares) -> tuple[float, float]:
    """Return the ICC(2,1) interval with Satterthwaite's degrees of freedom (McGraw & Wong 1996)."""
    items, raters, error, n, k = squares.items, squares.between_raters, squares.error, squares.n, squares.k
    if raters == error == 0:
        return 1.0, 1.0
    rho = _estimate(squares, "2,1")
    of_raters, of_error = k * rho * raters, (n * (1 + (k - 1) * rho) - k * rho) * error
    df = (of_raters + of_error) ** 2 / (of_raters**2 / (k - 1) + of_error**2 / squares.df2)
    rest = k * raters + (k * n - k - n) * error
    upper, lower = scipy.stats.f.isf(_TAIL, squares.df1, df), scipy.stats.f.isf(_TAIL, df, squares.df1)
    low = n * (items - upper * error) / (upper * rest + n * items)
    high = n * (lower * items - error) / (rest + n * lower * items)
    return float(low), float(high)


def _f_test(squares: _MeanSquares) -> tuple[float, int, int, float]:
    ratio = squares.items / squares.error if squares.error > 0 else math.inf
    return ratio, squares.df1, squares.df2, float(scipy.stats.f.sf(ratio, squares.df1, squares.df2))
