"""Agreement of each rater with the others, and of every pair of raters."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.lazy import pd
from rainbow.stats.agreement.rating_matrix import (
    Agreement,
    Ratings,
    bootstrap_agreement,
    full_rating_matrix,
    no_agreement_reason,
    of_draws,
    rating_matrix,
    undefined_agreement,
)
from rainbow.stats.correlation.correlation import MINIMUM_ROWS, correlate, correlation_matrix
from rainbow.stats.tidy_tables import tidy_table


def rater_against_rest(ratings: Ratings) -> pd.DataFrame:
    """Correlate each rater with the mean of the other raters of each item (Spearman).

    Shapes: ratings (items, raters).
    """
    matrix = full_rating_matrix(ratings)
    names = getattr(ratings, "columns", range(1, matrix.shape[1] + 1))
    rows = []
    for rater, name in enumerate(names):
        rest = pd.DataFrame(np.delete(matrix, rater, axis=1)).mean(axis=1)
        result = correlate(matrix[:, rater], rest)
        reason = result.reason and result.reason.replace("x is", "the rater is")
        reason = reason and reason.replace("y is", "the mean of the others is")
        rows.append({"rater": name, **result._asdict(), "reason": reason})
    return tidy_table(rows, ["rater", "r", "p", "n", "reason"])


def inter_rater_correlation(ratings: Ratings, *, resamples: int = 1000, rng: Random = None) -> Agreement:
    """Return the mean Spearman correlation over rater pairs, with a bootstrap interval over items.

    Shapes: ratings (items, raters).
    """
    matrix = rating_matrix(ratings)
    measure = "Spearman correlation, mean over pairs of raters"
    if reason := no_agreement_reason(matrix):
        return undefined_agreement(measure, matrix, reason)
    first = correlate(matrix[:, 0], matrix[:, 1]).reason or ""
    first = first.replace("x is", "the first is").replace("y is", "the second is")
    reason = f"no two raters have a defined correlation (the first two: {first})"
    statistic = of_draws(lambda items: _mean_correlation(matrix[items]))
    return bootstrap_agreement(measure, matrix, statistic, reason, resamples=resamples, rng=rng)


def _mean_correlation(matrix: FloatArray) -> float:
    if len(matrix) >= MINIMUM_ROWS and not np.isnan(matrix).any():
        coefficients = correlation_matrix(matrix, matrix)[np.triu_indices(matrix.shape[1], 1)]
    else:
        coefficients = np.array(
            [_pair_correlation(matrix[:, list(pair)]) for pair in combinations(range(matrix.shape[1]), 2)]
        )
    defined = coefficients[~np.isnan(coefficients)]
    return float(defined.mean()) if len(defined) else math.nan


def _pair_correlation(two: FloatArray) -> float:
    """Return the correlation of two raters over the items that both rated, without its p-value."""
    known = two[~np.isnan(two).any(axis=1)]
    if len(known) < MINIMUM_ROWS:
        return math.nan
    return float(correlation_matrix(known[:, :1], known[:, 1:])[0, 0])
