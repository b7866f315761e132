"""Tests of the difference of two means, for independent and for paired samples."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import scipy
from rainbow.stats.correlation.correlation import MINIMUM_ROWS

# The share of the intervals that hold the true difference.
CONFIDENCE = 0.95
# Up to this many items the distribution of signed ranks is exact.
MAX_EXACT_VALUES = 50
# Values nearer to each other than this, relative to the largest, are equal but for rounding.
_ROUNDING = 1e-12


class MeanDifference(NamedTuple):
    """A difference of two means with its interval and test."""

    difference: float  # the mean of the first values minus that of the second
    low: float  # the 95 % interval of the difference; NaN for a test that has none
    high: float  # the 95 % interval of the difference; NaN for a test that has none
    statistic: float  # what the test is made of; NaN for a test by resampling
    p: float  # two-sided, of no difference
    n_first: int  # the values that it rests on
    n_second: int  # the values that it rests on
    reason: str | None  # why p is NaN; None where it is a number


class Sample(NamedTuple):
    """Summary statistics of one of two independent samples."""

    n: int  # the number of values
    mean: float  # naN where they are not defined (divisor n - 1)
    variance: float  # naN where they are not defined (divisor n - 1)
    constant: bool  # whether all values are the same


def summarise_sample(values: ArrayLike) -> Sample:
    """Return the summary statistics of a sample, for reuse in several tests.

    Shapes: values (n,).
    """
    known = np.asarray(values, dtype=float)
    if known.ndim != 1:
        raise ValueError(f"values of shape {known.shape}: give numbers of shape (n,)")
    known = known[~np.isnan(known)]
    n, finite = len(known), bool(np.isfinite(known).all())
    mean = float(known.mean()) if n and finite else math.nan
    variance = float(known.var(ddof=1)) if n > 1 and finite else math.nan
    return Sample(n, mean, variance, n > 0 and bool((known == known[0]).all()))


def pooled_t(first: ArrayLike | Sample, second: ArrayLike | Sample) -> MeanDifference:
    """Test two independent samples by Student's t, assuming equal variances.

    Source: Student (1908). The probable error of a mean. Biometrika 6.
    """
    a, b = _as_sample(first), _as_sample(second)
    if reason := _unpaired_reason(a, b):
        return undefined_difference(a, b, reason)
    variance = ((a.n - 1) * a.variance + (b.n - 1) * b.variance) / (a.n + b.n - 2)
    return _t_result(a.mean - b.mean, math.sqrt(variance * (1 / a.n + 1 / b.n)), a.n + b.n - 2, (a.n, b.n))


def welch_t(first: ArrayLike | Sample, second: ArrayLike | Sample) -> MeanDifference:
    """Test two independent samples by Welch's t, for unequal variances.

    Source: Welch, B. L. (1947). The generalization of "Student's" problem when several different population variances
    are involved. Biometrika 34.
    """
    a, b = _as_sample(first), _as_sample(second)
    if reason := _unpaired_reason(a, b):
        return undefined_difference(a, b, reason)
    u, v = a.variance / a.n, b.variance / b.n
    degrees = (u + v) ** 2 / (u**2 / (a.n - 1) + v**2 / (b.n - 1))
    return _t_result(a.mean - b.mean, math.sqrt(u + v), degrees, (a.n, b.n))


def paired_t(first: ArrayLike, second: ArrayLike) -> MeanDifference:
    """Test paired differences by Student's t.

    Shapes: first, second (n,).
    Source: Student (1908). The probable error of a mean. Biometrika 6.
    """
    a, b = complete_pairs(first, second)
    differences = _rounded_differences(a, b)
    reason = _paired_reason(a, b)
    if reason is None and (differences == differences[0]).all():
        reason = "the difference is the same for every item"
    if reason is not None:
        return undefined_difference(a, b, reason)
    n = len(a)
    return _t_result(float(a.mean() - b.mean()), float(differences.std(ddof=1)) / math.sqrt(n), n - 1, (n, n))


def wilcoxon_signed_rank(first: ArrayLike, second: ArrayLike) -> MeanDifference:
    """Test paired differences by the Wilcoxon signed-rank test.

    Shapes: first, second (n,).
    Source: Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1.
    """
    a, b = complete_pairs(first, second)
    differences = _rounded_differences(a, b)
    differences = differences[differences != 0]
    if reason := _paired_reason(a, b):
        return undefined_difference(a, b, reason)
    if not len(differences):
        return undefined_difference(a, b, "no item has a difference")
    n = len(differences)
    statistic, p = _signed_ranks(differences)
    return MeanDifference(float((a - b).mean()), math.nan, math.nan, statistic, p, n, n, None)


def _signed_ranks(differences: FloatArray) -> tuple[float, float]:
    """Return the smaller sum of signed ranks and its p-value, for nonzero differences."""
    n = len(differences)
    _, place, times = np.unique(np.abs(differences), return_inverse=True, return_counts=True)
    if n <= MAX_EXACT_VALUES and len(times) == n:
        exact = scipy.stats.wilcoxon(differences, method="exact")
        return float(exact.statistic), float(exact.pvalue)
    # scipy's normal approximation, without its checks of the arguments, which take ten times as long.
    ranks = (np.cumsum(times) - (times - 1) / 2)[place]
    positive, whole = float(ranks[differences > 0].sum()), n * (n + 1) / 2
    variance = (n * (n + 1) * (2 * n + 1) - float((times**3.0 - times).sum()) / 2) / 24
    p = 2 * float(scipy.special.ndtr(-abs(positive - whole / 2) / math.sqrt(variance)))
    return min(positive, whole - positive), p


def complete_pairs(first: ArrayLike, second: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return two paired columns without the items where either is NaN."""
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"values of shapes {a.shape} and {b.shape}: give one value per item for both, shape (n,)")
    both = ~(np.isnan(a) | np.isnan(b))
    return a[both], b[both]


