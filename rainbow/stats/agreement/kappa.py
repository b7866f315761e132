"""Kappa: agreement beyond chance, of two raters (Cohen, Light) and of many (Fleiss, Randolph)."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.stats.agreement.krippendorff import mark_counts
from rainbow.stats.agreement.rating_matrix import (
    Agreement,
    Ratings,
    agreement,
    interval_of_draws,
    item_interval,
    rating_matrix,
    tail_probability,
    undefined,
    why_no_agreement,
)

__all__ = ["WEIGHTINGS", "Weighting", "cohen_kappa", "fleiss_kappa", "light_kappa", "randolph_kappa"]

Weighting = Literal["unweighted", "linear", "quadratic"]
WEIGHTINGS: tuple[Weighting, ...] = get_args(Weighting)


def cohen_kappa(
    first: ArrayLike, second: ArrayLike, weighting: Weighting = "unweighted", *, confidence: float = 0.95
) -> Agreement:
    """Return Cohen's kappa of two raters with its large-sample interval.

    ``1 - D_o / D_e``: D_o is the mean difference of the two ratings of an item, D_e that of any rating of the one with
    any of the other. Two marks differ by 0 or 1 (unweighted), by their distance (linear) or its square (quadratic).

    Parameters
    ----------
    first, second
        A rating per item, shape (items,); items with a NaN in either are left out.
    weighting
        Distances are those of the marks' values, so that marks which nobody gave do not matter.
    confidence
        Of the interval, between 0 and 1.

    Returns
    -------
    Agreement
        The estimate is NaN, with the reason, if there are fewer than two items with both ratings, or all are equal.

    Raises
    ------
    ValueError
        If the raters differ in length, or the weighting has another name.

    References
    ----------
    Cohen, J. (1968). Weighted kappa. Psychological Bulletin 70(4).
    Fleiss, J. L., Cohen, J. and Everitt, B. S. (1969). Large sample standard errors of kappa and weighted kappa.
    Psychological Bulletin 72(5).

    Examples
    --------
    >>> result = cohen_kappa([1, 1, 2, 3, 3], [1, 2, 2, 3, 3], "quadratic")
    >>> round(result.estimate, 3), result.n_items
    (0.857, 5)
    """
    _check_weighting(weighting)
    tail = tail_probability(confidence)
    if np.shape(first) != np.shape(second) or np.ndim(first) != 1:
        raise ValueError(f"raters of shapes {np.shape(first)} and {np.shape(second)}: give a rating per item from each")
    matrix = rating_matrix(np.array([first, second], dtype=object).T)
    paired = matrix[~np.isnan(matrix).any(axis=1)]
    measure = f"Cohen's kappa, {weighting}"
    reason = why_no_agreement(matrix) or why_no_agreement(paired)
    if reason is not None:
        return undefined(measure, matrix, reason)
    marks, codes = _codes(paired)
    kappa, error = _kappa_and_error(_shares(codes, len(marks)), _distances(marks, weighting))
    margin = _normal_quantile(1 - tail) * error
    return agreement(measure, paired, kappa, (kappa - margin, min(1.0, kappa + margin)))


def light_kappa(
    ratings: Ratings,
    weighting: Weighting = "quadratic",
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    rng: Random = None,
) -> Agreement:
    """Return the mean of Cohen's kappa over all pairs of raters (Light's kappa), with a bootstrap interval over items.

    Parameters
    ----------
    ratings
        Shape (items, raters); NaN where there is none. A pair of raters counts with the items that both rated.
    weighting
        As for :func:`cohen_kappa`.
    confidence, resamples, rng
        Of the interval: how sure, how many draws of items (0 for none), generator or seed.

    Returns
    -------
    Agreement
        The estimate is NaN, with the reason, if no pair of raters has a kappa.

    References
    ----------
    Light, R. J. (1971). Measures of response agreement for qualitative data. Psychological Bulletin 76(5).

    Examples
    --------
    >>> round(light_kappa([[1, 1, 2], [2, 2, 2], [3, 3, 1], [1, 1, 1]], "linear", rng=0).estimate, 3)
    0.333
    """
    _check_weighting(weighting)
    matrix = rating_matrix(ratings)
    measure = f"Cohen's kappa, {weighting}, mean over pairs of raters"
    reason = why_no_agreement(matrix)
    if reason is not None:
        return undefined(measure, matrix, reason)
    marks, codes = _codes(matrix)
    distances = _distances(marks, weighting)

    def mean_kappas(multiplicities: FloatArray) -> FloatArray:
        return _mean_over_pairs(codes, distances, multiplicities)

    estimate = float(mean_kappas(np.ones((1, len(codes))))[0])
    if math.isnan(estimate):
        return undefined(measure, matrix, "no two raters have different marks on items that both rated")
    interval = interval_of_draws(mean_kappas, len(codes), confidence=confidence, resamples=resamples, rng=rng)
    return agreement(measure, matrix, estimate, interval)


def fleiss_kappa(ratings: Ratings, *, confidence: float = 0.95, resamples: int = 1000, rng: Random = None) -> Agreement:
    """Return Fleiss' kappa, for marks without an order, with a bootstrap interval over items.

    ``(P - P_e) / (1 - P_e)``: P is the share of pairs of ratings of an item that agree, P_e the sum of the squared
    shares of the marks. It does not matter who rated an item, but all items need the same number of ratings.

    Parameters
    ----------
    ratings
        Shape (items, raters).
    confidence, resamples, rng
        Of the interval: how sure, how many draws of items (0 for none), generator or seed.

    Returns
    -------
    Agreement
        The estimate is NaN, with the reason, if items have unequal numbers of ratings, or all ratings are equal.

    References
    ----------
    Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5).

    Examples
    --------
    >>> round(fleiss_kappa([[1, 1, 2], [2, 2, 2], [3, 3, 1], [1, 1, 1]], rng=0).estimate, 3)
    0.455
    """

    def chance(counts: FloatArray) -> float:
        return float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())

    return _many_raters("Fleiss' kappa", ratings, chance, confidence, resamples, rng)


def randolph_kappa(
    ratings: Ratings, n_marks: int, *, confidence: float = 0.95, resamples: int = 1000, rng: Random = None
) -> Agreement:
    """Return Randolph's kappa: Fleiss' with a chance agreement of one in the number of marks on the scale.

    Parameters
    ----------
    ratings
        Shape (items, raters).
    n_marks
        How many marks the raters could choose from, at least as many as they used.
    confidence, resamples, rng
        Of the interval: how sure, how many draws of items (0 for none), generator or seed.

    Raises
    ------
    ValueError
        If the ratings hold more marks, or the scale has fewer than two.

    References
    ----------
    Randolph, J. J. (2005). Free-marginal multirater kappa. Joensuu Learning and Instruction Symposium.

    Examples
    --------
    >>> round(randolph_kappa([[1, 1, 2], [2, 2, 2], [3, 3, 1], [1, 1, 1]], 3, rng=0).estimate, 3)
    0.5
    """
    used = len(mark_counts(rating_matrix(ratings))[0])
    if n_marks < max(2, used):
        raise ValueError(f"n_marks is {n_marks}: give the number of marks on the scale, {max(2, used)} or more")

    def chance(counts: FloatArray) -> float:
        return 1 / n_marks

    return _many_raters("Randolph's kappa", ratings, chance, confidence, resamples, rng)


def _check_weighting(weighting: str) -> None:
    if weighting not in WEIGHTINGS:
        raise ValueError(f"there is no weighting {weighting!r}: choose from {', '.join(WEIGHTINGS)}")


def _codes(matrix: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the marks in use, ascending, and the place of every rating among them, -1 where there is none."""
    marks = np.unique(matrix[~np.isnan(matrix)])
    return marks, np.where(np.isnan(matrix), -1, np.searchsorted(marks, matrix))


