"""How sure a metric is of systems: intervals, and tests of all pairs, from the same resampled segments."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, Random
from rainbow.stats.resamples import draws, multiplicities, share_at_least, swaps
from rainbow.stats.resampling.paired_resampling import why_not_tested, why_undefined
from rainbow.systems.corpus_scores.segment_sums import SegmentSums

CONFIDENCE = 0.95


class PairTest(NamedTuple):
    """Whether a metric tells two systems apart."""

    first: int  # positions of the systems
    second: int  # positions of the systems
    difference: float  # the score of the first minus that of the second
    low: float  # the 95 % percentile interval of the difference over bootstrap samples
    high: float  # the 95 % percentile interval of the difference over bootstrap samples
    p_bootstrap: float  # two-sided, by the paired bootstrap and by approximate randomisation; never 0
    p_randomisation: float  # two-sided, by the paired bootstrap and by approximate randomisation; never 0
    reason: str | None  # why they are NaN; None where they are numbers


def bootstrap_scores(found: SegmentSums, resamples: int, rng: Random) -> FloatArray:
    """Return every system's score on segments drawn with replacement, the same for all systems; (resamples, systems).

    Shapes: found (systems, segments, k).
    """
    blocks = draws(found.sums.shape[1], resamples, rng)
    return np.concatenate([_scores(found, multiplicities(block) @ found.sums).T for block in blocks])


def interval(samples: FloatArray) -> tuple[float, float]:
    """Return the 95 % percentile interval of samples; NaN where one of them is."""
    low, high = np.quantile(samples, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2]).tolist()
    return low, high


def pair_tests(found: SegmentSums, samples: FloatArray, resamples: int, rng: Random) -> Iterator[PairTest]:
    """Return the tests of every pair of systems."""
    scores = _scores(found, found.sums.sum(axis=1))
    pairs = list(combinations(range(len(found.sums)), 2))
    shuffled = _shuffled(found, pairs, resamples, rng)
    for place, (first, second) in enumerate(pairs):
        difference = float(scores[first] - scores[second])
        drawn = samples[:, first] - samples[:, second]
        reason = why_not_tested(found.sums[first], found.sums[second], difference)
        reason = reason or why_undefined(drawn, "samples") or why_undefined(shuffled[:, place], "shuffles")
        if reason:
            yield PairTest(first, second, difference, math.nan, math.nan, math.nan, math.nan, reason)
            continue
        low, high = interval(drawn)
        p_bootstrap = share_at_least(np.abs(drawn - drawn.mean()), abs(difference))
        p_randomisation = share_at_least(np.abs(shuffled[:, place]), abs(difference))
        yield PairTest(first, second, difference, low, high, p_bootstrap, p_randomisation, None)


def _scores(found: SegmentSums, sums: FloatArray) -> FloatArray:
    # Samples without a word have no score, which is told as a reason and not as a warning.
    with np.errstate(all="ignore"):
        return np.asarray(found.of_sums(sums))


def _shuffled(found: SegmentSums, pairs: list[tuple[int, int]], resamples: int, rng: Random) -> FloatArray:
    """Return the difference of each pair after each exchange of outputs, shape (resamples, pairs)."""
    total = found.sums.sum(axis=1)
    blocks = []
    for block in swaps(found.sums.shape[1], resamples, rng):
        moved = block.astype(float) @ found.sums
        differences = [
            _scores(found, total[first] + (moved[second] - moved[first]))
            - _scores(found, total[second] - (moved[second] - moved[first]))
            for first, second in pairs
        ]
        blocks.append(np.stack(differences, axis=1))
    return np.concatenate(blocks)
