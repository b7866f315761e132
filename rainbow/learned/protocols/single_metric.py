"""The best single metric in hindsight, the baseline of a learned metric."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.stats.correlation.correlation import correlation_matrix, undefined_correlation_reason


class SingleMetric(NamedTuple):
    """The metric that agrees best with the ratings of the same rows."""

    name: str | None  # None where no metric has a correlation
    # its correlation with the ratings, sign as it comes: below 0 where a lower score goes with a higher rating
    spearman: float
    agreement: float  # the same correlation of the turned scores: the highest of all metrics
    # its scores, turned so that higher is to mean better, shape (n,); a row without a score has the median
    turned: FloatArray
    reason: str | None  # the reason for a missing value, else None


def best_single_metric(
    scores: FloatArray, rated: FloatArray, higher_is_better: Mapping[str, bool | None]
) -> SingleMetric:
    """Return the metric with the highest Spearman correlation, all oriented so higher is better."""
    if (reason := undefined_correlation_reason(rated, rated, ("the rating", "the rating"))) is not None:
        return _missing_metric(len(rated), reason)
    filled = _fill_gaps(scores)
    r = correlation_matrix(filled, rated[:, None])[:, 0]
    signs = np.array([_orientation(better, value) for better, value in zip(higher_is_better.values(), r, strict=True)])
    agreement = np.where(np.isnan(r), -np.inf, signs * r)
    if not np.isfinite(agreement).any():
        return _missing_metric(len(rated), "no metric varies over these rows")
    best = int(agreement.argmax())
    name = list(higher_is_better)[best]
    return SingleMetric(name, float(r[best]), float(agreement[best]), signs[best] * filled[:, best], None)


def _missing_metric(rows: int, reason: str) -> SingleMetric:
    return SingleMetric(None, math.nan, math.nan, np.full(rows, np.nan), reason)


def _fill_gaps(scores: FloatArray) -> FloatArray:
    filled = scores.copy()
    for column in filled.T:
        gaps = np.isnan(column)
        column[gaps] = 0.0 if gaps.all() else np.median(column[~gaps])
    return filled


def _orientation(higher_is_better: bool | None, r: float) -> float:
    if higher_is_better is None:
        return -1.0 if r < 0 else 1.0
    return 1.0 if higher_is_better else -1.0
