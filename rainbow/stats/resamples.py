"""Random draws for resampling tests, and their p-values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import BoolArray, FloatArray, Random

# Resamples are drawn in blocks of at most this many cells (16 MB as floats).
_CELLS = 2_000_000
# Differences that are nearer to each other than this, relative to the largest, are equal but for rounding.
_ROUNDING = 1e-10
# A test is decided when this many resamples reach the observed value: more would not make it significant.
_SETTLED = 10


def resamples_for_tests(resamples: int, tests: int, alpha: float = 0.05) -> int:
    """Return the number of resamples for a family of tests, increased if too few for significance."""
    return resamples if tests / (resamples + 1) < alpha else math.ceil(2 * tests / alpha)


def second_round(p: FloatArray, drawn: int, tests: int) -> tuple[int, BoolArray]:
    """Return how many more resamples a family of tests needs, and for which tests.

    Source: Besag, J. and Clifford, P. (1991). Sequential Monte Carlo p-values. Biometrika 78.
    """
    more = resamples_for_tests(drawn, tests) - drawn
    return more, (np.rint(p * (drawn + 1)) <= _SETTLED) & (more > 0)


def permutation_p(
    count: Callable[[BoolArray | slice, int, np.random.Generator], FloatArray], resamples: int, tests: int, rng: Random
) -> tuple[FloatArray, NDArray[np.int64]]:
    """Return p-values of a family of tests and their permutations; undecided tests have a second round.

    Shapes: count (columns, m), NaN if undefined.
    """
    # Given columns, a number of permutations and a generator, `count` returns how many reach the observed values.
    generator = np.random.default_rng(rng)
    reached = count(slice(None), resamples, generator)
    made = np.full(reached.shape, resamples)
    more, unsettled = second_round((reached + 1) / (made + 1), resamples, tests)
    rows: BoolArray = np.asarray(unsettled.any(axis=1))
    if rows.any():
        reached[rows] += np.where(unsettled[rows], count(rows, more, generator.spawn(1)[0]), 0)
        made[unsettled] += more
    return (reached + 1) / (made + 1), made


def share_at_least(sizes: FloatArray, observed: float) -> float:
    """Return (count + 1) / (n + 1) of the values that reach the observed one, up to rounding."""
    slack = _ROUNDING * max(observed, float(sizes.max()))
    return float((np.count_nonzero(sizes >= observed - slack) + 1) / (len(sizes) + 1))


def draw_swaps(items: int, resamples: int, rng: Random) -> Iterator[NDArray[np.uint8]]:
    """Yield 0 and 1 with equal probability, in blocks of (block, items), `resamples` rows in all."""
    generator = np.random.default_rng(rng)
    for size in _block_sizes(items, resamples):
        cells = size * items
        bits = np.frombuffer(generator.bytes(-(-cells // 8)), dtype=np.uint8)
        yield np.unpackbits(bits, count=cells).reshape(size, items)


def draw_items(items: int, resamples: int, rng: Random) -> Iterator[NDArray[np.int64]]:
    """Yield items drawn with replacement, in blocks of (block, items), `resamples` rows in all."""
    generator = np.random.default_rng(rng)
    for size in _block_sizes(items, resamples):
        yield generator.integers(items, size=(size, items))


def count_multiplicities(items: NDArray[np.int64]) -> FloatArray:
    """Count how often each item was drawn, for each row of :func:`draw_items`."""
    n = items.shape[1]
    places = (items + n * np.arange(len(items))[:, None]).ravel()
    return np.bincount(places, minlength=items.size).reshape(items.shape).astype(float)


def _block_sizes(items: int, resamples: int) -> Iterator[int]:
    """Yield the sizes of the blocks in which resamples are drawn."""
    size = max(1, _CELLS // items)
    for start in range(0, resamples, size):
        yield min(size, resamples - start)
