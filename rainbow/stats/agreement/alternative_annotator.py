"""The alternative annotator test: whether scores could replace one of the raters."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.stats.agreement.rating_matrix import Ratings, full_rating_matrix
from rainbow.stats.differences.multiplicity import benjamini_yekutieli

Alignment = Literal["numbers", "classes"]
RaterKind = Literal["experts", "skilled", "crowd"]

# What raters of each kind are worth more than a score: by so much it may be nearer to the others less often than they.
EPSILON: dict[RaterKind, float] = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}

# Of every rater, and of the share of raters whom the scores must replace.
MIN_ITEMS = 30
REQUIRED_WINNING_RATE = 0.5
FALSE_DISCOVERY_RATE = 0.05

# Mean squares that are nearer to each other than this are equal but for rounding.
_ROUNDING = 1e-12


class OneRater(NamedTuple):
    """Result of replacing one rater with the scores, both compared with the other raters."""

    place: int  # which column of the ratings, counted from 0
    advantage: float  # how often the scores agree with the others at least as well as the rater does
    difference: float  # how often the rater agrees at least as well as the scores, minus `advantage`
    p: float  # that the difference is epsilon or more: of a t-test, and after Benjamini and Yekutieli's correction
    p_adjusted: float  # that the difference is epsilon or more
    n: int  # items that the rater, the scores and another rater have
    reason: str | None  # why there is no p; None where there is one


class AlternativeAnnotator(NamedTuple):
    """Result of the alternative annotator test."""

    winning_rate: float  # the share of raters whom the scores could replace
    advantage: float
    passes: bool  # whether the winning rate is .5 or more
    raters: list[OneRater]  # one entry for each rater
    reason: str | None  # why there is no winning rate; None where there is one


def alternative_annotator(
    scores: ArrayLike, ratings: Ratings, epsilon: float, alignment: Alignment = "numbers"
) -> AlternativeAnnotator:
    """Test whether scores agree with raters as well as a left-out rater does (Calderon et al. 2025).

    One rater after the other is left out. On each item, the rater's mark and the score are held against the marks of
    the others: whichever has the smaller root mean square difference (or equals more of them) is nearer. Against each
    rater it is tested whether the rater is nearer less than `epsilon` more often than the score: what raters are paid
    for must be that much better than what costs little.

    Parameters
    ----------
    scores
        Shape (items,), in the unit of the ratings; NaN where there is none.
    ratings
        Shape (items, raters); NaN where there is none.
    epsilon
        0.2 for experts, 0.15 for skilled raters, 0.1 for a crowd (:data:`EPSILON`).
    alignment
        ``numbers``, or ``classes``: codes of which only equality counts.

    Returns
    -------
    AlternativeAnnotator
        A rater with fewer than 30 items is left out of the rates, with the reason.

    Raises
    ------
    ValueError
        If the ratings are no table of numbers, there is not one score for each item, or an argument has no such value.

    Notes
    -----
    A constant can pass: where raters are spread around a mark that most outputs deserve, the mark itself is nearest to
    most of them most of the time, and tells no output from another. Read it beside a correlation.

    References
    ----------
    Calderon, N., Reichart, R. and Dror, R. (2025). The alternative annotator test for LLM-as-a-judge: how to
    statistically justify replacing human annotators with LLMs. ACL.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> quality = rng.integers(1, 7, 200)
    >>> raters = quality[:, None] + rng.integers(-1, 2, (200, 3))
    >>> test = alternative_annotator(quality, raters, EPSILON["crowd"])
    >>> test.winning_rate, round(test.advantage, 2), test.passes
    (1.0, 0.94, True)
    >>> alternative_annotator(rng.permutation(quality), raters, EPSILON["crowd"]).passes
    False
    """
    matrix, values = full_rating_matrix(ratings), np.asarray(scores, dtype=float)
    if values.shape != matrix.shape[:1]:
        raise ValueError(f"scores of shape {values.shape} for {len(matrix)} items: give one score per item")
    if not 0 <= epsilon < 1:
        raise ValueError(f"epsilon is {epsilon}: use a number from 0 to 1, e.g. 0.2 for experts, 0.1 for a crowd")
    if alignment not in get_args(Alignment):
        raise ValueError(f"unknown alignment {alignment!r}: choose from {', '.join(get_args(Alignment))}")
    found = [_replace_rater(values, matrix, place, epsilon, alignment) for place in range(matrix.shape[1])]
    adjusted = benjamini_yekutieli([rater.p for rater in found])
    raters = [rater._replace(p_adjusted=float(p)) for rater, p in zip(found, adjusted, strict=True)]
    tested = [rater for rater in raters if rater.reason is None]
    if not tested:
        reason = (
            raters[0].reason if len(raters) == 1 else "no rater could be tested: " + (_first_reason(raters) or "none")
        )
        return AlternativeAnnotator(math.nan, math.nan, False, raters, reason)
    wins = sum(rater.p_adjusted < FALSE_DISCOVERY_RATE for rater in tested) / len(tested)
    advantage = float(np.mean([rater.advantage for rater in tested]))
    return AlternativeAnnotator(wins, advantage, wins >= REQUIRED_WINNING_RATE, raters, None)


def _first_reason(raters: list[OneRater]) -> str | None:
    """Return the reason of the first rater's result, or None."""
    return raters[0].reason if raters else None


def _replace_rater(
    scores: FloatArray, matrix: FloatArray, place: int, epsilon: float, alignment: Alignment
) -> OneRater:
    """Compare the scores with one rater, each against the remaining raters."""
    own, others = matrix[:, place], np.delete(matrix, place, axis=1)
    items = ~np.isnan(own) & ~np.isnan(scores) & ~np.isnan(others).all(axis=1)
    of_score, of_rater = (_distance(values[items], others[items], alignment) for values in (scores, own))
    n, score_near, rater_near = int(items.sum()), _is_at_most(of_score, of_rater), _is_at_most(of_rater, of_score)
    if n < MIN_ITEMS:
        reason = f"{n} items with this rater, another rater and a score: at least {MIN_ITEMS} are needed"
        return OneRater(place, math.nan, math.nan, math.nan, math.nan, n, reason)
    differences = rater_near.astype(float) - score_near
    p = _p_below_epsilon(differences, epsilon)
    return OneRater(place, float(score_near.mean()), float(differences.mean()), p, math.nan, n, None)


def _distance(values: FloatArray, others: FloatArray, alignment: Alignment) -> FloatArray:
    """Return the distance of each value from the other ratings: mean squared error or share unequal."""
    gaps = others - values[:, None]
    apart = gaps**2 if alignment == "numbers" else np.where(np.isnan(gaps), np.nan, gaps != 0)
    known = ~np.isnan(apart)
    distance: FloatArray = np.where(known, apart, 0.0).sum(axis=1) / known.sum(axis=1)
    return distance


def _is_at_most(one: FloatArray, other: FloatArray) -> BoolArray:
    """Return whether each value is at most the other, up to rounding."""
    near: BoolArray = one <= other + _ROUNDING * np.maximum(1.0, other)
    return near


def _p_below_epsilon(differences: FloatArray, epsilon: float) -> float:
    """Return the p-value for a mean of at least epsilon; 0 or 1 if all differences are equal."""
    from scipy.stats import ttest_1samp

    if np.ptp(differences) == 0:
        return float(differences[0] >= epsilon)
    return float(ttest_1samp(differences, epsilon, alternative="less").pvalue)
