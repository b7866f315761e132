"""Bootstrap intervals and paired tests of systems, from the same resampled segments."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, Random
from rainbow.stats.resamples import count_multiplicities, draw_items, draw_swaps, share_at_least
from rainbow.stats.resampling.paired_resampling import undefined_score_reason, untestable_reason
from rainbow.systems.corpus_scores.segment_sums import SegmentSums

CONFIDENCE = 0.95


class PairTest(NamedTuple):
    """Test of the difference between two systems by one metric."""

    first: int  # positions of the systems
    second: int  # positions of the systems
    difference: float  # the score of the first minus that of the second
    low: float  # the 95 % percentile interval of the difference over bootstrap samples
    high: float  # the 95 % percentile interval of the difference over bootstrap samples
    p_bootstrap: float  # two-sided, by the paired bootstrap and by approximate randomisation; never 0
    p_randomisation: float  # two-sided, by the paired bootstrap and by approximate randomisation; never 0
    reason: str | None  # why they are NaN; None where they are numbers


def bootstrap_scores(sums: SegmentSums, resamples: int, rng: Random) -> FloatArray:
    """Return each system's score on shared bootstrap resamples, shape (resamples, systems).

    Shapes: found (systems, segments, k).
    """
    blocks = draw_items(sums.sums.shape[1], resamples, rng)
    return np.concatenate([_score_sums(sums, count_multiplicities(block) @ sums.sums).T for block in blocks])


def percentile_bounds(samples: FloatArray) -> tuple[float, float]:
    """Return the 95 % percentile interval of samples; NaN if any sample is NaN."""
    low, high = np.quantile(samples, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2]).tolist()
    return low, high


def pair_tests(sums: SegmentSums, samples: FloatArray, resamples: int, rng: Random) -> Iterator[PairTest]:
    """Return the tests of every pair of systems."""
    scores = _score_sums(sums, sums.sums.sum(axis=1))
    pairs = list(combinations(range(len(sums.sums)), 2))
    shuffled = _swapped_differences(sums, pairs, resamples, rng)
    for place, (first, second) in enumerate(pairs):
        difference = float(scores[first] - scores[second])
        drawn = samples[:, first] - samples[:, second]
        reason = untestable_reason(sums.sums[first], sums.sums[second], difference)
        reason = (
            reason or undefined_score_reason(drawn, "samples") or undefined_score_reason(shuffled[:, place], "shuffles")
        )
        if reason:
            yield PairTest(first, second, difference, math.nan, math.nan, math.nan, math.nan, reason)
            continue
        low, high = percentile_bounds(drawn)
        p_bootstrap = share_at_least(np.abs(drawn - drawn.mean()), abs(difference))
        p_randomisation = share_at_least(np.abs(shuffled[:, place]), abs(difference))
        yield PairTest(first, second, difference, low, high, p_bootstrap, p_randomisation, None)


def _score_sums(segment_sums: SegmentSums, sums: FloatArray) -> FloatArray:
    # Samples without a word have no score, reported as a reason and not as a warning.
    with np.errstate(all="ignore"):
        return np.asarray(segment_sums.score_sums(sums))


def _swapped_differences(sums: SegmentSums, pairs: list[tuple[int, int]], resamples: int, rng: Random) -> FloatArray:
    """Return the difference of each pair under random swaps of outputs, shape (resamples, pairs)."""
    total = sums.sums.sum(axis=1)
    blocks = []
    for block in draw_swaps(sums.sums.shape[1], resamples, rng):
        moved = block.astype(float) @ sums.sums
        differences = [
            _score_sums(sums, total[first] + (moved[second] - moved[first]))
            - _score_sums(sums, total[second] - (moved[second] - moved[first]))
            for first, second in pairs
        ]
        blocks.append(np.stack(differences, axis=1))
    return np.concatenate(blocks)
