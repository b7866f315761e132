"""Columns that a verdict can choose from, and why others are excluded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd, scipy

# Fewer rated outputs give correlations near 1 or -1 by chance alone: of 60 columns and three outputs, some agree fully.
MINIMUM_RATED = 20


Status = Literal["candidate", "direction unknown", "copy of the rating", "too few rows"]

CANDIDATE: Status = "candidate"
# Name of the column for output length.
LENGTH = "length in words"
# A candidate is known for so large a share of the rated outputs.
COVERED = 0.5
# A column that correlates so highly with a rating is a copy of it.
COPIED = 0.98
# Fewer rows correlate as highly by chance.
FEWEST_COPIED = 10


def candidate_status(
    rows: pd.DataFrame, metrics: Sequence[str], rating: str, external: Collection[str], undirected: Collection[str]
) -> dict[str, Status]:
    """Return for each column whether it is a candidate for a rating, or why it is not."""
    marks = rows[rating].to_numpy(dtype=float)

    def status(name: str) -> Status:
        values = rows[name].to_numpy(dtype=float)
        if name in external and is_rating_copy(values, marks):
            return "copy of the rating"
        if name in undirected:
            return "direction unknown"
        return CANDIDATE if np.count_nonzero(~np.isnan(values)) >= COVERED * len(values) else "too few rows"

    return {name: status(name) for name in metrics}


def is_rating_copy(scores: FloatArray, marks: FloatArray) -> bool:
    """Return whether scores are a rescaled, standardised or binned copy of a rating, in either direction."""
    known = ~np.isnan(scores) & ~np.isnan(marks)
    x, y = scores[known], marks[known]
    if len(x) < FEWEST_COPIED or np.ptp(x) == 0 or np.ptp(y) == 0:
        return False
    correlations = np.corrcoef(x, y)[0, 1], np.corrcoef(scipy.stats.rankdata(x), scipy.stats.rankdata(y))[0, 1]
    return bool(np.max(np.abs(correlations)) >= COPIED or _is_binned_copy(x, y))


def _is_binned_copy(scores: FloatArray, marks: FloatArray) -> bool:
    """Return whether scores are a monotone function of the ratings."""
    values, places = np.unique(marks, return_inverse=True)
    if len(values) == len(marks):
        return False  # without two equal marks any order of two groups would do
    lowest, highest = np.full(len(values), np.inf), np.full(len(values), -np.inf)
    np.minimum.at(lowest, places, scores)
    np.maximum.at(highest, places, scores)
    steps = np.diff(lowest)
    return bool((lowest == highest).all() and ((steps >= 0).all() or (steps <= 0).all()))
