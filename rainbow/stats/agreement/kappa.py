"""Kappa, agreement beyond chance: pairwise (Cohen, Light) and for many raters (Fleiss)."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.stats.agreement.krippendorff import rating_counts
from rainbow.stats.agreement.rating_matrix import (
    Agreement,
    Ratings,
    agreement_result,
    item_draws_interval,
    item_interval,
    no_agreement_reason,
    rating_matrix,
    undefined_agreement,
)

Weighting = Literal["unweighted", "linear", "quadratic"]
WEIGHTINGS: tuple[Weighting, ...] = get_args(Weighting)


def light_kappa(
    ratings: Ratings,
    weighting: Weighting = "quadratic",
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    rng: Random = None,
) -> Agreement:
    """Return the mean Cohen's kappa over rater pairs (Light's kappa), with a bootstrap interval.

    Shapes: ratings (items, raters).
    Source: Cohen, J. (1968). Weighted kappa. Psychological Bulletin 70(4). Light, R. J. (1971). Measures of response
    agreement for qualitative data. Psychological Bulletin 76(5).
    """
    _check_weighting(weighting)
    matrix = rating_matrix(ratings)
    measure = f"Cohen's kappa, {weighting}, mean over pairs of raters"
    reason = no_agreement_reason(matrix)
    if reason is not None:
        return undefined_agreement(measure, matrix, reason)
    marks, codes = _codes(matrix)
    distances = _distances(marks, weighting)

    def mean_kappas(multiplicities: FloatArray) -> FloatArray:
        return _mean_pairwise_kappa(codes, distances, multiplicities)

    estimate = float(mean_kappas(np.ones((1, len(codes))))[0])
    if math.isnan(estimate):
        return undefined_agreement(measure, matrix, "no two raters have varying ratings on items that both rated")
    interval = item_draws_interval(mean_kappas, len(codes), confidence=confidence, resamples=resamples, rng=rng)
    return agreement_result(measure, matrix, estimate, interval)


def fleiss_kappa(ratings: Ratings, *, confidence: float = 0.95, resamples: int = 1000, rng: Random = None) -> Agreement:
    """Return Fleiss' kappa for nominal ratings, with a bootstrap interval over items.

    Shapes: ratings (items, raters).
    Source: Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5).
    """
    matrix = rating_matrix(ratings)
    reason = no_agreement_reason(matrix)
    counts = rating_counts(matrix)[1]
    sizes = counts.sum(axis=1)
    if reason is None and (sizes != sizes[0]).any():
        reason = "items have unequal numbers of ratings: use Krippendorff's alpha"
    if reason is not None:
        return undefined_agreement("Fleiss' kappa", matrix, reason)

    def kappa(items: IntArray) -> float:
        drawn = counts[items]
        observed = float((drawn * (drawn - 1)).sum() / (sizes[0] * (sizes[0] - 1) * len(drawn)))
        expected = float(((drawn.sum(axis=0) / drawn.sum()) ** 2).sum())
        return (observed - expected) / (1 - expected) if expected < 1 else math.nan

    interval = item_interval(kappa, len(counts), confidence=confidence, resamples=resamples, rng=rng)
    return agreement_result("Fleiss' kappa", matrix, kappa(np.arange(len(counts))), interval)


def _check_weighting(weighting: str) -> None:
    if weighting not in WEIGHTINGS:
        raise ValueError(f"unknown weighting {weighting!r}: choose from {', '.join(WEIGHTINGS)}")


def _codes(matrix: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the distinct ratings, ascending, and the index of each rating among them (-1 if missing)."""
    marks = np.unique(matrix[~np.isnan(matrix)])
    return marks, np.where(np.isnan(matrix), -1, np.searchsorted(marks, matrix))


def _distances(marks: FloatArray, weighting: Weighting) -> FloatArray:
    distances = np.abs(marks[:, None] - marks)
    if weighting == "unweighted":
        return (distances > 0).astype(float)
    return distances**2 if weighting == "quadratic" else distances


def _mean_pairwise_kappa(codes: IntArray, distances: FloatArray, multiplicities: FloatArray) -> FloatArray:
    """Return the mean kappa over rater pairs, shape (draws,), for multiplicities (draws, items)."""
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
