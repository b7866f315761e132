"""Permutation test of whether columns order a few systems as their ratings do."""

from __future__ import annotations

import math
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.stats.correlation.within_strata import ranks_within

# Up to this many orders all are tried: those of seven systems.
_MAX_EXACT_ORDERS = 5040
_ROUNDING = 1e-9


class OrderTest(NamedTuple):
    """Agreement of k columns with the order of the systems by their ratings."""

    r: FloatArray  # spearman's correlation over systems; NaN where a column is constant
    p: FloatArray  # one-sided, corrected for having chosen among all columns; NaN where r is
    least: float  # the smallest p that a perfect order would have: where it is above .05, nothing can be tested


def order_test(
    columns: ArrayLike, rated: ArrayLike, strata: IntArray | None = None, resamples: int = 1000, rng: Random = None
) -> OrderTest:
    """Test whether columns order systems as their ratings do, corrected for selection.

    Shapes: columns (systems, k), rated (systems,).
    """
    x = np.asarray(columns, dtype=float)
    labels = np.zeros(len(x), dtype=int) if strata is None else np.unique(strata, return_inverse=True)[1]
    r, p = np.full((2, x.shape[1]), np.nan)
    marks, same = _distinct_ratings(np.asarray(rated, dtype=float), x.shape[1])
    complete = ~np.isnan(x).any(axis=0)
    ranks, marks = ranks_within(np.where(complete, x, 0.0), labels), ranks_within(marks, labels)
    size = np.sqrt((ranks**2).sum(axis=0) * (marks[:, same] ** 2).sum(axis=0))
    known = complete & (size > _ROUNDING)
    if not known.any():
        return OrderTest(r, p, np.nan)
    scaled = ranks / np.where(known, size, 1.0)
    r[known] = (marks[:, same] * scaled).sum(axis=0)[known]
    orders = _stratified_orders(labels, resamples, rng)
    groups = [(mark, scaled[:, known & (same == place)]) for place, mark in enumerate(marks.T)]
    highest = np.sort(np.max([(mark[orders] @ own).max(axis=1) for mark, own in groups if own.size], axis=0))
    drawn = 0 if len(orders) == _count_orders(labels) else 1
    reached = len(orders) - np.searchsorted(highest, np.append(r[known], 1.0) - _ROUNDING)
    shares = (np.maximum(reached, 1 - drawn) + drawn) / (len(orders) + drawn)
    p[known] = shares[:-1]
    return OrderTest(r, p, float(shares[-1]))


def _distinct_ratings(rated: FloatArray, columns: int) -> tuple[FloatArray, IntArray]:
    """Return the distinct rating columns, shape (systems, kinds), and the kind of each column."""
    if rated.ndim == 1:
        return rated[:, None], np.zeros(columns, dtype=int)
    kinds, places = np.unique(rated, axis=1, return_inverse=True)
    return kinds, places.ravel()


def _count_orders(labels: IntArray) -> int:
    """Return the number of orders within strata."""
    return math.prod(math.factorial(int(size)) for size in np.bincount(labels))


def _stratified_orders(labels: IntArray, resamples: int, rng: Random) -> IntArray:
    """Return orders of the systems within strata, shape (orders, systems); all if there are few."""
    places = [np.flatnonzero(labels == label) for label in range(int(labels.max()) + 1)]
    if _count_orders(labels) <= _MAX_EXACT_ORDERS:
        orders = np.arange(len(labels))[None]
        for own in places:
            inner = np.array(list(permutations(own)))
            orders = np.repeat(orders, len(inner), axis=0)
            orders[:, own] = np.tile(inner, (len(orders) // len(inner), 1))
        return orders
    generator = np.random.default_rng(rng)
    orders = np.tile(np.arange(len(labels)), (resamples, 1))
    for own in places:
        orders[:, own] = generator.permuted(orders[:, own], axis=1)
    return orders
