"""Paired comparison of two systems by resampling the items that both have outputs for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, Random
from rainbow.stats.correlation.correlation import MINIMUM_ROWS
from rainbow.stats.resamples import draw_swaps, second_round, share_at_least

# Scores, shape (r,), from sums over items of additive statistics, shape (r, k).
OfSums = Callable[[FloatArray], ArrayLike]


class Randomisation(NamedTuple):
    """Result of an approximate randomisation test of two systems."""

    difference: float  # the score of the first system minus that of the second
    p: float  # two-sided, of the hypothesis that it does not matter which system an output comes from; never 0
    n: int  # the items that both systems have a value for
    resamples: int  # the number of shuffles
    reason: str | None  # why p is NaN; None where it is a number


def approximate_randomisation(
    first: ArrayLike,
    second: ArrayLike,
    *,
    statistic: OfSums | None = None,
    resamples: int = 10_000,
    tests: int = 0,
    rng: Random = None,
) -> Randomisation:
    """Test whether two systems differ by randomly exchanging their outputs per item.

    Shapes: first, second (n,), score_sums (r, k).
    Source: Noreen, E. W. (1989). Computer-intensive methods for testing hypotheses. Wiley. Riezler, S. and Maxwell, J.
    T. (2005). On some pitfalls in automatic evaluation and significance testing for MT. ACL workshop on intrinsic and
    extrinsic evaluation measures.
    """
    pairs, observed, reason = _prepare_pairs(first, second, statistic, resamples)
    if reason is not None:
        return Randomisation(observed, math.nan, len(pairs), resamples, reason)
    generator = np.random.default_rng(rng)
    shuffled = _null_differences(pairs, resamples, generator)
    p = share_at_least(np.abs(shuffled), abs(observed))
    more, unsettled = second_round(np.array(p), resamples, tests)
    if unsettled:
        shuffled = np.concatenate([shuffled, _null_differences(pairs, more, generator.spawn(1)[0])])
        p = share_at_least(np.abs(shuffled), abs(observed))
    reason = undefined_score_reason(shuffled, "shuffles")
    return Randomisation(observed, math.nan if reason else p, len(pairs), len(shuffled), reason)


def _null_differences(pairs: _Sums, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Return the differences of the systems under random swaps."""
    return np.concatenate([pairs.swap_differences(block) for block in draw_swaps(len(pairs), resamples, rng)])


@dataclass(frozen=True, eq=False)
class _Sums:
    """Segment statistics of two systems, shapes (n, k), and the function that scores their sums."""

    first: FloatArray
    second: FloatArray
    score_sums: OfSums

    def __len__(self) -> int:
        return len(self.first)

    def swap_differences(self, swaps: NDArray[np.uint8]) -> FloatArray:
        # Infinite values give NaN, reported as a reason and not as a warning.
        """Return the differences of the systems after each set of swaps."""
        with np.errstate(invalid="ignore"):
            moved = swaps.astype(float) @ (self.second - self.first)
            return self._difference(self.first.sum(axis=0) + moved, self.second.sum(axis=0) - moved)

    def _difference(self, first: FloatArray, second: FloatArray) -> FloatArray:
        # The same holds for sums without a score (no words at all).
        with np.errstate(all="ignore"):
            scores = [np.asarray(self.score_sums(sums), dtype=float) for sums in (first, second)]
        difference: FloatArray = scores[0] - scores[1]
        return difference


def _prepare_pairs(
    first: ArrayLike, second: ArrayLike, statistic: OfSums | None, resamples: int
) -> tuple[_Sums, float, str | None]:
    """Return the pairs, the system difference, and why it cannot be tested (None if it can)."""
    if resamples < 1:
        raise ValueError(f"{resamples} resamples: use at least 1, ideally 10,000")
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if len(one) != len(other):
        raise ValueError(f"{len(one)} and {len(other)} items: give values of both systems for the same items")
    pairs = _segment_sums(one, other, statistic)
    n = len(pairs)
    observed = float(pairs.swap_differences(np.zeros((1, n), dtype=np.uint8))[0]) if n else math.nan
    return pairs, observed, untestable_reason(pairs.first, pairs.second, observed)


def _segment_sums(first: FloatArray, second: FloatArray, statistic: OfSums | None) -> _Sums:
    """Return the segment statistics of two systems."""
    dimensions = 1 if statistic is None else 2
    if first.ndim != dimensions or first.shape != second.shape:
        wanted = "(n,), or (n, k) with statistic" if statistic is None else "(n, k), because statistic is given"
        raise ValueError(f"values of shapes {first.shape} and {second.shape}: both must have shape {wanted}")
    if statistic is None:
        first, second = first[:, None], second[:, None]
    both = ~(np.isnan(first) | np.isnan(second)).any(axis=1)
    first, second = first[both], second[both]
    return _Sums(first, second, statistic or (lambda sums: sums[:, 0] / len(first)))


def untestable_reason(first: FloatArray, second: FloatArray, difference: float) -> str | None:
    """Return why a difference of two systems cannot be tested, or None."""
    if len(first) < MINIMUM_ROWS:
        return f"only {len(first)} items have values for both systems: at least {MINIMUM_ROWS} are needed"
    if not math.isfinite(difference):
        return "the score is undefined for one of the systems"
    return "every item has equal values for both systems" if np.array_equal(first, second) else None


def undefined_score_reason(resampled: FloatArray, subject: str) -> str | None:
    """Return for how many resamples the score is undefined, or None if for none."""
    bad = int((~np.isfinite(resampled)).sum())
    return f"the score is undefined for {bad} of {len(resampled)} {subject}" if bad else None
