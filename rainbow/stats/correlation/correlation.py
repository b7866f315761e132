"""Correlations of columns with p-value, number of rows and, if undefined, the reason."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import scipy

Method = Literal["spearman", "pearson", "kendall-b", "kendall-c"]
METHODS: tuple[Method, ...] = get_args(Method)

# Three rows leave one degree of freedom: the interval of Fisher's z, 1 / (n - 3), is not defined.
MINIMUM_ROWS = 4

# Up to this many rows p is exact: all orders of one column are tried (40,320 for 8).
EXACT_ROWS = 8
# Correlations nearer to each other than this are equal but for rounding.
_ROUNDING = 1e-10


class Correlation(NamedTuple):
    """Correlation of two columns."""

    r: float  # between -1 and 1, its sign kept; NaN where it is not defined
    p: float  # two-sided, of no association; NaN where r is
    n: int  # the rows that it rests on
    reason: str | None  # why r is NaN; None where it is a number


def correlate(x: ArrayLike, y: ArrayLike, method: Method = "spearman") -> Correlation:
    """Correlate two columns: r, two-sided p-value and the number of rows with both values.

    Shapes: x, y (n,).
    """
    first, second = _complete_rows(x, y)
    return correlate_columns(first[:, None], second[:, None], method)[0][0]


def correlate_columns(
    columns: ArrayLike,
    others: ArrayLike,
    method: Method = "spearman",
    names: tuple[Sequence[str], Sequence[str]] | None = None,
) -> list[list[Correlation]]:
    """Correlate every column of one table with every column of another, as :func:`correlate` does."""
    _check_method(method)
    tables = [np.asarray(table, dtype=float) for table in (columns, others)]
    if names is None:
        names = ["x"] * tables[0].shape[1], ["y"] * tables[1].shape[1]
    left, right = (
        [_prepare_column(*each, method) for each in zip(table.T, of, strict=True)]
        for table, of in zip(tables, names, strict=True)
    )
    return [[_correlate_prepared(one, other, method) for other in right] for one in left]


def correlation_matrix(columns: ArrayLike, others: ArrayLike, method: Method = "spearman") -> FloatArray:
    """Return the correlations of the columns of two tables, shape (k, m)."""
    _check_method(method)
    first, second = np.asarray(columns, dtype=float), np.asarray(others, dtype=float)
    if first.ndim != 2 or second.ndim != 2 or len(first) != len(second):
        raise ValueError(f"tables of shapes {first.shape} and {second.shape}: give two tables with the same rows")
    if np.isnan(first).any() or np.isnan(second).any():
        raise ValueError("the tables contain NaN: drop those rows, or use correlate()")
    if "kendall" in method:
        return _kendall_matrix(first, second, method)
    if not len(first):
        return np.full((first.shape[1], second.shape[1]), np.nan)
    r: FloatArray = _standardise(_ranks_or_values(first, method)).T @ _standardise(_ranks_or_values(second, method))
    return np.clip(r, -1.0, 1.0)


def undefined_correlation_reason(x: FloatArray, y: FloatArray, names: tuple[str, str]) -> str | None:
    """Return why two columns without NaN have no Spearman correlation, or None."""
    return _undefined_reason(x, names[0], "spearman") or _undefined_reason(y, names[1], "spearman")


class _Column(NamedTuple):
    """A column prepared for correlation with many others."""

    values: FloatArray
    reason: str | None  # why nothing correlates with it
    scaled: FloatArray | None  # values or ranks, with mean 0 and length 1, shape (n, 1); None where they are not needed


def _prepare_column(values: FloatArray, name: str, method: Method) -> _Column:
    """Prepare a column for correlation with many others."""
    reason = _undefined_reason(values, name, method)
    needed = reason is None and "kendall" not in method
    return _Column(values, reason, _standardise(_ranks_or_values(values[:, None], method)) if needed else None)


def _correlate_prepared(one: _Column, other: _Column, method: Method) -> Correlation:
    """Correlate two prepared columns."""
    x, y, n = one.values, other.values, len(one.values)
    if (reason := one.reason or other.reason) is not None:
        return Correlation(math.nan, math.nan, n, reason)
    if one.scaled is None or other.scaled is None:
        matrix = _kendall_matrix(x[:, None], y[:, None], method)
    else:
        matrix = np.clip(one.scaled.T @ other.scaled, -1.0, 1.0)
    r = float(matrix[0, 0])
    return Correlation(r, _p_value(x, y, method, r), n, None)


def _undefined_reason(column: FloatArray, name: str, method: Method) -> str | None:
    """Return why a column has no correlation, or None."""
    if len(column) < MINIMUM_ROWS:
        return f"only {len(column)} rows have both values: at least {MINIMUM_ROWS} are needed"
    if np.all(column == column[0]):
        return f"{name} is constant"
    return f"{name} has infinite values" if method == "pearson" and not np.isfinite(column).all() else None


def _ranks_or_values(table: FloatArray, method: Method) -> FloatArray:
    """Return mean ranks for Spearman, else the values."""
    if method != "spearman":
        return table
    if table.shape[1] == 1:
        return _mean_ranks(table[:, 0])[:, None]
    return np.asarray(scipy.stats.rankdata(table, axis=0))


def _mean_ranks(column: FloatArray) -> FloatArray:
    """Return the mean ranks of a column, equal to SciPy's but faster for a single column."""
    order = np.argsort(column)
    ascending = column[order]
    bounds = np.concatenate([[0], np.flatnonzero(ascending[1:] != ascending[:-1]) + 1, [len(column)]])
    ranks = np.empty(len(column))
    ranks[order] = np.repeat((bounds[:-1] + bounds[1:] + 1) / 2, np.diff(bounds))
    return ranks


