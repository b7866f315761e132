"""Many small correlations at once: row by row of two tables, each with how often its places count."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray

__all__ = ["RowwiseMethod", "rowwise_correlations"]

RowwiseMethod = Literal["spearman", "pearson", "kendall-b"]

# Tables of pairs of places are made for so many cells at a time (16 MB as floats).
_CELLS = 2_000_000
# Up to so many places all pairs of them are counted at once; beyond, sorting each row costs less.
_PAIRWISE = 60


def rowwise_correlations(
    x: ArrayLike, y: ArrayLike, weights: ArrayLike = 1.0, method: RowwiseMethod = "spearman"
) -> FloatArray:
    """Correlate each row of one table with the same row of another, shape (rows,).

    A permutation test has a row of other values for each of its resamples; a bootstrap a row of other weights, for
    which :func:`weighted_correlations` is faster where the values stay.

    Parameters
    ----------
    x, y
        Values, shapes (rows, n); one row stands for all where there is only one.
    weights
        How often each place counts: whole numbers from 0 up, shape (rows, n) or (n,). At a place that counts 0 the
        values may be any number.
    method
        ``spearman`` (ties have their mean rank), ``pearson`` or ``kendall-b``.

    Returns
    -------
    ndarray
        Between -1 and 1; NaN where x or y is constant over the places that count.

    Raises
    ------
    ValueError
        If the method has another name.

    Examples
    --------
    >>> rowwise_correlations([[1, 2, 3, 9], [9, 1, 2, 3]], [[1, 2, 4, 3]]).round(2).tolist()
    [0.8, -0.4]
    >>> rowwise_correlations([[1, 2, 3, 9]], [[1, 2, 4, 3]], [[1, 1, 1, 0], [2, 1, 0, 0]], "pearson").round(2).tolist()
    [0.98, 1.0]
    """
    if method not in get_args(RowwiseMethod):
        raise ValueError(f"there is no method {method!r}: choose from {', '.join(get_args(RowwiseMethod))}")
    first, second, counts = (np.atleast_2d(np.asarray(table, dtype=float)) for table in (x, y, weights))
    counts = np.broadcast_to(counts, (len(counts), first.shape[1]))
    if method == "kendall-b":
        return _kendall(first, second, counts)
    if method == "spearman":
        first, second = _ranks(first, counts), _ranks(second, counts)
    return _pearson(first, second, counts)


def _pearson(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    total = weights.sum(axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        first, second = (values - (weights * values).sum(axis=1, keepdims=True) / total for values in (x, y))
        product = (weights * first * second).sum(axis=1)
        lengths = [np.sqrt((weights * values**2).sum(axis=1)) for values in (first, second)]
        r = np.where(_varies(x, weights) & _varies(y, weights), product / lengths[0] / lengths[1], np.nan)
    return np.clip(r, -1.0, 1.0)


def _varies(values: FloatArray, weights: FloatArray) -> NDArray[np.bool_]:
    """Say where there are two different values: an exact comparison, as the mean of equal numbers is rounded."""
    shape = np.broadcast_shapes(values.shape, weights.shape)
    values, counts = np.broadcast_to(values, shape), np.broadcast_to(weights > 0, shape)
    lowest = values.min(axis=1, where=counts, initial=np.inf)
    return np.asarray(values.max(axis=1, where=counts, initial=-np.inf) > lowest)


def _ranks(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Rank the values of each row as if each stood there as often as its weight says."""
    order = np.argsort(values, axis=1)
    sorted_values = np.take_along_axis(values, order, axis=1)
    through = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    before = np.zeros_like(through)
    before[:, 1:] = through[:, :-1]
    first = np.ones(sorted_values.shape, dtype=bool)
    first[:, 1:] = sorted_values[:, 1:] != sorted_values[:, :-1]
    last = np.ones_like(first)
    last[:, :-1] = first[:, 1:]
    # Equal values share what lies before the first and through the last of them; both never fall along a row.
    before = np.maximum.accumulate(np.where(first, before, 0.0), axis=1)
    through = np.minimum.accumulate(np.where(last, through, np.inf)[:, ::-1], axis=1)[:, ::-1]
    return np.take_along_axis((before + through + 1) / 2, np.argsort(order, axis=1), axis=1)


def _kendall(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    rows, n = np.broadcast_shapes(x.shape, y.shape, weights.shape)
    if n > _PAIRWISE:
        tables = (np.broadcast_to(table, (rows, n)) for table in (x, y, weights.astype(np.int64)))
        return np.array([_kendall_by_sorting(*row) for row in zip(*tables, strict=True)])
    result = np.empty(rows)
    step = max(1, _CELLS // max(1, n * n))
    for start in range(0, rows, step):
        part = slice(start, start + step)
        first, second, counts = (table if len(table) == 1 else table[part] for table in (x, y, weights))
        result[part] = _concordance(first, second, counts)
    return result


def _concordance(x: FloatArray, y: FloatArray, weights: FloatArray) -> FloatArray:
    """Return concordant less discordant pairs, over the geometric mean of the pairs untied in x and in y."""
    first, second = (np.sign(values[:, :, None] - values[:, None, :]) for values in (x, y))
    net, untied, untied_other = (
        np.einsum("rij,ri,rj->r", signs, weights, weights, optimize=True)
        for signs in (first * second, first**2, second**2)
    )
    whole = np.sqrt(untied * untied_other)
    undefined = np.full(np.broadcast_shapes(net.shape, whole.shape), np.nan)
    r: FloatArray = np.divide(net, whole, out=undefined, where=whole > 0)
    return r


def _kendall_by_sorting(x: FloatArray, y: FloatArray, counts: NDArray[np.int64]) -> float:
    from scipy.stats import kendalltau

    return float(kendalltau(np.repeat(x, counts), np.repeat(y, counts), method="asymptotic").statistic)
