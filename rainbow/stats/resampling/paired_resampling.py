"""Two systems compared by resampling the items that both have an output for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, Random
from rainbow.stats.correlation.correlation import MINIMUM_ROWS
from rainbow.stats.resampling.resamples import draws, multiplicities, second_round, share_at_least, swaps

__all__ = ["OfSums", "PairedBootstrap", "Randomisation", "Statistic", "approximate_randomisation", "paired_bootstrap"]


# The score of a system from one entry per item, whatever an entry is.
Statistic = Callable[[Sequence[Any]], float]
# Scores, shape (r,), from sums over items of additive statistics, shape (r, k).
OfSums = Callable[[FloatArray], ArrayLike]


class Randomisation(NamedTuple):
    """What approximate randomisation says about two systems.

    Attributes
    ----------
    difference
        The score of the first system minus that of the second.
    p
        Two-sided, of the hypothesis that it does not matter which system an output comes from; never 0.
    n
        The items that both systems have a value for.
    resamples
        The number of shuffles.
    reason
        Why p is NaN; None where it is a number.
    """

    difference: float
    p: float
    n: int
    resamples: int
    reason: str | None


class PairedBootstrap(NamedTuple):
    """What the paired bootstrap says about two systems.

    Attributes
    ----------
    difference
        The score of the first system minus that of the second.
    low, high
        The percentile interval of the difference.
    p
        Two-sided, of the hypothesis that the difference is 0; never 0.
    n
        The items that both systems have a value for.
    resamples
        The number of samples.
    reason
        Why p, low and high are NaN; None where they are numbers.
    """

    difference: float
    low: float
    high: float
    p: float
    n: int
    resamples: int
    reason: str | None


class _Pairs(Protocol):
    """Two systems' values for the same items, and the difference of the systems' scores on any rearrangement."""

    def __len__(self) -> int: ...

    def swapped(self, swaps: NDArray[np.uint8]) -> FloatArray:
        """Return the difference after each row of `swaps`, shape (r, n): 1 where an item's outputs change places."""

    def drawn(self, items: NDArray[np.int64]) -> FloatArray:
        """Return the difference on the items that each row of `items`, shape (r, n), names."""


def approximate_randomisation(
    first: Sequence[Any] | NDArray[Any],
    second: Sequence[Any] | NDArray[Any],
    statistic: Statistic | None = None,
    *,
    of_sums: OfSums | None = None,
    resamples: int = 10_000,
    tests: int = 0,
    rng: Random = None,
) -> Randomisation:
    """Test whether two systems differ, by exchanging their outputs for an item with probability 1/2.

    ``p = (1 + #{|d*| >= |d|}) / (1 + resamples)``, where d is the difference of the two systems' scores and d* that
    after a shuffle. It holds for any score, with no assumption on its distribution but that items are independent.

    Parameters
    ----------
    first, second
        One entry per item, in the same order for both systems: numbers, shape (n,), whose means are compared; with
        `of_sums` segment statistics, shape (n, k); with `statistic` anything. Items with a NaN in either of two
        arrays are left out.
    statistic
        The score of a system from its list of entries, for scores that are not made of sums: called twice per
        shuffle.
    of_sums
        The score of a system from the sums of its segment statistics, shape (r, k) to (r,): BLEU from counts of
        matching n-grams, TER from edits and lengths. All shuffles are computed at once.
    resamples
        The number of shuffles.
    tests
        Of how many tests p is one; 0 if it is not corrected. Where so few shuffles could not show anything after
        correction, more are made of the tests that they do not settle
        (:func:`~rainbow.stats.resampling.resamples.second_round`).
    rng
        A seed or a numpy Generator.

    Returns
    -------
    Randomisation
        p is NaN, with the reason, if there are fewer than four items, if every item has equal values for both
        systems, or if the score is not defined for some shuffle.

    Raises
    ------
    ValueError
        If the systems differ in items, both `statistic` and `of_sums` are given, or `resamples` is below 1.

    References
    ----------
    Noreen, E. W. (1989). Computer-intensive methods for testing hypotheses. Wiley.

    Riezler, S. and Maxwell, J. T. (2005). On some pitfalls in automatic evaluation and significance testing for MT.
    ACL workshop on intrinsic and extrinsic evaluation measures.

    Examples
    --------
    >>> good, bad = [0.9, 0.8, 0.7, 0.9, 0.8, 0.6, 0.9], [0.5, 0.6, 0.4, 0.7, 0.6, 0.5, 0.8]
    >>> result = approximate_randomisation(good, bad, rng=1)
    >>> round(result.difference, 3), round(result.p, 2), result.n
    (0.214, 0.02, 7)

    The same test for a ratio of sums, as the score of a corpus often is (edits per word of the references):

    >>> good, bad = [[0, 9], [1, 5], [2, 8], [0, 7], [1, 6]], [[3, 9], [2, 5], [2, 8], [5, 7], [2, 6]]
    >>> rate = lambda sums: sums[:, 0] / sums[:, 1]
    >>> approximate_randomisation(good, bad, of_sums=rate, rng=1).p < 0.2
    True
    """
    pairs, observed, reason = _prepared(first, second, statistic, of_sums, resamples)
    if reason is not None:
        return Randomisation(observed, math.nan, len(pairs), resamples, reason)
    generator = np.random.default_rng(rng)
    shuffled = _shuffled(pairs, resamples, generator)
    p = share_at_least(np.abs(shuffled), abs(observed))
    more, unsettled = second_round(np.array(p), resamples, tests)
    if unsettled:
        shuffled = np.concatenate([shuffled, _shuffled(pairs, more, generator.spawn(1)[0])])
        p = share_at_least(np.abs(shuffled), abs(observed))
    reason = _undefined(shuffled, "shuffles")
    return Randomisation(observed, math.nan if reason else p, len(pairs), len(shuffled), reason)


