"""Overlap of test rows with training rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.base.arrays import BoolArray, IntArray
from rainbow.base.lazy import pd
from rainbow.learned.protocols.folds import FoldAssignment, iter_folds
from rainbow.learned.protocols.groups import folded_text, row_groups, row_templates
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
    parts = list(iter_folds(assignment))
    met = {
        name: float(np.concatenate([np.isin(groups[test], groups[train]) for train, test in parts]).mean())
        for name, groups in common.items()
    }
    met["near_texts"] = float(np.concatenate([_has_near_text(near, common["texts"], *part) for part in parts]).mean())
    return {"protocol": assignment.protocol, "seed": assignment.seed, "n": sum(len(test) for _, test in parts), **met}


def _has_near_text(near: csr_array, texts: IntArray, train: IntArray, test: IntArray) -> BoolArray:
    learned = np.zeros(near.shape[0])
    learned[texts[train]] = 1
    result: BoolArray = (near @ learned)[texts[test]] > 0
    return result


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
