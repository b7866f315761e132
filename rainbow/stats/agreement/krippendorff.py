"""Krippendorff's alpha for any number of raters, any measurement level and missing ratings."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.stats.agreement.rating_matrix import (
    Agreement,
    Ratings,
    agreement_result,
    item_interval,
    no_agreement_reason,
    rating_matrix,
    undefined_agreement,
)

MeasurementLevel = Literal["nominal", "ordinal", "interval", "ratio"]
LEVELS: tuple[MeasurementLevel, ...] = get_args(MeasurementLevel)


def krippendorff_alpha(
    ratings: Ratings,
    level: MeasurementLevel = "ordinal",
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    rng: Random = None,
) -> Agreement:
    """Return Krippendorff's alpha with a bootstrap interval over items.

    Shapes: ratings (items, raters).
    Source: Krippendorff, K. (2004). Content Analysis: An Introduction to Its Methodology, 2nd edition, chapter 11.
    """
    if level not in LEVELS:
        raise ValueError(f"unknown level {level!r}: choose from {', '.join(LEVELS)}")
    matrix = rating_matrix(ratings)
    paired = rating_matrix(matrix[(~np.isnan(matrix)).sum(axis=1) > 1])
    if level == "ratio" and (matrix < 0).any():
        raise ValueError("negative ratings are not allowed at the ratio level: use the interval level")
    measure = f"Krippendorff's alpha, {level}"
    reason = no_agreement_reason(matrix) or no_agreement_reason(paired)
    if reason is not None:
        return undefined_agreement(measure, matrix, reason)
    marks, counts = rating_counts(paired)

    def alpha(items: IntArray) -> float:
        return _alpha(marks, counts, np.bincount(items, minlength=len(counts)).astype(float), level)

    interval = item_interval(alpha, len(counts), confidence=confidence, resamples=resamples, rng=rng)
    return agreement_result(measure, paired, alpha(np.arange(len(counts))), interval)


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
    if level == "ratio":
        sums = marks[:, None] + marks
        shares = np.divide(marks[:, None] - marks, sums, out=np.zeros_like(sums), where=sums > 0)
        return np.asarray(((counts @ shares**2) * counts).sum(axis=1))
    # The ordinal difference of two marks is that of the mean ranks of their ratings.
    places = np.cumsum(totals) - totals / 2 if level == "ordinal" else marks
    centred = places - places @ totals / totals.sum()
    return np.asarray(2 * (sizes * (counts @ centred**2) - (counts @ centred) ** 2))
