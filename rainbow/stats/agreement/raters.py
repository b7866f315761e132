"""Each rater against the others: who follows the rest, and how well any two agree."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.stats.agreement.rating_matrix import (
    Agreement,
    Ratings,
    agreement,
    full_rating_matrix,
    item_interval,
    rating_matrix,
    undefined,
    why_no_agreement,
)
from rainbow.stats.correlation.correlation import MINIMUM_ROWS, Method, correlate, correlation_matrix
from rainbow.stats.tidy import tidy

if TYPE_CHECKING:
    import pandas as pd


def rater_against_rest(ratings: Ratings) -> pd.DataFrame:
    """Correlate each rater with the mean of those others who rated an item (Spearman's r).

    Shapes: ratings (items, raters).
    """
    import pandas as pd

    matrix = full_rating_matrix(ratings)
    rows = []
    for rater, name in enumerate(_names(ratings, matrix)):
        rest = pd.DataFrame(np.delete(matrix, rater, axis=1)).mean(axis=1)
        found = correlate(matrix[:, rater], rest)
        reason = found.reason and found.reason.replace("x is", "the rater is").replace("y is", "the rest is")
        rows.append({"rater": name, "r": found.r, "p": found.p, "n": found.n, "reason": reason})
    return tidy(rows, ["rater", "r", "p", "n", "reason"])


def pairs_of_raters(ratings: Ratings, method: Method = "spearman") -> pd.DataFrame:
    """Correlate every two raters over the items that both rated."""
    matrix = full_rating_matrix(ratings)
    rows = []
    for (one, first), (two, second) in combinations(enumerate(_names(ratings, matrix)), 2):
        found = correlate(matrix[:, one], matrix[:, two], method)
        reason = found.reason and found.reason.replace("x is", "the first is").replace("y is", "the second is")
        rows.append({"first": first, "second": second, "r": found.r, "p": found.p, "n": found.n, "reason": reason})
    return tidy(rows, ["first", "second", "r", "p", "n", "reason"])


def inter_rater_correlation(
    ratings: Ratings,
    method: Method = "spearman",
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    rng: Random = None,
) -> Agreement:
    """Return the mean correlation of two raters, over all pairs that have one, with a bootstrap interval over items.

    Shapes: ratings (items, raters).
    """
    matrix = rating_matrix(ratings)
    measure = f"{method.capitalize()} correlation, mean over pairs of raters"
    reason = why_no_agreement(matrix)
    if reason is not None:
        return undefined(measure, matrix, reason)

    def mean(items: IntArray) -> float:
        return _mean_correlation(matrix[items], method)

    estimate = mean(np.arange(len(matrix)))
    if math.isnan(estimate):
        return undefined(measure, matrix, _why_no_pair(matrix, method))
    interval = item_interval(mean, len(matrix), confidence=confidence, resamples=resamples, rng=rng)
    return agreement(measure, matrix, estimate, interval)


def _names(ratings: Ratings, matrix: FloatArray) -> list[object]:
    return list(getattr(ratings, "columns", range(1, matrix.shape[1] + 1)))


def _mean_correlation(matrix: FloatArray, method: Method) -> float:
    if len(matrix) >= MINIMUM_ROWS and not np.isnan(matrix).any():
        coefficients = correlation_matrix(matrix, matrix, method)[np.triu_indices(matrix.shape[1], 1)]
    else:
        coefficients = np.array(
            [_coefficient(matrix[:, list(pair)], method) for pair in combinations(range(matrix.shape[1]), 2)]
        )
    defined = coefficients[~np.isnan(coefficients)]
    return float(defined.mean()) if len(defined) else math.nan


def _coefficient(two: FloatArray, method: Method) -> float:
    """Correlate two raters over the items that both rated; without p, which takes longer."""
    known = two[~np.isnan(two).any(axis=1)]
    if len(known) < MINIMUM_ROWS:
        return math.nan
    return float(correlation_matrix(known[:, :1], known[:, 1:], method)[0, 0])


def _why_no_pair(matrix: FloatArray, method: Method) -> str:
    reasons = pairs_of_raters(matrix, method)["reason"].tolist()
    return f"no two raters have a correlation (of the first two: {reasons[0]})"