def _shuffled(pairs: _Pairs, resamples: int, rng: np.random.Generator) -> FloatArray:
    return np.concatenate([pairs.swapped(block) for block in swaps(len(pairs), resamples, rng)])


def paired_bootstrap(
    first: Sequence[Any] | NDArray[Any],
    second: Sequence[Any] | NDArray[Any],
    statistic: Statistic | None = None,
    *,
    of_sums: OfSums | None = None,
    resamples: int = 10_000,
    confidence: float = 0.95,
    rng: Random = None,
) -> PairedBootstrap:
    """Return the interval of the difference of two systems, and its p, by drawing items with replacement.

    Every sample has the same items for both systems. ``p = (1 + #{|d* - m| >= |d|}) / (1 + resamples)``, where d is the
    difference of the scores, d* that of a sample, and m the mean of all d*: the samples are moved to where the
    difference is 0.

    Parameters
    ----------
    first, second, statistic, of_sums, resamples, rng
        As for :func:`approximate_randomisation`; `resamples` samples are drawn.
    confidence
        The share of samples that lie in the interval, between 0 and 1.

    Returns
    -------
    PairedBootstrap
        p, low and high are NaN, with the reason, where :func:`approximate_randomisation` has none.

    Raises
    ------
    ValueError
        As for :func:`approximate_randomisation`, or if `confidence` is not between 0 and 1.

    References
    ----------
    Koehn, P. (2004). Statistical significance tests for machine translation evaluation. EMNLP.

    Riezler, S. and Maxwell, J. T. (2005). On some pitfalls in automatic evaluation and significance testing for MT.
    ACL workshop on intrinsic and extrinsic evaluation measures.

    Examples
    --------
    >>> good, bad = [0.9, 0.8, 0.7, 0.9, 0.8, 0.6, 0.9], [0.5, 0.6, 0.4, 0.7, 0.6, 0.5, 0.8]
    >>> result = paired_bootstrap(good, bad, rng=1)
    >>> round(result.low, 2), round(result.high, 2), result.p < 0.01
    (0.14, 0.29, True)
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence}: give a number between 0 and 1, as 0.95")
    pairs, observed, reason = _prepared(first, second, statistic, of_sums, resamples)
    if reason is None:
        samples = np.concatenate([pairs.drawn(items) for items in draws(len(pairs), resamples, rng)])
        reason = _undefined(samples, "samples")
    if reason is not None:
        return PairedBootstrap(observed, math.nan, math.nan, math.nan, len(pairs), resamples, reason)
    low, high = np.quantile(samples, [(1 - confidence) / 2, (1 + confidence) / 2]).tolist()
    p = share_at_least(np.abs(samples - samples.mean()), abs(observed))
    return PairedBootstrap(observed, low, high, p, len(pairs), resamples, None)


@dataclass(frozen=True, eq=False)
class _Sums:
    """Segment statistics of two systems, shapes (n, k), and the score that their sums make."""

    first: FloatArray
    second: FloatArray
    of_sums: OfSums

    def __len__(self) -> int:
        return len(self.first)

    def swapped(self, swaps: NDArray[np.uint8]) -> FloatArray:
        # Infinite values make NaN, which is told as a reason and not as a warning.
        with np.errstate(invalid="ignore"):
            moved = swaps.astype(float) @ (self.second - self.first)
            return self._difference(self.first.sum(axis=0) + moved, self.second.sum(axis=0) - moved)

    def drawn(self, items: NDArray[np.int64]) -> FloatArray:
        times = multiplicities(items)
        return self._difference(times @ self.first, times @ self.second)

    def _difference(self, first: FloatArray, second: FloatArray) -> FloatArray:
        # So do sums that have no score (no word at all).
        with np.errstate(all="ignore"):
            scores = [np.asarray(self.of_sums(sums), dtype=float) for sums in (first, second)]
        difference: FloatArray = scores[0] - scores[1]
        return difference


@dataclass(frozen=True, eq=False)
class _Entries:
    """Any entries of two systems, and the score that a list of them has."""

    first: Sequence[Any]
    second: Sequence[Any]
    statistic: Statistic

    def __len__(self) -> int:
        return len(self.first)

    def swapped(self, swaps: NDArray[np.uint8]) -> FloatArray:
        both = list(zip(self.first, self.second, strict=True))
        return np.array([self._difference(_exchanged(both, row)) for row in swaps])

    def drawn(self, items: NDArray[np.int64]) -> FloatArray:
        return np.array([self._difference([(self.first[i], self.second[i]) for i in row]) for row in items])

    def _difference(self, pairs: list[tuple[Any, Any]]) -> float:
        return float(self.statistic([a for a, _ in pairs])) - float(self.statistic([b for _, b in pairs]))


def _exchanged(pairs: list[tuple[Any, Any]], swaps: NDArray[np.uint8]) -> list[tuple[Any, Any]]:
    return [pair[::-1] if swap else pair for pair, swap in zip(pairs, swaps, strict=True)]


def _prepared(
    first: Any, second: Any, statistic: Statistic | None, of_sums: OfSums | None, resamples: int
) -> tuple[_Pairs, float, str | None]:
    """Return the pairs, the difference of the systems, and why it cannot be tested (None if it can)."""
    if statistic is not None and of_sums is not None:
        raise ValueError("both statistic and of_sums are given: the score is made of entries or of sums, choose one")
    if resamples < 1:
        raise ValueError(f"{resamples} resamples: give at least 1, better 10,000")
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} items: give both systems' values for the same items")
    pairs: _Pairs
    if statistic is not None:
        pairs = _Entries(list(first), list(second), statistic)
    else:
        pairs = _sums(np.asarray(first, dtype=float), np.asarray(second, dtype=float), of_sums)
    n = len(pairs)
    observed = float(pairs.swapped(np.zeros((1, n), dtype=np.uint8))[0]) if n else math.nan
    return pairs, observed, _why_not(pairs, observed)


def _sums(first: FloatArray, second: FloatArray, of_sums: OfSums | None) -> _Sums:
    dimensions = 1 if of_sums is None else 2
    if first.ndim != dimensions or first.shape != second.shape:
        wanted = "(n,), or (n, k) together with of_sums" if of_sums is None else "(n, k), as of_sums is given"
        raise ValueError(f"values of shapes {first.shape} and {second.shape}: give both the shape {wanted}")
    if of_sums is None:
        first, second = first[:, None], second[:, None]
    both = ~(np.isnan(first) | np.isnan(second)).any(axis=1)
    first, second = first[both], second[both]
    return _Sums(first, second, of_sums or _means_of(len(first)))


def _means_of(n: int) -> OfSums:
    return lambda sums: sums[:, 0] / n


def _why_not(pairs: _Pairs, observed: float) -> str | None:
    """Say why the difference cannot be tested; None if it can."""
    if len(pairs) < MINIMUM_ROWS:
        return f"only {len(pairs)} items have values for both systems: at least {MINIMUM_ROWS} are needed"
    if not math.isfinite(observed):
        return "the score is not defined for one of the systems"
    equal = isinstance(pairs, _Sums) and np.array_equal(pairs.first, pairs.second)
    return "every item has equal values for both systems" if equal else None


def _undefined(resampled: FloatArray, what: str) -> str | None:
    """Say for how many resamples there is no score; None if there is one for all."""
    bad = int((~np.isfinite(resampled)).sum())
    return f"the score is not defined for {bad} of {len(resampled)} {what}" if bad else None