def _distances(marks: FloatArray, weighting: Weighting) -> FloatArray:
    distances = np.abs(marks[:, None] - marks)
    if weighting == "unweighted":
        return (distances > 0).astype(float)
    return distances**2 if weighting == "quadratic" else distances


def _shares(codes: IntArray, n_marks: int) -> FloatArray:
    """Return how often each mark of the first rater meets each of the second; the sum is the number of items."""
    both = codes[(codes >= 0).all(axis=1)]
    return np.bincount(both[:, 0] * n_marks + both[:, 1], minlength=n_marks**2).reshape(n_marks, n_marks).astype(float)


def _kappa_and_error(table: FloatArray, distances: FloatArray) -> tuple[float, float]:
    n = table.sum()
    if n == 0:
        return math.nan, math.nan
    shares = table / n
    of_first, of_second = shares.sum(axis=1), shares.sum(axis=0)
    expected = of_first @ distances @ of_second
    if expected == 0:
        return math.nan, math.nan
    ratio = (shares * distances).sum() / expected
    # How much each cell moves kappa (delta method); equal to the formula of Fleiss, Cohen & Everitt (1969).
    influence = ratio * ((distances @ of_second)[:, None] + of_first @ distances) - distances
    variance = (shares * influence**2).sum() - (shares * influence).sum() ** 2
    return float(1 - ratio), float(math.sqrt(max(variance, 0.0) / n) / expected)


