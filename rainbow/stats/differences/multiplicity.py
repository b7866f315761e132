"""Corrections of p-values for multiple testing."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import scipy


def holm(p: ArrayLike) -> FloatArray:
    """Return p-values adjusted by Holm's step-down method, controlling the family-wise error rate.

    Source: Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics
    6(2).
    """
    values, made = _copy_tests(p)
    tested = values[made]
    order = np.argsort(tested, kind="stable")
    stepped = np.maximum.accumulate(tested[order] * np.arange(len(tested), 0, -1))
    adjusted = np.empty_like(tested)
    adjusted[order] = np.minimum(stepped, 1.0)
    values[made] = adjusted
    return values


def benjamini_hochberg(p: ArrayLike) -> FloatArray:
    """Return p-values adjusted by Benjamini-Hochberg, controlling the false discovery rate.

    Source: Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate: a practical and powerful
    approach to multiple testing. Journal of the Royal Statistical Society B 57(1).
    """
    return _adjust_false_discovery(p, "bh")


def benjamini_yekutieli(p: ArrayLike) -> FloatArray:
    """Return p-values adjusted by Benjamini-Yekutieli, valid under any dependence of the tests.

    Source: Benjamini, Y. and Yekutieli, D. (2001). The control of the false discovery rate in multiple testing under
    dependency. The Annals of Statistics 29(4).
    """
    return _adjust_false_discovery(p, "by")


def _adjust_false_discovery(p: ArrayLike, method: Literal["bh", "by"]) -> FloatArray:
    """Return p-values adjusted for the false discovery rate, ignoring NaN."""
    values, made = _copy_tests(p)
    if made.any():
        values[made] = scipy.stats.false_discovery_control(values[made], method=method)
    return values


def _copy_tests(p: ArrayLike) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return a copy of the p-values, and which of them are not NaN."""
    values = np.array(p, dtype=float)
    made = ~np.isnan(values)
    if np.any((values[made] < 0) | (values[made] > 1)):
        raise ValueError("a p-value is outside 0 to 1: give probabilities, or NaN for a test that could not be done")
    return values, made
