"""Correlations of the same columns under many sets of row multiplicities at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray
from rainbow.stats.correlation.correlation import METHODS, Method

# Numbers that are worked on at a time: what one step touches should stay in a processor's cache.
_BLOCK = 50_000
# Pairs of rows whose signs are held at a time, for each column (4 MB each).
_PAIRS = 1_000_000


def weighted_correlations(
    columns: ArrayLike, others: ArrayLike, weights: ArrayLike, method: Method = "spearman"
) -> FloatArray:
    """Correlate every pair of columns, with each row repeated by its weight.

    Shapes: weights (resamples, n), returns (resamples, k, m).
    """
    first, second = np.asarray(columns, dtype=float), np.asarray(others, dtype=float)
    counts = np.ascontiguousarray(np.asarray(weights, dtype=float).T)
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}: choose from {', '.join(METHODS)}")
    if not len(first) == len(second) == len(counts):
        raise ValueError(f"{len(first)} and {len(second)} rows, but {len(counts)} weights: give one weight per row")
    left, right = ([_Column(column) for column in table.T] for table in (first, second))
    if "kendall" in method:
        return _kendall(left, right, counts, method)
    result = np.empty((counts.shape[1], len(left), len(right)))
    step = max(1, _BLOCK // max(1, len(counts)))
    for start in range(0, counts.shape[1], step):
        part = slice(start, start + step)
        result[part] = _product_correlations(left, right, np.ascontiguousarray(counts[:, part]), method)
    return result


class _Column:
    """A column sorted once; `place` is the tie group of each row."""

    def __init__(self, values: FloatArray) -> None:
        self.values = values
        distinct, self.place = np.unique(values, return_inverse=True)
        self.order = np.argsort(self.place, kind="stable")
        self.starts = np.searchsorted(self.place[self.order], np.arange(len(distinct)))
        self.ends = np.append(self.starts[1:], len(values))

    def class_sizes(self, weights: FloatArray) -> FloatArray:
        """Count the rows of every tie group, shape (groups, resamples)."""
        sizes: FloatArray = np.add.reduceat(weights[self.order], self.starts, axis=0)
        return sizes

    def centred_ranks(self, weights: FloatArray) -> FloatArray:
        """Return twice the mean ranks, minus twice the mean of all ranks."""
        up_to = np.zeros((len(weights) + 1, weights.shape[1]))
        np.cumsum(np.take(weights, self.order, axis=0), axis=0, out=up_to[1:])
        # The mean rank of a class lies half way between the rows below it and those up to its end.
        if len(self.starts) == len(weights):
            ranks = up_to[:-1] + up_to[1:]
        else:
            ranks = np.take(up_to, self.starts, axis=0)
            ranks += np.take(up_to, self.ends, axis=0)
        ranks -= up_to[-1]
        centred: FloatArray = np.take(ranks, self.place, axis=0)
        return centred

    def centred_values(self, weights: FloatArray) -> FloatArray:
        """Return values minus their weighted mean; exactly 0 if all weighted rows are equal."""
        if not np.isfinite(self.values).all():
            return np.zeros_like(weights)
        centred: FloatArray = self.values[:, None] - self.values @ weights / np.maximum(weights.sum(axis=0), 1)
        constant = (self.class_sizes(weights) > 0).sum(axis=0) == 1
        centred[:, constant] = 0
        return centred

    def untied_pairs(self, weights: FloatArray) -> FloatArray:
        """Count the pairs of rows with different values, shape (resamples,)."""
        total, sizes = weights.sum(axis=0), self.class_sizes(weights)
        untied: FloatArray = (total * (total - 1) - (sizes * (sizes - 1)).sum(axis=0)) / 2
        return untied

    def signs(self, rows: slice) -> NDArray[np.float32]:
        """Return the signs of pairwise differences between selected rows and all rows, shape (m, n)."""
        signs: NDArray[np.float32] = np.sign(self.place[rows, None] - self.place).astype(np.float32)
        return signs


def _product_correlations(left: list[_Column], right: list[_Column], weights: FloatArray, method: Method) -> FloatArray:
    """Return Pearson or Spearman correlations from sums of products, shape (resamples, k, m)."""
    centre = _Column.centred_ranks if method == "spearman" else _Column.centred_values
    result = np.empty((weights.shape[1], len(left), len(right)))
    centred = [centre(column, weights) for column in right]
    weighted = [weights * values for values in centred]
    lengths = [_column_dot(*pair) for pair in zip(centred, weighted, strict=True)]
    for i, column in enumerate(left):
        values = centre(column, weights)
        length = _column_dot(values, weights * values)
        for j, other in enumerate(weighted):
            result[:, i, j] = _normalise(_column_dot(values, other), length, lengths[j])
    return np.clip(result, -1.0, 1.0)


def _column_dot(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the dot products of matching columns."""
    product: FloatArray = np.einsum("nb,nb->b", first, second)
    return product


def _normalise(product: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Divide by the geometric mean of two squared norms; NaN where one is 0."""
    length = np.sqrt(first) * np.sqrt(second)
    return _ratio_or_nan(product, length)


def _kendall(left: list[_Column], right: list[_Column], weights: FloatArray, method: Method) -> FloatArray:
    """Return Kendall correlations, ``w' S w / 2``, with S the products of difference signs."""
    result = np.empty((weights.shape[1], len(left), len(right)))
    net = _net_concordance(left, right, weights)
    for i, j in np.ndindex(net.shape[1:]):
        column, other = left[i], right[j]
        if method == "kendall-b":
            result[:, i, j] = _normalise(net[:, i, j], column.untied_pairs(weights), other.untied_pairs(weights))
        else:
            result[:, i, j] = _tau_c(net[:, i, j], column, other, weights)
    return np.clip(result, -1.0, 1.0)


def _net_concordance(left: list[_Column], right: list[_Column], weights: FloatArray) -> FloatArray:
    """Count concordant minus discordant pairs in row blocks, shape (resamples, k, m)."""
    net = np.zeros((weights.shape[1], len(left), len(right)))
    single = weights.astype(np.float32)  # sums of signs are whole numbers below 2**24: exact
    step = max(1, _PAIRS // max(1, len(weights)))
    for start in range(0, len(weights), step):
        rows = slice(start, start + step)
        signs = [column.signs(rows) for column in right]
        for i, column in enumerate(left):
            own = column.signs(rows)
            for j, other in enumerate(signs):
                net[:, i, j] += _column_dot(weights[rows], ((own * other) @ single).astype(float)) / 2
    return net


def _tau_c(net: FloatArray, column: _Column, other: _Column, weights: FloatArray) -> FloatArray:
    """Return ``2 net m / (n^2 (m - 1))``, m being the smaller number of distinct weighted values."""
    values = [(each.class_sizes(weights) > 0).sum(axis=0) for each in (column, other)]
    smaller = np.minimum(*values).astype(float)
    whole = weights.sum(axis=0) ** 2 * (smaller - 1)
    return _ratio_or_nan(2 * net * smaller, whole)


def _ratio_or_nan(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Return the ratio, or NaN where the denominator is 0."""
    ratio: FloatArray = np.divide(part, whole, out=np.full_like(part, np.nan), where=whole > 0)
    return ratio