def _mean_over_pairs(codes: IntArray, distances: FloatArray, multiplicities: FloatArray) -> FloatArray:
    """Return the mean kappa of all pairs of raters that have one, for item multiplicities (draws, items): (draws,)."""
    marks = np.eye(len(distances))
    complete = (codes >= 0).all()
    # Without gaps a rater's marks are counted once for all pairs.
    counted = [multiplicities @ marks[of_rater] for of_rater in codes.T] if complete else []
    kappas = []
    for pair in combinations(range(codes.shape[1]), 2):
        both = (codes[:, pair] >= 0).all(axis=1)
        weights, (first, second) = multiplicities[:, both], codes[both][:, pair].T
        counts = [counted[rater] for rater in pair] if complete else [weights @ marks[first], weights @ marks[second]]
        expected = (counts[0] @ distances * counts[1]).sum(axis=1)
        observed = weights @ distances[first, second] * weights.sum(axis=1)
        kappas.append(1 - np.divide(observed, expected, out=np.full(len(observed), np.nan), where=expected > 0))
    defined = ~np.isnan(kappas)
    total, pairs = np.nansum(kappas, axis=0), defined.sum(axis=0)
    mean: FloatArray = np.divide(total, pairs, out=np.full(len(total), np.nan), where=pairs > 0)
    return mean


def _many_raters(
    measure: str,
    ratings: Ratings,
    chance: Callable[[FloatArray], float],
    confidence: float,
    resamples: int,
    rng: Random,
) -> Agreement:
    matrix = rating_matrix(ratings)
    reason = why_no_agreement(matrix)
    counts = mark_counts(matrix)[1]
    sizes = counts.sum(axis=1)
    if reason is None and (sizes != sizes[0]).any():
        reason = "items have unequal numbers of ratings: Krippendorff's alpha takes them"
    if reason is not None:
        return undefined(measure, matrix, reason)

    def kappa(items: IntArray) -> float:
        drawn = counts[items]
        observed = float((drawn * (drawn - 1)).sum() / (sizes[0] * (sizes[0] - 1) * len(drawn)))
        expected = chance(drawn)
        return (observed - expected) / (1 - expected) if expected < 1 else math.nan

    interval = item_interval(kappa, len(counts), confidence=confidence, resamples=resamples, rng=rng)
    return agreement(measure, matrix, kappa(np.arange(len(counts))), interval)


def _normal_quantile(probability: float) -> float:
    from scipy.stats import norm

    return float(norm.ppf(probability))
