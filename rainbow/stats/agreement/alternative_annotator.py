"""The alternative annotator test: whether scores could replace one of the raters."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.base.lazy import scipy
from rainbow.stats.agreement.rating_matrix import Ratings, full_rating_matrix
from rainbow.stats.differences.multiplicity import benjamini_yekutieli

Alignment = Literal["numbers", "classes"]
RaterKind = Literal["experts", "skilled", "crowd"]

# Tolerance per kind of rater: the score may be closer to the others less often than the rater by this much.
EPSILON: dict[RaterKind, float] = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}

# Thresholds for each rater, and for the share of raters that the scores must replace.
MIN_ITEMS = 30
REQUIRED_WINNING_RATE = 0.5
FALSE_DISCOVERY_RATE = 0.05

# Mean squares closer than this are equal up to rounding.
_ROUNDING = 1e-12


class OneRater(NamedTuple):
    """Result of replacing one rater with the scores, both compared with the other raters."""

    place: int  # column of the ratings, counted from 0
    advantage: float  # share of items where the scores agree with the others at least as well as the rater
    difference: float  # share where the rater agrees at least as well as the scores, minus `advantage`
    p: float  # t-test; null hypothesis: the difference is at least epsilon
    p_adjusted: float  # p after the Benjamini-Yekutieli correction
    n: int  # items with the rater, a score and another rater
    reason: str | None  # why p is undefined; None if it is defined


class AlternativeAnnotator(NamedTuple):
    """Result of the alternative annotator test."""

    winning_rate: float  # share of raters that the scores could replace
    advantage: float
    passes: bool  # whether the winning rate is at least .5
    raters: list[OneRater]  # one entry per rater
    reason: str | None  # why the winning rate is undefined; None if it is defined


def alternative_annotator(
    scores: ArrayLike, ratings: Ratings, epsilon: float, alignment: Alignment = "numbers"
) -> AlternativeAnnotator:
    """Test whether scores agree with raters as well as a left-out rater does (Calderon et al. 2025).

    Each rater is left out in turn. On each item, the rater and the score are compared with the other raters: the one
    with the lower root mean square difference (or more equal ratings) is closer. The null hypothesis of each test is
    that the rater is closer at least `epsilon` more often than the score, as raters cost more.

    Parameters
    ----------
    scores : array of shape (items,)
        Scores in the unit of the ratings; NaN if missing.
    ratings : array of shape (items, raters)
        Ratings; NaN if missing.
    epsilon : float
        0.2 for experts, 0.15 for skilled raters, 0.1 for a crowd (:data:`EPSILON`).
    alignment : {"numbers", "classes"}
        Whether ratings are numbers, or codes that can only be equal or unequal.

    Returns
    -------
    AlternativeAnnotator
        Raters with fewer than 30 items are excluded from the rates, with a reason.

    Raises
    ------
    ValueError
        If the ratings are not a numeric table, there is not one score per item, or an argument is invalid.

    Notes
    -----
    A constant can pass: if ratings scatter around a value that most outputs deserve, that value is usually the closest,
    although it does not discriminate between outputs. Report a correlation as well.

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
    results = [_replace_rater(values, matrix, place, epsilon, alignment) for place in range(matrix.shape[1])]
    adjusted = benjamini_yekutieli([rater.p for rater in results])
    raters = [rater._replace(p_adjusted=float(p)) for rater, p in zip(results, adjusted, strict=True)]
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
    if np.ptp(differences) == 0:
        return float(differences[0] >= epsilon)
    return float(scipy.stats.ttest_1samp(differences, epsilon, alternative="less").pvalue)