def undefined_difference(first: ArrayLike | Sample, second: ArrayLike | Sample, reason: str) -> MeanDifference:
    """Return the difference of the means, with the reason why it is not tested."""
    a, b, gap = _as_sample(first), _as_sample(second), math.nan
    return MeanDifference(a.mean - b.mean, gap, gap, gap, gap, a.n, b.n, reason)


def _as_sample(values: ArrayLike | Sample) -> Sample:
    """Return the values as a sample."""
    return values if isinstance(values, Sample) else summarise_sample(values)


def _rounded_differences(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the differences, with those equal up to rounding made equal."""
    unit = _ROUNDING * max(float(np.abs(values).max(initial=0)) for values in (a, b))
    if unit == 0 or not math.isfinite(unit):
        return np.zeros(len(a))
    differences: FloatArray = np.round((a - b) / unit) * unit
    return differences


def _unpaired_reason(a: Sample, b: Sample) -> str | None:
    """Return why two independent samples cannot be tested by t, or None."""
    if min(a.n, b.n) < 2:
        return f"the samples have {a.n} and {b.n} values: each needs at least 2"
    if math.isnan(a.mean) or math.isnan(b.mean):
        return "there are infinite values"
    return "both samples are constant" if a.constant and b.constant else None


def _paired_reason(a: FloatArray, b: FloatArray) -> str | None:
    """Return why paired values cannot be tested, or None."""
    if len(a) < MINIMUM_ROWS:
        return f"only {len(a)} items have both values: at least {MINIMUM_ROWS} are needed"
    return None if np.isfinite(a).all() and np.isfinite(b).all() else "there are infinite values"


def _t_result(difference: float, error: float, degrees: float, sizes: tuple[int, int]) -> MeanDifference:
    """Return the test and interval of a mean difference from its standard error."""
    half = error * float(scipy.special.stdtrit(degrees, (1 + CONFIDENCE) / 2))
    p = 2 * float(scipy.special.stdtr(degrees, -abs(difference) / error))
    return MeanDifference(difference, difference - half, difference + half, difference / error, p, *sizes, None)
