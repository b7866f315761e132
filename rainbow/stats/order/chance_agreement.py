"""Pairwise accuracy expected by chance, and tests of whether a metric exceeds it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import BoolArray, FloatArray, IntArray, Random
from rainbow.base.lazy import scipy
from rainbow.stats.order.pairs import Signs
from rainbow.stats.resamples import permutation_p

SIGNS = (-1, 0, 1)
# Permuted signs that are multiplied at a time (8 MB): one product of many permutations, as small ones are slow.
_CELLS = 2_000_000


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
) -> tuple[FloatArray, NDArray[np.int64]]:
    """Return the one-sided p-value that a metric's signs are independent of the item, and the permutations.

    Shapes: returns (k, m) each.
    """
    return permutation_p(partial(_count_exceedances, metric, human), permutations, tests, rng)


def _count_exceedances(
    metric: Signs, human: Signs, columns: BoolArray | slice, permutations: int, rng: np.random.Generator
) -> FloatArray:
    """Count the permutations with at least the observed number of agreements, shape (columns, m)."""
    chosen = [block[:, :, columns] for block in metric]
    first = [_columns_first(block, 3).reshape(block.shape[-1], -1) for block in chosen]
    second = [_columns_first(block, 1) for block in human]

    def sums(orders: Iterable[IntArray]) -> NDArray[np.float32]:
        # Whole numbers far below 2^24, so float32 is exact.
        shuffled = (block[:, order] for block, order in zip(second, orders, strict=True))
        results = [left @ right.reshape(-1, left.shape[1]).T for left, right in zip(first, shuffled, strict=True)]
        agreeing: NDArray[np.float32] = np.sum(results, axis=0).reshape(len(first[0]), len(second[0]), -1)
        return agreeing

    observed = sums(np.arange(block.shape[1])[None] for block in second)
    count = np.zeros(observed.shape[:2])
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


def _one_hot(signs: NDArray[np.int8]) -> NDArray[np.float32]:
    """Turn shape (items, pairs, columns) into (items, 3 pairs, columns) of indicators of -1, 0, 1."""
    return np.concatenate([signs == sign for sign in SIGNS], axis=1).astype(np.float32)


def _columns_first(block: NDArray[np.int8], times: int) -> NDArray[np.float32]:
    """Turn (items, pairs, columns) into (columns, items, 2 pairs): signs and repeated squares."""
    return np.concatenate([block, times * block * block], axis=1, dtype=np.float32).transpose(2, 0, 1).copy()
