"""Corrections of p for the number of tests made."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray

__all__ = ["benjamini_hochberg", "benjamini_yekutieli", "holm"]


def holm(p: ArrayLike) -> FloatArray:
    """Return p adjusted by Holm's step-down method: rejecting where it is at most alpha bounds the chance of any error.

    With the m values in rising order, ``adjusted_(i) = max over j <= i of min(1, (m - j + 1) p_(j))``. It holds for
    tests that depend on each other in any way.

    Parameters
    ----------
    p
        Probabilities between 0 and 1, in any shape: all are one family. NaN stands for a test that could not be
        made; it stays NaN and does not count.

    Returns
    -------
    ndarray
        Of the shape of `p`.

    Raises
    ------
    ValueError
        If a value lies outside 0 to 1.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6(2).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, float("nan")]).tolist()
    [0.03, 0.06, 0.06, nan]
    """
    values, made = _family(p)
    tested = values[made]
    order = np.argsort(tested, kind="stable")
    stepped = np.maximum.accumulate(tested[order] * np.arange(len(tested), 0, -1))
    adjusted = np.empty_like(tested)
    adjusted[order] = np.minimum(stepped, 1.0)
    values[made] = adjusted
    return values


def benjamini_hochberg(p: ArrayLike) -> FloatArray:
    """Return p adjusted by Benjamini and Hochberg: reject where it is at most q, and at most a share q is false.

    With the m values in rising order, ``adjusted_(i) = min over j >= i of min(1, p_(j) m / j)``. It holds for tests
    that are independent or depend on each other positively.

    Parameters
    ----------
    p
        As for :func:`holm`; so is what is returned and raised.

    References
    ----------
    Benjamini, Y. and Hochberg, Y. (1995). Controlling the false discovery rate: a practical and powerful approach to
    multiple testing. Journal of the Royal Statistical Society B 57(1).

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03, float("nan")]).tolist()
    [0.03, 0.04, 0.04, nan]
    """
    return _false_discovery(p, "bh")


def benjamini_yekutieli(p: ArrayLike) -> FloatArray:
    """Return p adjusted by Benjamini and Yekutieli: as Benjamini and Hochberg's, for tests that depend in any way.

    ``adjusted_(i) = min over j >= i of min(1, p_(j) m (1 + 1/2 + ... + 1/m) / j)`` with the m values in rising order.

    Parameters
    ----------
    p
        As for :func:`holm`; so is what is returned and raised.

    References
    ----------
    Benjamini, Y. and Yekutieli, D. (2001). The control of the false discovery rate in multiple testing under
    dependency. The Annals of Statistics 29(4).

    Examples
    --------
    >>> benjamini_yekutieli([0.01, 0.04, 0.03, float("nan")]).round(3).tolist()
    [0.055, 0.073, 0.073, nan]
    """
    return _false_discovery(p, "by")


def _false_discovery(p: ArrayLike, method: Literal["bh", "by"]) -> FloatArray:
    from scipy.stats import false_discovery_control

    values, made = _family(p)
    if made.any():
        values[made] = false_discovery_control(values[made], method=method)
    return values


def _family(p: ArrayLike) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Return a copy of the values, and which of them are tests that were made."""
    values = np.array(p, dtype=float)
    made = ~np.isnan(values)
    if np.any((values[made] < 0) | (values[made] > 1)):
        raise ValueError("a p lies outside 0 to 1: give probabilities, NaN where a test could not be made")
    return values, made
