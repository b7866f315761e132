"""How often a metric would order pairs as people do by chance, and whether it does better."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.stats.order.pairs import Signs
from rainbow.stats.resamples import second_round

SIGNS = (-1, 0, 1)
# Permuted signs that are multiplied at a time (8 MB): one product of many permutations, as small ones are slow.
_CELLS = 2_000_000


class Permuted(NamedTuple):
    """What permutations say about every metric and rating, shape (k, m) each."""

    p: FloatArray  # one-sided, of an accuracy no better than chance; never 0
    permutations: NDArray[np.int64]  # how many were made


def agreements(metric: Signs, human: Signs) -> NDArray[np.int64]:
    """Count the pairs that metrics order as people do, a tie being an order too.

    Shapes: returns (k, m).
    """
    counts = [
        np.rint(np.tensordot(_one_hot(scores), _one_hot(ratings), ((0, 1), (0, 1)))).astype(np.int64)
        for scores, ratings in zip(metric, human, strict=True)
    ]
    total: NDArray[np.int64] = np.sum(counts, axis=0, dtype=np.int64)
    return total


def expected_accuracy(metric: Signs, human: Signs) -> FloatArray:
    """Return the accuracy that metrics are expected to have when their signs are permuted, shape (k, m)."""
    total = sum(scores.shape[0] * scores.shape[1] for scores in metric)
    expected = [
        _one_hot(scores).sum(axis=0, dtype=float).T @ _one_hot(ratings).sum(axis=0, dtype=float) / len(scores)
        for scores, ratings in zip(metric, human, strict=True)
    ]
    accuracy: FloatArray = np.sum(expected, axis=0) / total
    return accuracy


def can_be_permuted(signs: Signs) -> bool:
    """Return whether any two items have equally many outputs, so that they can change places."""
    return any(len(block) > 1 for block in signs)


def permuted(metric: Signs, human: Signs, permutations: int = 1000, tests: int = 0, rng: Random = None) -> Permuted:
    """Return p of the null hypothesis that it does not matter which item a metric's signs belong to."""
    if permutations < 1:
        raise ValueError(f"{permutations} permutations: give a number of at least 1")
    generator = np.random.default_rng(rng)
    count = _as_good(metric, human, permutations, generator)
    made = np.full(count.shape, permutations)
    more, unsettled = second_round((count + 1) / (made + 1), permutations, tests)
    if unsettled.any():
        rows = unsettled.any(axis=1)
        part = [block[:, :, rows] for block in metric]
        again = _as_good(part, human, more, generator.spawn(1)[0])
        count[rows] += np.where(unsettled[rows], again, 0)
        made[unsettled] += more
    return Permuted((count + 1) / (made + 1), made)


def _as_good(metric: Signs, human: Signs, permutations: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Count the permutations with at least as many agreements as there are, shape (k, m)."""
    first = [_columns_first(block, 3).reshape(block.shape[-1], -1) for block in metric]
    second = [_columns_first(block, 1) for block in human]

    def sums(orders: Iterable[IntArray]) -> NDArray[np.float32]:
        # Whole numbers far below 2^24, so float32 is exact.
        shuffled = (block[:, order] for block, order in zip(second, orders, strict=True))
        found = [left @ right.reshape(-1, left.shape[1]).T for left, right in zip(first, shuffled, strict=True)]
        agreeing: NDArray[np.float32] = np.sum(found, axis=0).reshape(len(first[0]), len(second[0]), -1)
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
    """Return the probability of at least so many agreements if each pair were right by chance, independently."""
    from scipy.stats import binom

    p = binom.sf(np.asarray(agreeing) - 1, np.asarray(pairs, dtype=float), np.asarray(chance, dtype=float))
    return np.asarray(p, dtype=float)


def wilcoxon_p(right: ArrayLike, random_right: ArrayLike) -> FloatArray:
    """Return the two-sided p of the Wilcoxon signed-rank test between two lists of right and wrong pairs."""
    from scipy.stats import norm

    difference = np.asarray(right, dtype=np.int8) - np.asarray(random_right, dtype=np.int8)
    differing = np.count_nonzero(difference, axis=0)
    with np.errstate(invalid="ignore"):  # 0 / 0: no pair differs
        z = np.abs(difference.sum(axis=0)) / np.sqrt(differing)
    return np.asarray(2 * norm.sf(z), dtype=float)


def _one_hot(signs: NDArray[np.int8]) -> NDArray[np.float32]:
    """Turn shape (items, pairs, columns) into (items, 3 pairs, columns): 1 where the sign is -1, 0 and 1 in turn."""
    return np.concatenate([signs == sign for sign in SIGNS], axis=1).astype(np.float32)


def _columns_first(block: NDArray[np.int8], times: int) -> NDArray[np.float32]:
    """Turn shape (items, pairs, columns) into (columns, items, 2 pairs): signs, and their squares so many times."""
    return np.concatenate([block, times * block * block], axis=1, dtype=np.float32).transpose(2, 0, 1).copy()
