"""Highest correlation a metric can have with several ratings, given single-rating reliability."""

from __future__ import annotations

import math
from functools import cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import scipy

Aggregate = Literal["mean", "median"]
CeilingMethod = Literal["pearson", "spearman"]
AGGREGATES: tuple[Aggregate, ...] = get_args(Aggregate)
CEILING_METHODS: tuple[CeilingMethod, ...] = get_args(CeilingMethod)

# Where the standard normal density times x squared falls below float precision.
_TAIL = 9.0
_NODES = 1000


def expected_ceiling(
    reliability: float, n_raters: int | ArrayLike, aggregate: Aggregate = "median", method: CeilingMethod = "spearman"
) -> float:
    """Return the highest correlation with the mean or median of raters, for normal ratings.

    Source: Lord, F. M. and Novick, M. R. (1968). Statistical Theories of Mental Test Scores, chapter 3. Kruskal, W. H.
    (1958). Ordinal measures of association. JASA 53.
    """
    counts = np.atleast_1d(np.asarray(n_raters))
    check_ceiling_options(aggregate, method)
    if not 0 <= reliability <= 1:
        raise ValueError(f"reliability is {reliability}: use that of a single rating, between 0 and 1")
    if not np.issubdtype(counts.dtype, np.integer) or counts.size == 0 or counts.min() < 1:
        raise ValueError("n_raters must be a whole number of raters, at least 1, or one such number per item")
    if reliability == 0:
        return 0.0
    sizes, shares = np.unique(counts, return_counts=True)
    noise = [1 / int(size) if aggregate == "mean" else median_variance(int(size)) for size in sizes]
    r = reliability / (reliability + (1 - reliability) * float(np.average(noise, weights=shares)))
    return math.sqrt(6 / math.pi * math.asin(r / 2) if method == "spearman" else r)


@cache
def median_variance(n: int) -> float:
    """Return the variance of the median of n independent standard normal values.

    Source: David, H. A. and Nagaraja, H. N. (2003). Order Statistics, 3rd edition, chapter 2.
    """
    if n < 1:
        raise ValueError(f"n is {n}: the median needs at least one value")
    below, log_ndtr = (n - 1) // 2, scipy.special.log_ndtr
    constant = scipy.special.gammaln(n + 1) - 2 * scipy.special.gammaln(below + 1)
    # Trapezoids: for a smooth function that dies away at both ends they are exact to the last digits.
    median, step = np.linspace(-_TAIL, _TAIL, _NODES, retstep=True)
    if n % 2:
        log_density = constant + below * (log_ndtr(median) + log_ndtr(-median)) + _log_normal_density(median)
        return float((median**2 * np.exp(log_density)).sum() * step)
    # The middle two values lie as far below the median as above it, by `half` of their distance.
    nodes, weights = np.polynomial.legendre.leggauss(200)
    half = (nodes[:, None] + 1) * _TAIL / 2
    log_density = constant + math.log(2) + _log_normal_density(median - half) + _log_normal_density(median + half)
    log_density = log_density + below * (log_ndtr(median - half) + log_ndtr(-median - half))
    return float(weights @ np.exp(log_density) @ median**2 * step * _TAIL / 2)


def check_ceiling_options(aggregate: str, method: str) -> None:
    """Raise ValueError if the aggregate or the ceiling method is unknown."""
    if aggregate not in AGGREGATES:
        raise ValueError(f"unknown aggregate {aggregate!r}: choose from {', '.join(AGGREGATES)}")
    if method not in CEILING_METHODS:
        raise ValueError(f"no ceiling is defined for method {method!r}: choose from {', '.join(CEILING_METHODS)}")


def _log_normal_density(x: FloatArray) -> FloatArray:
    """Return the log density of the standard normal distribution."""
    return -0.5 * x**2 - 0.5 * math.log(2 * math.pi)
