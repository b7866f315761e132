"""Does one metric correlate better with the ratings than another? Tests and intervals by resampling.

They hold for every correlation (Kendall's too), for means over items and over systems, and where the outputs of an
item, or of a system, depend on each other: then inputs, or systems, are resampled as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, Random
from rainbow.stats.correlation.correlation import MINIMUM_ROWS
from rainbow.stats.correlation.rowwise_correlation import RowwiseMethod
from rainbow.stats.differences.dependent_correlations import Alternative
from rainbow.stats.differences.paired_scores import Level, PairedScores, paired_scores

__all__ = [
    "BootstrapDifference",
    "PermutationDifference",
    "Resampled",
    "bootstrap_difference",
    "permutation_difference",
]

Resampled = Literal["both", "inputs", "systems"]

# Resamples are drawn in blocks of at most so many scores (4 MB as floats).
_CELLS = 500_000
# Differences that are nearer to each other than this are equal but for rounding.
_ROUNDING = 1e-12


class PermutationDifference(NamedTuple):
    """Whether two metrics correlate differently with the ratings.

    Attributes
    ----------
    r, r_other
        The correlations of the one and of the other metric with the ratings.
    difference
        r less r_other.
    n
        The outputs (pooled), systems or items that the correlations rest on.
    p
        Of no difference, for the alternative that was asked for; never 0; NaN if it is not defined.
    resamples
        The number of random swaps.
    reason
        Why p is NaN; None where it is a number.
    """

    r: float
    r_other: float
    difference: float
    n: int
    p: float
    resamples: int
    reason: str | None


class BootstrapDifference(NamedTuple):
    """How far the difference of two metrics' correlations is known.

    Attributes
    ----------
    r, r_other
        The correlations of the one and of the other metric with the ratings.
    difference
        r less r_other.
    n
        The outputs (pooled), systems or items that the correlations rest on.
    low, high
        The percentile interval of the difference; NaN if it is not defined.
    resamples
        The number of samples in which both correlations are defined.
    reason
        Why low and high are NaN; None where they are numbers.
    """

    r: float
    r_other: float
    difference: float
    n: int
    low: float
    high: float
    resamples: int
    reason: str | None


def permutation_difference(
    x: ArrayLike,
    y: ArrayLike,
    ratings: ArrayLike,
    items: ArrayLike,
    systems: ArrayLike,
    *,
    swap: Resampled = "both",
    level: Level = "pooled",
    method: RowwiseMethod = "spearman",
    alternative: Alternative = "two-sided",
    resamples: int = 9_999,
    rng: Random = None,
) -> PermutationDifference:
    """Test whether two metrics correlate differently with the ratings, by swapping their standardised scores.

    ``p = (1 + #{d* at least as extreme as d}) / (1 + resamples)``, where d is the difference of the correlations and
    d* that after every swap was made or not with probability 1/2.

    Parameters
    ----------
    x, y
        Scores of the one and of the other metric, turned so that higher is better, shapes (n,).
    ratings
        Ratings of the same outputs, shape (n,). Rows with NaN in any of the three are left out.
    items, systems
        The input that each output is for, and the system that it is from, shapes (n,). Not every system needs an
        output for every item.
    swap
        What is swapped as a whole: ``both`` (PERM-BOTH: each output by itself), ``inputs`` (PERM-INPUTS: all
        outputs of an item together) or ``systems`` (PERM-SYSTEMS: all outputs of a system together).
    level
        ``pooled``: correlations over all outputs. ``system``: over the means of the systems. ``item``: over the
        outputs of one item, then their mean over the items (summary level); an item counts if it has a correlation
        for both metrics.
    method
        ``spearman``, ``pearson`` or ``kendall-b``.
    alternative
        ``two-sided``; ``greater`` (that of x is greater) or ``less``.
    resamples
        The number of random swaps.
    rng
        A seed or a numpy Generator.

    Returns
    -------
    PermutationDifference
        p is NaN, with the reason, if there are fewer than four rows, or fewer than four items or systems to correlate
        over or to swap, or if a column is constant or infinite.

    Raises
    ------
    ValueError
        If columns differ in length, `resamples` is below 1, or an argument is none of those above.

    Notes
    -----
    ``both`` has the most power, and keeps its size if the errors of a metric are independent from output to output. A
    metric that likes the style of one system has an error that all outputs of that system share. ``both`` and
    ``inputs`` then call equally good metrics different far too often (of simulated pairs with errors half shared,
    six systems and 16 inputs, 35 % at the 5 % level pooled and 54 % over systems), ``systems`` does not (6 %). With k
    systems, or inputs, to swap no two-sided p is below ``2 / 2**k``.

    References
    ----------
    Deutsch, D., Dror, R. and Roth, D. (2021). A statistical analysis of summarization evaluation metrics using
    resampling methods. Transactions of the Association for Computational Linguistics 9.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> items, systems = np.repeat(np.arange(20), 5), np.tile(list("ABCDE"), 20)
    >>> ratings = rng.normal(size=100)
    >>> good, poor = ratings + rng.normal(size=100), ratings + 3 * rng.normal(size=100)
    >>> result = permutation_difference(good, poor, ratings, items, systems, resamples=999, rng=2)
    >>> f"{result.difference:.2f} {result.p:.3f} {result.n}"
    '0.32 0.004 100'
    """
    _check(resamples, swap=swap, level=level, method=method, alternative=alternative)
    scores = paired_scores(x, y, ratings, items, systems)
    observed = _observed(scores, level, method)
    units = {"inputs": scores.item_count, "systems": scores.system_count, "both": len(scores.x)}
    reason = _undefined(scores, observed, level) or _too_few(swap, units[swap])
    if reason is not None:
        return PermutationDifference(*observed, math.nan, 0, reason)
    swapped = [scores.correlate(level, method, x=a, y=b) for a, b in _swaps(scores, swap, resamples, rng)]
    differences = np.concatenate([part.r - part.r_other for part in swapped])
    return PermutationDifference(*observed, _p(differences, observed.difference, alternative), resamples, None)


def bootstrap_difference(
    x: ArrayLike,
    y: ArrayLike,
    ratings: ArrayLike,
    items: ArrayLike,
    systems: ArrayLike,
    *,
    draw: Resampled = "both",
    level: Level = "pooled",
    method: RowwiseMethod = "spearman",
    confidence: float = 0.95,
    resamples: int = 9_999,
    rng: Random = None,
) -> BootstrapDifference:
    """Return the interval of the difference of two metrics' correlations, by drawing inputs, systems or both anew.

    Each sample holds as many items, or systems, as there are, drawn with replacement; with ``both`` an output is there
    as often as its item was drawn times as often as its system was. The interval is that of percentiles.

    Parameters
    ----------
    x, y, ratings, items, systems, level, method
        As for :func:`permutation_difference`.
    draw
        ``inputs``: how would the metrics do on other inputs with these systems? ``systems``: with other systems on
        these inputs? ``both``: with both? (BOOT-INPUTS, BOOT-SYSTEMS, BOOT-BOTH.)
    confidence
        The share of samples that lie in the interval, between 0 and 1.
    resamples
        The number of samples.
    rng
        A seed or a numpy Generator.

    Returns
    -------
    BootstrapDifference
        low and high are NaN, with the reason, where :func:`permutation_difference` has no p, or if no sample has
        both correlations.

    Raises
    ------
    ValueError
        If columns differ in length, `confidence` is not between 0 and 1, `resamples` is below 1, or an argument is
        none of those above.

    References
    ----------
    Deutsch, D., Dror, R. and Roth, D. (2021). A statistical analysis of summarization evaluation metrics using
    resampling methods. Transactions of the Association for Computational Linguistics 9.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> items, systems = np.repeat(np.arange(20), 5), np.tile(list("ABCDE"), 20)
    >>> ratings = rng.normal(size=100)
    >>> good, poor = ratings + rng.normal(size=100), ratings + 3 * rng.normal(size=100)
    >>> result = bootstrap_difference(good, poor, ratings, items, systems, draw="inputs", resamples=999, rng=2)
    >>> f"{result.difference:.2f} [{result.low:.2f}, {result.high:.2f}]"
    '0.32 [0.12, 0.51]'
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence}: give a number between 0 and 1, as 0.95")
    _check(resamples, draw=draw, level=level, method=method)
    scores = paired_scores(x, y, ratings, items, systems)
    observed = _observed(scores, level, method)
    units = {"inputs": scores.item_count, "systems": scores.system_count}
    few = [_too_few(unit, count) for unit, count in units.items() if draw in (unit, "both")]
    reason = _undefined(scores, observed, level) or next(filter(None, few), None)
    if reason is not None:
        return BootstrapDifference(*observed, math.nan, math.nan, 0, reason)
    draws = _draws(scores, draw, resamples, rng)
    drawn = [scores.correlate(level, method, item_weights=a, system_weights=b) for a, b in draws]
    differences = np.concatenate([part.r - part.r_other for part in drawn])
    known = differences[np.isfinite(differences)]
    if not len(known):
        return BootstrapDifference(*observed, math.nan, math.nan, 0, "no sample has both correlations")
    low, high = np.quantile(known, [(1 - confidence) / 2, (1 + confidence) / 2]).tolist()
    return BootstrapDifference(*observed, low, high, len(known), None)


