"""Agreement of each rater with the others, and of every pair of raters."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.base.lazy import pd
from rainbow.stats.agreement.rating_matrix import (
    Agreement,
    Ratings,
    agreement_result,
    full_rating_matrix,
    item_interval,
    no_agreement_reason,
    rating_matrix,
    undefined_agreement,
)
from rainbow.stats.correlation.correlation import MINIMUM_ROWS, Method, correlate, correlation_matrix
from rainbow.stats.tidy_tables import tidy_table


def rater_against_rest(ratings: Ratings) -> pd.DataFrame:
    """Correlate each rater with the mean of the other raters of each item (Spearman).

    Shapes: ratings (items, raters).
    """
    matrix = full_rating_matrix(ratings)
    rows = []
    for rater, name in enumerate(_rater_names(ratings, matrix)):
        rest = pd.DataFrame(np.delete(matrix, rater, axis=1)).mean(axis=1)
        result = correlate(matrix[:, rater], rest)
        reason = result.reason and result.reason.replace("x is", "the rater is").replace(
            "y is", "the mean of the others is"
        )
        rows.append({"rater": name, "r": result.r, "p": result.p, "n": result.n, "reason": reason})
    return tidy_table(rows, ["rater", "r", "p", "n", "reason"])


def rater_pair_correlations(ratings: Ratings, method: Method = "spearman") -> pd.DataFrame:
    """Correlate every pair of raters over the items that both rated."""
    matrix = full_rating_matrix(ratings)
    rows = []
    for (one, first), (two, second) in combinations(enumerate(_rater_names(ratings, matrix)), 2):
        result = correlate(matrix[:, one], matrix[:, two], method)
        reason = result.reason and result.reason.replace("x is", "the first is").replace("y is", "the second is")
        rows.append({"first": first, "second": second, "r": result.r, "p": result.p, "n": result.n, "reason": reason})
    return tidy_table(rows, ["first", "second", "r", "p", "n", "reason"])


def inter_rater_correlation(
    ratings: Ratings,
    method: Method = "spearman",
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    rng: Random = None,
) -> Agreement:
    """Return the mean correlation over rater pairs, with a bootstrap interval over items.

    Shapes: ratings (items, raters).
    """
    matrix = rating_matrix(ratings)
    measure = f"{method.capitalize()} correlation, mean over pairs of raters"
    reason = no_agreement_reason(matrix)
    if reason is not None:
        return undefined_agreement(measure, matrix, reason)

    def mean(items: IntArray) -> float:
        return _mean_correlation(matrix[items], method)

    estimate = mean(np.arange(len(matrix)))
    if math.isnan(estimate):
        return undefined_agreement(measure, matrix, _no_pair_reason(matrix, method))
    interval = item_interval(mean, len(matrix), confidence=confidence, resamples=resamples, rng=rng)
    return agreement_result(measure, matrix, estimate, interval)


def _rater_names(ratings: Ratings, matrix: FloatArray) -> list[object]:
    """Return the column names of the ratings, or numbers from 1."""
    return list(getattr(ratings, "columns", range(1, matrix.shape[1] + 1)))


def _mean_correlation(matrix: FloatArray, method: Method) -> float:
    if len(matrix) >= MINIMUM_ROWS and not np.isnan(matrix).any():
        coefficients = correlation_matrix(matrix, matrix, method)[np.triu_indices(matrix.shape[1], 1)]
    else:
        coefficients = np.array(
            [_pair_correlation(matrix[:, list(pair)], method) for pair in combinations(range(matrix.shape[1]), 2)]
        )
    defined = coefficients[~np.isnan(coefficients)]
    return float(defined.mean()) if len(defined) else math.nan


def _pair_correlation(two: FloatArray, method: Method) -> float:
    """Return the correlation of two raters over the items that both rated, without its p-value."""
    known = two[~np.isnan(two).any(axis=1)]
    if len(known) < MINIMUM_ROWS:
        return math.nan
    return float(correlation_matrix(known[:, :1], known[:, 1:], method)[0, 0])


def _no_pair_reason(matrix: FloatArray, method: Method) -> str:
    """Return why no pair of raters has a correlation."""
    reasons = rater_pair_correlations(matrix, method)["reason"].tolist()
    return f"no two raters have a defined correlation (the first two: {reasons[0]})"
