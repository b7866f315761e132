"""Overlap of test rows with training rows, and how well a lookup of training rows predicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.learned.protocols.calibration import MAX_POINTS, rating_points
from rainbow.learned.protocols.groups import FoldAssignment, folded_text, iter_folds, row_groups, row_templates
from rainbow.stats.correlation.correlation import correlate, undefined_correlation_reason
from rainbow.stats.tidy_tables import tidy_table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_COLUMNS = ("protocol", "seed", "n", "rows", "items", "texts", "near_texts", "templates")

# Two texts are nearly the same if the letters that one has and the other lacks are so small a share of all they have.
_NEAR = 0.9
_BATCH_ROWS = 500  # texts that are compared with all others


def overlap_table(frame: pd.DataFrame, assignments: Iterable[FoldAssignment]) -> pd.DataFrame:
    """Return for every assignment the share of test rows that overlap with a training row."""
    common = {
        "rows": np.arange(len(frame)),
        "items": row_groups(frame, "by-item"),
        "texts": row_groups(frame, "by-text"),
        "templates": row_templates(frame),
    }
    near = _near_texts(frame["output"].tolist(), common["texts"])
    lines = [_overlap_line(assignment, common, near) for assignment in assignments]
    return tidy_table(lines, _COLUMNS)


def _overlap_line(assignment: FoldAssignment, common: Mapping[str, IntArray], near: csr_array) -> dict[str, Any]:
    parts, texts = list(iter_folds(assignment)), common["texts"]
    met = {
        name: np.concatenate([np.isin(groups[test], groups[train]) for train, test in parts])
        for name, groups in common.items()
    }
    learned = [np.isin(np.arange(near.shape[0]), texts[train]).astype(float) for train, _ in parts]
    close = [(near @ own)[texts[test]] > 0 for own, (_, test) in zip(learned, parts, strict=True)]
    met["near_texts"] = np.concatenate(close)
    shares = {name: float(own.mean()) for name, own in met.items()}
    return {"protocol": assignment.protocol, "seed": assignment.seed, "n": len(met["rows"]), **shares}


def _near_texts(outputs: Sequence[str], texts: IntArray) -> csr_array:
    """Return a sparse 0/1 matrix of nearly equal texts, including each text itself."""
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cdist
    from scipy.sparse import csr_array, vstack

    first = np.unique(texts, return_index=True)[1]
    folded = [folded_text(outputs[row]) for row in first]
    parts = [
        csr_array(cdist(folded[start : start + _BATCH_ROWS], folded, scorer=Indel.normalized_similarity) >= _NEAR)
        for start in range(0, len(folded), _BATCH_ROWS)
    ]
    return csr_array(vstack(parts).astype(float))


_LOOKUP = ("protocol", "rating", "n", "spearman", "accuracy", "commonest_accuracy", "seed", "reason")


def evaluate_lookup(frame: pd.DataFrame, ratings: Sequence[str], assignments: Iterable[FoldAssignment]) -> pd.DataFrame:
    """Return the agreement with ratings of looking texts up among the training rows."""
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
    return tidy_table(lines, _LOOKUP)


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
