"""A lookup table of training texts and inputs, the baseline of every protocol."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.learned.protocols.folds import FoldAssignment, iter_folds
from rainbow.learned.protocols.groups import row_groups
from rainbow.learned.protocols.rating_classes import MAX_POINTS, rating_points
from rainbow.stats.correlation.correlation import correlate, undefined_correlation_reason
from rainbow.stats.tidy_tables import require_columns, tidy_table

_COLUMNS = ("protocol", "rating", "n", "spearman", "accuracy", "commonest_accuracy", "seed", "reason")


def evaluate_lookup(frame: pd.DataFrame, ratings: Sequence[str], assignments: Iterable[FoldAssignment]) -> pd.DataFrame:
    """Return the agreement with ratings of looking texts up among the training rows."""
    require_columns(frame, ratings)
    keys = [row_groups(frame, "by-item"), row_groups(frame, "by-text")]
    lines = [
        {
            "protocol": assignment.protocol,
            "rating": rating,
            "seed": assignment.seed,
            **_lookup_fields(frame[rating].to_numpy(dtype=float, na_value=np.nan), assignment, keys),
        }
        for assignment in assignments
        for rating in ratings
    ]
    return tidy_table(lines, _COLUMNS)


def look_up_targets(targets: FloatArray, train: IntArray, test: IntArray, keys: Iterable[IntArray]) -> FloatArray:
    """Return for every test row the mean target of the training rows that share a key.

    Shapes: targets (n, m), keys (n,).
    """
    values = np.tile(targets.mean(axis=0), (len(test), 1))
    for key in keys:
        size = key.max(initial=-1) + 1
        counts = np.bincount(key[train], minlength=size)[key[test]]
        sums = [np.bincount(key[train], column[train], size)[key[test]] for column in targets.T]
        met = counts > 0
        values[met] = np.stack(sums, axis=1)[met] / counts[met, None]
    return values


def _lookup_fields(rated: FloatArray, assignment: FoldAssignment, keys: Sequence[IntArray]) -> dict[str, Any]:
    known = ~np.isnan(rated)
    place, given = np.cumsum(known) - 1, rated[known]
    points = np.unique(rating_points(given))
    ordered = 2 <= len(points) <= MAX_POINTS
    classes = rating_points(given)[:, None] == points[: len(points) * ordered]
    targets, own = np.hstack([given[:, None], classes]), [key[known] for key in keys]
    folds = [[place[rows[known[rows]]] for rows in fold] for fold in iter_folds(assignment)]
    tested = np.concatenate([test for _, test in folds])
    values = np.concatenate([look_up_targets(targets, train, test, own) for train, test in folds])
    reason = undefined_correlation_reason(values[:, 0], given[tested], ("the looked-up rating", "the rating"))
    share = classes.mean(axis=0)
    # Ties between points in a group are broken by overall frequency.
    right = classes[tested, (values[:, 1:] + share / len(given)).argmax(axis=1)] if ordered else np.array([np.nan])
    return {
        "n": len(tested),
        "spearman": np.nan if reason else correlate(values[:, 0], given[tested]).r,
        "accuracy": right.mean(),
        "commonest_accuracy": classes[tested, share.argmax()].mean() if ordered else np.nan,
        "reason": reason,
    }
