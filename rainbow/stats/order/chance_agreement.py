"""Pairwise accuracy expected by chance, and tests of whether a metric exceeds it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.base.lazy import scipy
from rainbow.stats.order.pairs import Signs
from rainbow.stats.resamples import second_round

SIGNS = (-1, 0, 1)
# Permuted signs that are multiplied at a time (8 MB): one product of many permutations, as small ones are slow.
_CELLS = 2_000_000


class PermutationTests(NamedTuple):
    """Permutation p-values for every metric and rating, each of shape (k, m)."""

    p: FloatArray  # one-sided, of an accuracy no better than chance; never 0
    permutations: NDArray[np.int64]  # how many were made


def count_agreements(metric: Signs, human: Signs) -> NDArray[np.int64]:
    """Count the pairs that metrics order as people do, counting ties as an order.

    Shapes: returns (k, m).
    """
    counts = [
        np.rint(np.tensordot(_one_hot(scores), _one_hot(ratings), ((0, 1), (0, 1)))).astype(np.int64)
        for scores, ratings in zip(metric, human, strict=True)
    ]
    total: NDArray[np.int64] = np.sum(counts, axis=0, dtype=np.int64)
    return total


def expected_accuracy(metric: Signs, human: Signs) -> FloatArray:
    """Return the expected accuracy of metrics with permuted signs, shape (k, m)."""
    total = sum(scores.shape[0] * scores.shape[1] for scores in metric)
    expected = [
        _one_hot(scores).sum(axis=0, dtype=float).T @ _one_hot(ratings).sum(axis=0, dtype=float) / len(scores)
        for scores, ratings in zip(metric, human, strict=True)
    ]
    accuracy: FloatArray = np.sum(expected, axis=0) / total
    return accuracy


def can_permute(signs: Signs) -> bool:
    """Return whether any two items have equally many outputs and can be exchanged."""
    return any(len(block) > 1 for block in signs)


def permutation_test(
    metric: Signs, human: Signs, permutations: int = 1000, tests: int = 0, rng: Random = None
) -> PermutationTests:
    """Return the permutation p-value that a metric's signs are independent of the item."""
    if permutations < 1:
        raise ValueError(f"{permutations} permutations: use at least 1")
    generator = np.random.default_rng(rng)
    count = _count_exceedances(metric, human, permutations, generator)
    made = np.full(count.shape, permutations)
    more, unsettled = second_round((count + 1) / (made + 1), permutations, tests)
    if unsettled.any():
        rows = unsettled.any(axis=1)
        part = [block[:, :, rows] for block in metric]
        again = _count_exceedances(part, human, more, generator.spawn(1)[0])
        count[rows] += np.where(unsettled[rows], again, 0)
        made[unsettled] += more
    return PermutationTests((count + 1) / (made + 1), made)


def _count_exceedances(metric: Signs, human: Signs, permutations: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Count the permutations with at least the observed number of agreements, shape (k, m)."""
    first = [_columns_first(block, 3).reshape(block.shape[-1], -1) for block in metric]
    second = [_columns_first(block, 1) for block in human]

    def sums(orders: Iterable[IntArray]) -> NDArray[np.float32]:
        # Whole numbers far below 2^24, so float32 is exact.
        shuffled = (block[:, order] for block, order in zip(second, orders, strict=True))
        results = [left @ right.reshape(-1, left.shape[1]).T for left, right in zip(first, shuffled, strict=True)]
        agreeing: NDArray[np.float32] = np.sum(results, axis=0).reshape(len(first[0]), len(second[0]), -1)
        return agreeing

    observed = sums(np.arange(block.shape[1])[None] for block in second)
    count = np.zeros(observed.shape[:2], dtype=np.int64)
    size = max(1, _CELLS // sum(block.size for block in second))
    for start in range(0, permutations, size):
        drawn = range(min(size, permutations - start))
        orders = [[rng.permutation(block.shape[1]) for block in second] for _ in drawn]
        count += (sums(map(np.array, zip(*orders, strict=True))) >= observed).sum(axis=2)
    return count


def binomial_p(agreeing: ArrayLike, pairs: ArrayLike, chance: ArrayLike) -> FloatArray:
    """Return the probability of at least this many agreements under independent chance."""
    p = scipy.stats.binom.sf(np.asarray(agreeing) - 1, np.asarray(pairs, dtype=float), np.asarray(chance, dtype=float))
    return np.asarray(p, dtype=float)


def wilcoxon_p(right: ArrayLike, random_right: ArrayLike) -> FloatArray:
    """Return the two-sided Wilcoxon signed-rank p-value of two lists of right and wrong pairs."""
    difference = np.asarray(right, dtype=np.int8) - np.asarray(random_right, dtype=np.int8)
    differing = np.count_nonzero(difference, axis=0)
    with np.errstate(invalid="ignore"):  # 0 / 0: no pair differs
        z = np.abs(difference.sum(axis=0)) / np.sqrt(differing)
    return np.asarray(2 * scipy.stats.norm.sf(z), dtype=float)


def _one_hot(signs: NDArray[np.int8]) -> NDArray[np.float32]:
    """Turn shape (items, pairs, columns) into (items, 3 pairs, columns) of indicators of -1, 0, 1."""
    return np.concatenate([signs == sign for sign in SIGNS], axis=1).astype(np.float32)


def _columns_first(block: NDArray[np.int8], times: int) -> NDArray[np.float32]:
    """Turn (items, pairs, columns) into (columns, items, 2 pairs): signs and repeated squares."""
    return np.concatenate([block, times * block * block], axis=1, dtype=np.float32).transpose(2, 0, 1).copy()
