"""The p of a correlation by permuting one column: exact for few rows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations as orders

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray
from rainbow.stats.correlation.correlation import Correlation, Method, correlate, correlation_matrix

__all__ = ["correlate_by_permutation"]


# Up to so many rows every order is looked at (40,320 for 8).
_EXACT_ROWS = 8
# Numbers that are permuted at a time.
_CELLS = 2_000_000
# Correlations nearer to each other than this are equal but for rounding.
_ROUNDING = 1e-10


def correlate_by_permutation(
    x: ArrayLike,
    y: ArrayLike,
    method: Method = "spearman",
    permutations: int = 9999,
    rng: np.random.Generator | int | None = None,
) -> Correlation:
    """Correlate two columns, with p from the orders that one of them could have had.

    p is twice the smaller of the shares of orders with a correlation at least as high and at least as low as the
    observed one, at most 1. Up to eight rows all orders are counted and p is exact; with more rows orders are drawn
    and each share is (count + 1) / (permutations + 1), so that p is never 0.

    Parameters
    ----------
    x, y
        One number per row, shape (n,). Rows with NaN in either are left out.
    method
        ``spearman``, ``pearson``, ``kendall-b`` or ``kendall-c``.
    permutations
        How many orders to draw for more than eight rows.
    rng
        A generator, or a seed.

    Returns
    -------
    Correlation
        NaN with the reason where :func:`~rainbow.stats.correlation.correlation.correlate` gives it.

    Raises
    ------
    ValueError
        If the columns differ in length, the method has another name, or `permutations` is below 1.

    Examples
    --------
    >>> round(correlate_by_permutation([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]).p, 4)
    0.0167
    """
    if permutations < 1:
        raise ValueError(f"permutations is {permutations}: give at least 1, better 9999")
    found = correlate(x, y, method)
    if found.reason is not None:
        return found
    table = np.column_stack([np.asarray(x, dtype=float), np.asarray(y, dtype=float)])
    first, second = table[~np.isnan(table).any(axis=1)].T
    exact = found.n <= _EXACT_ROWS
    permuted = _all_orders(second) if exact else _drawn(second, permutations, np.random.default_rng(rng))
    r = np.concatenate([correlation_matrix(first[:, None], part, method)[0] for part in permuted])
    added = 0 if exact else 1  # the order that was seen is among all orders, but not among those drawn
    counts = np.sum(r >= found.r - _ROUNDING), np.sum(r <= found.r + _ROUNDING)
    return found._replace(p=min(1.0, 2 * (int(min(counts)) + added) / (len(r) + added)))


def _all_orders(values: FloatArray) -> Iterator[FloatArray]:
    yield values[np.array(list(orders(range(len(values))))).T]


def _drawn(values: FloatArray, count: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Return orders drawn at random, one per column, some at a time."""
    step = max(1, _CELLS // len(values))
    for start in range(0, count, step):
        copies = np.tile(values[:, None], min(step, count - start))
        yield rng.permuted(copies, axis=0)