class _Observed(NamedTuple):
    """The beginning of both results."""

    r: float
    r_other: float
    difference: float
    n: int


def _check(resamples: int, **choices: str) -> None:
    known = {
        "swap": get_args(Resampled),
        "draw": get_args(Resampled),
        "level": get_args(Level),
        "method": get_args(RowwiseMethod),
        "alternative": get_args(Alternative),
    }
    for name, value in choices.items():
        if value not in known[name]:
            raise ValueError(f"{name} is {value!r}: choose from {', '.join(known[name])}")
    if resamples < 1:
        raise ValueError(f"resamples is {resamples}: give at least 1, better 9,999")


def _observed(scores: PairedScores, level: Level, method: RowwiseMethod) -> _Observed:
    if scores.reason is not None:
        return _Observed(math.nan, math.nan, math.nan, len(scores.x))
    found = scores.correlate(level, method)
    r, r_other = float(found.r[0]), float(found.r_other[0])
    return _Observed(r, r_other, r - r_other, int(found.n[0]))


def _undefined(scores: PairedScores, observed: _Observed, level: Level) -> str | None:
    """Say why there is no difference to look at; None if there is one."""
    over = {"pooled": "outputs", "system": "systems", "item": "items have a correlation for both metrics"}
    if scores.reason is not None:
        return scores.reason
    if observed.n < MINIMUM_ROWS:
        return f"only {observed.n} {over[level]}: at least {MINIMUM_ROWS} are needed"
    return "a metric, or the ratings, are the same for all systems" if math.isnan(observed.difference) else None


