"""Tests of differences of shares of clustered or paired decisions, and of a small-sample mean from 0."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import scipy
from rainbow.stats.differences.dependent_correlations import two_sided_p

# Up to this many differences all signs are tried (4,096 patterns); above, their sum is nearly normal.
MAX_EXACT_VALUES = 12
# Sums nearer to each other than this are equal but for rounding.
_ROUNDING = 1e-10


def proportion_differences(right: FloatArray, clusters: NDArray[np.intp]) -> tuple[FloatArray, FloatArray]:
    """Return t and p for the null that two columns are right equally often, for every column pair.

    Shapes: right (n, columns), clusters (n,), returns (columns, columns).
    Source: Liang, K.-Y. and Zeger, S. (1986). Longitudinal data analysis using generalized linear models. Biometrika
    73(1).
    """
    means, units = right.mean(axis=0), int(clusters.max(initial=-1)) + 1
    sums = np.zeros((units, right.shape[1]))
    np.add.at(sums, clusters, right - means)
    squares = sums.T @ sums
    own = np.diag(squares)
    spread = own[:, None] + own[None, :] - 2 * squares
    spread[spread <= _ROUNDING * max(1.0, float(own.max(initial=0.0)))] = np.nan
    t = (means[:, None] - means[None, :]) * len(right) / np.sqrt(spread)
    degrees = np.full(t.shape, units - 1.0 if units > 1 else np.nan)
    return t, np.asarray(two_sided_p(t, degrees=degrees))


def group_difference_p(events: ArrayLike, in_group: ArrayLike, clusters: ArrayLike) -> float:
    """Return the two-sided p-value that a group has events as often as the other rows, by a cluster-robust score test.

    Shapes: events, in_group, clusters (n,).
    Source: Liang, K.-Y. and Zeger, S. (1986). Longitudinal data analysis using generalized linear models. Biometrika
    73(1).
    """
    happened, inside = np.asarray(events, dtype=float), np.asarray(in_group, dtype=bool)
    excess = (happened - happened.mean()) * np.where(inside, 1 / inside.sum(), -1 / (~inside).sum())
    by_cluster = np.bincount(np.unique(clusters, return_inverse=True)[1], excess)
    spread = math.sqrt(float((by_cluster**2).sum()))
    return float(two_sided_p(np.array(excess.sum() / spread))) if spread > _ROUNDING else math.nan


def wilson_interval(share: float, n: float) -> tuple[float, float]:
    """Return the 95 % interval of a share of n independent units.

    Source: Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the
    American Statistical Association 22.
    """
    z = float(scipy.special.ndtri((1 + 0.95) / 2))
    centre = share + z * z / (2 * n)
    reach = z * math.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
    return (centre - reach) / (1 + z * z / n), (centre + reach) / (1 + z * z / n)


def mcnemar_p(first: ArrayLike, second: ArrayLike) -> float:
    """Return the two-sided exact p-value of McNemar's test that two paired 0-1 columns have equal shares.

    Shapes: first, second (n,).
    Source: McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions or
    percentages. Psychometrika 12(2).
    """
    differences = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    gained, lost = int((differences > 0).sum()), int((differences < 0).sum())
    return float(scipy.stats.binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0


def sign_flip_p(differences: ArrayLike) -> float:
    """Return the two-sided p-value of a sign-flip test that the mean difference is 0.

    Shapes: differences (n,).
    Source: Fisher, R. A. (1935). The design of experiments, section 21.
    """
    values = np.asarray(differences, dtype=float)
    total = float(values.sum())
    if len(values) <= MAX_EXACT_VALUES:
        sums = np.array(list(product((-1, 1), repeat=len(values)))) @ values
        shares = np.mean(sums >= total - _ROUNDING), np.mean(sums <= total + _ROUNDING)
        return min(1.0, 2 * float(min(shares)))
    deviation = total / math.sqrt(float((values**2).sum())) if values.any() else 0.0
    return float(two_sided_p(np.array(deviation)))
