"""Features of the columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.datasets.lexicon import name_features
from rainbow.datasets.roles.column import Column, value_features
from rainbow.datasets.roles.content_features import content_features
from rainbow.datasets.roles.relations import relation_features


def table_features(columns: Sequence[Column]) -> FloatArray:
    """Return the features of each column, shape (columns, width)."""
    size = max((len(column.rows) for column in columns), default=0)
    own = [
        np.concatenate(
            [_position_features(columns, place), value_features(c, size), content_features(c), name_features(c.name)]
        )
        for place, c in enumerate(columns)
    ]
    return np.hstack([relation_features(columns), np.array(own)])


def _position_features(columns: Sequence[Column], place: int) -> FloatArray:
    """Return the position of a column, and the numbers of columns, ratings and texts."""
    count = len(columns)
    marks, texts = sum(c.is_mark for c in columns), sum(c.is_text for c in columns)
    return np.array([place / max(count - 1, 1), min(count, 20) / 20, min(marks, 10) / 10, min(texts, 10) / 10])
