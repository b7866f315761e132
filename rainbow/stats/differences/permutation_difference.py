"""Permutation tests of differences in correlation with the ratings: of pairs of columns, and of two strata."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import BoolArray, FloatArray, IntArray, Random
from rainbow.base.lazy import scipy
from rainbow.stats.correlation.correlation import MINIMUM_ROWS
from rainbow.stats.resamples import permutation_p

# Swaps and labels are drawn in blocks of this many numbers (16 MB as floats).
_CELLS = 2_000_000
# Statistics that are nearer to each other than this are equal but for rounding.
_ROUNDING = 1e-9


def permutation_differences(
    columns: ArrayLike,
    ratings: ArrayLike,
    units: ArrayLike | None = None,
    *,
    resamples: int = 9_999,
    rng: Random = None,
) -> FloatArray:
    """Return the p-value, for each pair of columns, of equal correlation with the ratings.

    Shapes: columns (n, k), ratings (n,), returns (k, k).
    Source: Deutsch, D., Dror, R. and Roth, D. (2021). A statistical analysis of summarization evaluation metrics using
    resampling methods. Transactions of the Association for Computational Linguistics 9.
    """
    if resamples < 1:
        raise ValueError(f"{resamples} resamples: use at least 1, ideally 9,999")
    scores, rated = np.asarray(columns, dtype=float), np.asarray(ratings, dtype=float)
    places = np.unique(np.arange(len(rated)) if units is None else np.asarray(units, dtype=str), return_inverse=True)[1]
    k = scores.shape[1]
    p, pairs = np.full((k, k), np.nan), np.triu_indices(k, 1)
    if places.max(initial=-1) + 1 < MINIMUM_ROWS:
        return p
    sums = _PairSums(_standard_ranks(scores), _standard_ranks(rated[:, None])[:, 0], pairs)
    observed = np.abs(sums.differences(np.zeros((1, len(rated))))[0])
    reached = np.zeros(len(observed), dtype=int)
    for swapped in _swap_blocks(places, resamples, np.random.default_rng(rng)):
        # A column that is constant after swaps is undefined, which counts against a difference.
        reached += (~(np.abs(sums.differences(swapped)) < observed - _ROUNDING)).sum(axis=0)
    p[pairs] = p.T[pairs] = np.where(np.isnan(observed), np.nan, (reached + 1) / (resamples + 1))
    return p


class _PairSums:
    """Sums that give the correlations after any swaps by one matrix product."""

    def __init__(self, scores: FloatArray, ratings: FloatArray, pairs: tuple[NDArray[np.intp], ...]) -> None:
        first, second = (scores[:, side] for side in pairs)
        self.n = len(ratings)
        self.products = first.T @ ratings, second.T @ ratings
        gap = second - first
        self.terms = np.hstack([gap, second**2 - first**2, gap * ratings[:, None]])

    def differences(self, swapped: FloatArray) -> FloatArray:
        """Return the differences of the two correlations after swaps of rows, shape (swaps, pairs)."""
        values, squares, products = np.split(swapped @ self.terms, 3, axis=1)
        first = (self.products[0] + products) / self._scale(values, squares)
        second = (self.products[1] - products) / self._scale(values, -squares)
        difference: FloatArray = first - second
        return difference

    def _scale(self, values: FloatArray, squares: FloatArray) -> FloatArray:
        """Return n times the standard deviation; NaN if it is 0 up to rounding."""
        variance = self.n * (self.n + squares) - values**2
        return np.sqrt(np.where(variance > _ROUNDING, variance, np.nan))


def _swap_blocks(units: NDArray[np.intp], resamples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Yield which rows are swapped (1 or 0), in blocks of shape (block, rows)."""
    size = max(1, _CELLS // len(units))
    for start in range(0, resamples, size):
        yield (rng.random((min(size, resamples - start), int(units.max()) + 1)) < 0.5)[:, units].astype(float)


Stratum = tuple[ArrayLike, ArrayLike]

# Fisher's z of a correlation of 1 is infinite.
_MAX_CORRELATION = 1 - 1e-12


def stratum_permutation_p(
    first: Stratum, second: Stratum, *, resamples: int = 10_000, tests: int = 0, rng: Random = None
) -> tuple[FloatArray, IntArray]:
    """Return the p-value, for each pair of columns, of equal correlation in two strata.

    Shapes: first, second (n, k) and (n, m), without NaN; returns (k, m).
    Source: Omelka, M. and Pauly, M. (2012). Testing equality of correlation coefficients in two populations via
    permutation methods. Journal of Statistical Planning and Inference 142.
    """
    if resamples < 1:
        raise ValueError(f"{resamples} resamples: use at least 1, ideally 10,000")
    (a, b), (c, d) = (map(_standard_ranks, stratum) for stratum in (first, second))
    columns, others = np.vstack([a, c]), np.vstack([b, d])
    labels = np.repeat([True, False], [len(a), len(c)])

    def count(chosen: BoolArray | slice, resamples: int, generator: np.random.Generator) -> FloatArray:
        sums = _StratumSums(columns[:, chosen], others)
        observed = sums.differences(labels[None])[0]
        reached = np.where(np.isnan(observed), np.nan, 0)
        for permuted in _permuted_labels(labels, resamples, generator):
            # A column that is constant in a permuted stratum is undefined, which counts against a difference.
            reached += (~(sums.differences(permuted) < observed - _ROUNDING)).sum(axis=0)
        return reached

    return permutation_p(count, resamples, tests, rng)


class _StratumSums:
    """Sums that give the correlations of any subset of rows by one matrix product."""

    def __init__(self, columns: FloatArray, others: FloatArray) -> None:
        self.shape = columns.shape[1], others.shape[1]
        products = (columns[:, :, None] * others[:, None, :]).reshape(len(columns), -1)
        self.terms = np.hstack([columns, columns**2, others, others**2, products])
        self.totals = self.terms.sum(axis=0)

    def differences(self, labels: BoolArray) -> FloatArray:
        """Return |artanh r - artanh s| of the rows with and without each label, shape (labels, k, m)."""
        chosen = labels.astype(float) @ self.terms
        sizes = labels.sum(axis=1)
        first = self._correlations(chosen, sizes)
        second = self._correlations(self.totals - chosen, labels.shape[1] - sizes)
        gaps: FloatArray = np.abs(np.arctanh(first) - np.arctanh(second))
        return gaps

    def _correlations(self, sums: FloatArray, sizes: IntArray) -> FloatArray:
        k, m = self.shape
        x, xx, y, yy, xy = np.split(sums / sizes[:, None], np.cumsum([k, k, m, m]), axis=1)
        covariance = xy.reshape(-1, k, m) - x[:, :, None] * y[:, None, :]
        scale = np.sqrt(_variance(x, xx)[:, :, None] * _variance(y, yy)[:, None, :])
        r: FloatArray = covariance / scale
        return np.clip(r, -_MAX_CORRELATION, _MAX_CORRELATION)


def _variance(mean: FloatArray, mean_of_squares: FloatArray) -> FloatArray:
    """Return the variance; NaN if it is 0 up to rounding (the pooled variance is 1)."""
    variance = mean_of_squares - mean**2
    return np.where(variance > _ROUNDING, variance, np.nan)


def _standard_ranks(table: ArrayLike) -> FloatArray:
    """Scale the ranks of columns to mean 0 and variance 1; NaN if constant."""
    ranks: FloatArray = scipy.stats.rankdata(np.asarray(table, dtype=float), axis=0)
    varies = (ranks != ranks[:1]).any(axis=0)
    result = np.full(ranks.shape, np.nan)
    centred = ranks[:, varies] - ranks[:, varies].mean(axis=0)
    result[:, varies] = centred / np.sqrt((centred**2).mean(axis=0))
    return result


def _permuted_labels(labels: BoolArray, resamples: int, generator: np.random.Generator) -> Iterator[BoolArray]:
    """Yield randomly permuted labels in blocks of shape (block, rows)."""
    size = max(1, _CELLS // len(labels))
    for start in range(0, resamples, size):
        yield generator.permuted(np.tile(labels, (min(size, resamples - start), 1)), axis=1)