def _too_few(unit: str, count: int) -> str | None:
    if count >= MINIMUM_ROWS:
        return None
    what = "outputs" if unit == "both" else unit
    return f"only {count} {what} to resample: at least {MINIMUM_ROWS} are needed"


def _blocks(scores: PairedScores, resamples: int) -> Iterator[int]:
    """Return how many resamples to look at at a time."""
    step = max(1, _CELLS // max(len(scores.x), scores.places.size))
    yield from (min(step, resamples - start) for start in range(0, resamples, step))


def _swaps(
    scores: PairedScores, swap: Resampled, resamples: int, rng: Random
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Return the scores of both metrics after random swaps, shapes (resamples, n), block by block."""
    generator = np.random.default_rng(rng)
    units = {"inputs": scores.items, "systems": scores.systems, "both": np.arange(len(scores.x))}[swap]
    for size in _blocks(scores, resamples):
        swapped = (generator.random((size, int(units.max()) + 1)) < 0.5)[:, units]
        yield np.where(swapped, scores.y, scores.x), np.where(swapped, scores.x, scores.y)


def _draws(
    scores: PairedScores, draw: Resampled, resamples: int, rng: Random
) -> Iterator[tuple[FloatArray | None, FloatArray | None]]:
    """Return how often each item, and each system, was drawn, shapes (resamples, items or systems), block by block."""
    # A stream for each, so that what is drawn does not depend on the size of the blocks.
    streams = [np.random.default_rng(seed) for seed in np.random.default_rng(rng).integers(2**63, size=2)]
    units = [("inputs", scores.item_count), ("systems", scores.system_count)]
    for size in _blocks(scores, resamples):
        items, systems = (
            _times_drawn(stream, size, count) if draw in (unit, "both") else None
            for stream, (unit, count) in zip(streams, units, strict=True)
        )
        yield items, systems


def _times_drawn(generator: np.random.Generator, size: int, count: int) -> FloatArray:
    return generator.multinomial(count, np.full(count, 1 / count), size=size).astype(float)


def _p(differences: FloatArray, observed: float, alternative: Alternative) -> float:
    """Return ``(1 + #{as extreme}) / (1 + resamples)``; one that is not defined counts as extreme."""
    sides = {
        "two-sided": (np.abs(differences), abs(observed)),
        "greater": (differences, observed),
        "less": (-differences, -observed),
    }
    values, bound = sides[alternative]
    extreme = int((~(values < bound - _ROUNDING)).sum())
    return (1 + extreme) / (1 + len(differences))
