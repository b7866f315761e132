"""Agreement beyond chance: Krippendorff's alpha, and the kappas of Cohen, Light and Fleiss."""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.stats.agreement.rating_matrix import (
    Agreement,
    Ratings,
    bootstrap_agreement,
    no_agreement_reason,
    rating_matrix,
    undefined_agreement,
)

MeasurementLevel = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[MeasurementLevel, ...] = get_args(MeasurementLevel)


def krippendorff_alpha(
    ratings: Ratings, level: MeasurementLevel = "ordinal", *, resamples: int = 1000, rng: Random = None
) -> Agreement:
    """Return Krippendorff's alpha with a bootstrap interval over items.

    Shapes: ratings (items, raters).
    Source: Krippendorff, K. (2004). Content Analysis: An Introduction to Its Methodology, 2nd edition, chapter 11.
    """
    if level not in LEVELS:
        raise ValueError(f"unknown level {level!r}: choose from {', '.join(LEVELS)}")
    matrix = rating_matrix(ratings)
    paired = rating_matrix(matrix[(~np.isnan(matrix)).sum(axis=1) > 1])
    measure = f"Krippendorff's alpha, {level}"
    reason = no_agreement_reason(matrix) or no_agreement_reason(paired)
    if reason is not None:
        return undefined_agreement(measure, matrix, reason)
    marks, counts = rating_counts(paired)

    def alpha(multiplicities: FloatArray) -> FloatArray:
        return np.array([_alpha(marks, counts, weights, level) for weights in multiplicities])

    return bootstrap_agreement(measure, paired, alpha, resamples=resamples, rng=rng)


def rating_counts(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the distinct ratings, ascending, and their counts per item, shape (items, ratings)."""
    marks = np.unique(matrix[~np.isnan(matrix)])
    counts = np.zeros((len(matrix), len(marks)))
    items, raters = np.nonzero(~np.isnan(matrix))
    np.add.at(counts, (items, np.searchsorted(marks, matrix[items, raters])), 1)
    return marks, counts


def _alpha(marks: FloatArray, counts: FloatArray, weights: FloatArray, level: MeasurementLevel) -> float:
    totals = weights @ counts
    if np.count_nonzero(totals) < 2:
        return math.nan
    observed = weights @ (_disagreement(counts, marks, totals, level) / (counts.sum(axis=1) - 1))
    expected = _disagreement(totals[None], marks, totals, level)[0] / (totals.sum() - 1)
    return float(1 - observed / expected)


def _disagreement(counts: FloatArray, marks: FloatArray, totals: FloatArray, level: MeasurementLevel) -> FloatArray:
    """Return the summed squared differences over ordered rating pairs in each row of counts."""
    sizes = counts.sum(axis=1)
    if level == "nominal":
        return np.asarray(sizes**2 - (counts**2).sum(axis=1))
    # The ordinal difference of two marks is that of the mean ranks of their ratings.
    places = np.cumsum(totals) - totals / 2 if level == "ordinal" else marks
    centred = places - places @ totals / totals.sum()
    return np.asarray(2 * (sizes * (counts @ centred**2) - (counts @ centred) ** 2))


def light_kappa(ratings: Ratings, *, resamples: int = 1000, rng: Random = None) -> Agreement:
    """Return the mean quadratically weighted Cohen's kappa over rater pairs (Light's kappa), with a bootstrap interval.

    Shapes: ratings (items, raters).
    Source: Cohen, J. (1968). Weighted kappa. Psychological Bulletin 70(4). Light, R. J. (1971). Measures of response
    agreement for qualitative data. Psychological Bulletin 76(5).
    """
    matrix = rating_matrix(ratings)
    measure = "Cohen's kappa, quadratic, mean over pairs of raters"
    if reason := no_agreement_reason(matrix):
        return undefined_agreement(measure, matrix, reason)
    marks = np.unique(matrix[~np.isnan(matrix)])
    codes = np.where(np.isnan(matrix), -1, np.searchsorted(marks, matrix))
    kappa = partial(_mean_pairwise_kappa, codes, np.abs(marks[:, None] - marks) ** 2)
    reason = "no two raters have varying ratings on items that both rated"
    return bootstrap_agreement(measure, matrix, kappa, reason, resamples=resamples, rng=rng)


def fleiss_kappa(ratings: Ratings, *, resamples: int = 1000, rng: Random = None) -> Agreement:
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

    def kappa(multiplicities: FloatArray) -> FloatArray:
        observed = multiplicities @ (counts * (counts - 1)).sum(axis=1) / (sizes[0] * (sizes[0] - 1) * len(counts))
        shares = multiplicities @ counts / (sizes[0] * len(counts))
        expected = (shares**2).sum(axis=1)
        values: FloatArray = (observed - expected) / np.where(expected < 1, 1 - expected, np.nan)
        return values

    return bootstrap_agreement("Fleiss' kappa", matrix, kappa, resamples=resamples, rng=rng)


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
