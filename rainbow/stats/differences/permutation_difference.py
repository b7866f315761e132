"""Does one metric correlate better with the ratings than another? By swapping their scores, many pairs at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, Random
from rainbow.stats.correlation.correlation import MINIMUM_ROWS
from rainbow.stats.differences.stratum_permutation import standardised

__all__ = ["permutation_differences"]

# Swaps are drawn in blocks of so many numbers (16 MB as floats).
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
    """Return p, for every two columns, of the hypothesis that both correlate equally well with the ratings.

    ``p = (1 + #{|d*| >= |d|}) / (1 + resamples)``, where d is the difference of the two correlations and d* what it is
    after the standardised scores of each unit were swapped, or not, with probability 1/2 (PERM-BOTH where every row is
    a unit, PERM-INPUTS or PERM-SYSTEMS where an input or a system is). Standardised are the scores (Pearson), or their
    ranks (Spearman); correlated are those.

    Parameters
    ----------
    columns
        Scores of k metrics, turned so that higher is better, shape (n, k), no NaN.
    ratings
        Shape (n,), no NaN.
    units
        What is swapped as a whole: a label for each row; by default each row by itself.
    method
        ``spearman`` or ``pearson``.
    resamples
        The number of random swaps; all pairs share them.
    rng
        A seed or a numpy Generator.

    Returns
    -------
    ndarray
        Symmetric, shape (k, k): two-sided, never 0; NaN on the diagonal, where a column or the ratings are constant
        (or infinite), and if there are fewer than four units.

    Raises
    ------
    ValueError
        If `resamples` is below 1.

    Notes
    -----
    Swaps of single rows have the most power, and keep their size if the errors of a metric are independent from output
    to output. A metric that likes the style of one system has an error that all outputs of that system share; then
    swaps of rows, or of inputs, call equally good metrics different far too often, and swaps of systems do not. With u
    units no two-sided p is below ``2 / 2**u``.

    References
    ----------
    Deutsch, D., Dror, R. and Roth, D. (2021). A statistical analysis of summarization evaluation metrics using
    resampling methods. Transactions of the Association for Computational Linguistics 9.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> ratings = rng.normal(size=100)
    >>> good, poor = ratings + rng.normal(size=100), ratings + 3 * rng.normal(size=100)
    >>> permutation_differences(np.column_stack([good, poor]), ratings, rng=2).round(3).tolist()
    [[nan, 0.009], [0.009, nan]]
    """
    if resamples < 1:
        raise ValueError(f"{resamples} resamples: give at least 1, better 9,999")
    scores, rated = np.asarray(columns, dtype=float), np.asarray(ratings, dtype=float)
    places = np.unique(np.arange(len(rated)) if units is None else np.asarray(units, dtype=str), return_inverse=True)[1]
    k = scores.shape[1]
    p, pairs = np.full((k, k), np.nan), np.triu_indices(k, 1)
    if places.max(initial=-1) + 1 < MINIMUM_ROWS:
        return p
    sums = _Sums(standardised(scores, method), standardised(rated[:, None], method)[:, 0], pairs)
    observed = np.abs(sums.differences(np.zeros((1, len(rated))))[0])
    reached = np.zeros(len(observed), dtype=int)
    for swapped in _swaps(places, resamples, np.random.default_rng(rng)):
        # Where a column is constant after swaps nothing is known: that counts against a difference.
        reached += (~(np.abs(sums.differences(swapped)) < observed - _ROUNDING)).sum(axis=0)
    p[pairs] = p.T[pairs] = np.where(np.isnan(observed), np.nan, (reached + 1) / (resamples + 1))
    return p


class _Sums:
    """All that the correlations after any swaps are made of, one matrix product away.

    Of two standardised columns x and y the first has, with 1 in s where rows are swapped, the sum of values
    ``s (y - x)``, that of squares ``n + s (y^2 - x^2)`` and that of products with the ratings ``x'r + s ((y - x) r)``;
    the other column has what is left.
    """

    def __init__(self, scores: FloatArray, ratings: FloatArray, pairs: tuple[NDArray[np.intp], ...]) -> None:
        first, second = (scores[:, side] for side in pairs)
        self.n = len(ratings)
        self.products = first.T @ ratings, second.T @ ratings
        gap = second - first
        self.terms = np.hstack([gap, second**2 - first**2, gap * ratings[:, None]])

    def differences(self, swapped: FloatArray) -> FloatArray:
        """Return the differences of the two correlations after swaps of rows, shape (swaps, pairs)."""
        values, squares, products = np.split(swapped @ self.terms, 3, axis=1)
        first = (self.products[0] + products) / self._length(values, squares)
        second = (self.products[1] - products) / self._length(values, -squares)
        difference: FloatArray = first - second
        return difference

    def _length(self, values: FloatArray, squares: FloatArray) -> FloatArray:
        """Return n times the standard deviation; NaN where it is 0 but for rounding."""
        variance = self.n * (self.n + squares) - values**2
        return np.sqrt(np.where(variance > _ROUNDING, variance, np.nan))


def _swaps(units: NDArray[np.intp], resamples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Return which rows are swapped, 1 or 0, shapes (block, rows)."""
    size = max(1, _CELLS // len(units))
    for start in range(0, resamples, size):
        yield (rng.random((min(size, resamples - start), int(units.max()) + 1)) < 0.5)[:, units].astype(float)
