"""Permutation tests of differences in correlation with the ratings, for many pairs at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, Random
from rainbow.stats.correlation.correlation import MINIMUM_ROWS
from rainbow.stats.differences.stratum_permutation import standardise

# Swaps are drawn in blocks of this many numbers (16 MB as floats).
_CELLS = 2_000_000
# Differences that are nearer to each other than this are equal but for rounding.
_ROUNDING = 1e-9


def permutation_differences(
    columns: ArrayLike,
    ratings: ArrayLike,
    units: ArrayLike | None = None,
    method: Literal["spearman", "pearson"] = "spearman",
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
    sums = _Sums(standardise(scores, method), standardise(rated[:, None], method)[:, 0], pairs)
    observed = np.abs(sums.differences(np.zeros((1, len(rated))))[0])
    reached = np.zeros(len(observed), dtype=int)
    for swapped in _swap_blocks(places, resamples, np.random.default_rng(rng)):
        # A column that is constant after swaps is undefined, which counts against a difference.
        reached += (~(np.abs(sums.differences(swapped)) < observed - _ROUNDING)).sum(axis=0)
    p[pairs] = p.T[pairs] = np.where(np.isnan(observed), np.nan, (reached + 1) / (resamples + 1))
    return p


class _Sums:
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