def _complete_rows(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return two columns without the rows where either is NaN."""
    first, second = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(f"columns of shapes {first.shape} and {second.shape}: give two columns of the same length")
    both = ~(np.isnan(first) | np.isnan(second))
    return first[both], second[both]


def _check_method(method: str) -> None:
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}: choose from {', '.join(METHODS)}")


def _standardise(table: FloatArray) -> FloatArray:
    """Scale columns to mean 0 and norm 1; NaN where a column is constant or infinite."""
    # An exact comparison: the mean of equal numbers may differ from them by rounding.
    varies = np.isfinite(table).all(axis=0) & (table != table[:1]).any(axis=0)
    scaled = table[:, varies] / np.abs(table[:, varies]).max(axis=0, initial=1e-300)
    centred = scaled - scaled.mean(axis=0)
    result = np.full(table.shape, np.nan)
    result[:, varies] = centred / np.sqrt((centred**2).sum(axis=0))
    return result


def _kendall_matrix(columns: FloatArray, others: FloatArray, method: Method) -> FloatArray:
    """Return Kendall correlations of the columns of two tables, computed row by row."""
    first, second = (_dense_ranks(table) for table in (columns, others))
    net = np.zeros((columns.shape[1], others.shape[1]))
    untied = [np.zeros(columns.shape[1]), np.zeros(others.shape[1])]
    for row in range(1, len(columns)):
        signs = [np.sign(table[:row] - table[row]) for table in (first, second)]
        net += signs[0].T @ signs[1]
        untied = [count + (sign != 0).sum(axis=0) for count, sign in zip(untied, signs, strict=True)]
    if method == "kendall-b":
        whole = np.sqrt(np.outer(*untied))
    else:
        smaller = np.minimum.outer(*(table.max(axis=0, initial=0) + 1 for table in (first, second)))
        whole = len(columns) ** 2 * (smaller - 1) / (2 * smaller)
    return np.clip(np.divide(net, whole, out=np.full_like(net, np.nan), where=whole > 0), -1.0, 1.0)


def _dense_ranks(table: FloatArray) -> FloatArray:
    """Return the index of each value among the distinct values of its column."""
    return scipy.stats.rankdata(table, method="dense", axis=0) - 1.0


def _p_value(x: FloatArray, y: FloatArray, method: Method, r: float) -> float:
    """Return the two-sided p-value of a correlation."""
    if len(x) <= EXACT_ROWS:
        return _exact_p(x, y, method, r)
    if "kendall" in method:
        return float(scipy.stats.kendalltau(x, y, variant="c" if method == "kendall-c" else "b").pvalue)
    return _t_p(r, len(x))


def _exact_p(x: FloatArray, y: FloatArray, method: Method, r: float) -> float:
    """Return the exact two-sided p-value: twice the smaller tail over all permutations of y."""
    if "kendall" in method:
        result = _kendall_matrix(x[:, None], y[_all_permutations(len(y))].T, method)[0]
    else:
        first, second = (_standardise(_ranks_or_values(values[:, None], method))[:, 0] for values in (x, y))
        result = second[_all_permutations(len(y))] @ first
    return min(1.0, 2 * float(min(np.mean(result >= r - _ROUNDING), np.mean(result <= r + _ROUNDING))))


@cache
def _all_permutations(n: int) -> IntArray:
    """Return all permutations of n positions, shape (n!, n)."""
    return np.array(list(permutations(range(n))))


def _t_p(r: float, n: int) -> float:
    degrees = n - 2
    if abs(r) == 1:
        return 0.0
    return float(2 * scipy.special.stdtr(degrees, -abs(r) * math.sqrt(degrees / ((1 + r) * (1 - r)))))
