"""Features of the columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.datasets.lexicon import name_features
from rainbow.datasets.roles.column import Column, value_features
from rainbow.datasets.roles.contents import content_features
from rainbow.datasets.roles.relations import relation_features


def features_of(columns: Sequence[Column]) -> FloatArray:
    """Return the features of each column, shape (columns, width)."""
    size = max((len(column.rows) for column in columns), default=0)
    own = [
        np.concatenate([_table(columns, place), value_features(c, size), content_features(c), name_features(c.name)])
        for place, c in enumerate(columns)
    ]
    return np.hstack([relation_features(columns), np.array(own)])


def _table(columns: Sequence[Column], place: int) -> FloatArray:
    """Return the place of a column in its table, and the numbers of columns, marks and texts."""
    count = len(columns)
    marks, texts = sum(c.is_mark for c in columns), sum(c.is_text for c in columns)
    return np.array([place / max(count - 1, 1), min(count, 20) / 20, min(marks, 10) / 10, min(texts, 10) / 10])
