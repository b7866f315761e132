"""An order of metrics, or of systems, in which those that are alike stand together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.arrays import FloatArray

if TYPE_CHECKING:
    from rainbow.reports.saved.saved_analysis import Saved


def correlations_between(saved: Saved, dataset: str, names: Sequence[str]) -> FloatArray:
    """Return the correlations of metrics with each other, shape (n, n): 1 on the diagonal, NaN where undefined."""
    places = {name: place for place, name in enumerate(names)}
    matrix = np.full((len(names), len(names)), np.nan)
    np.fill_diagonal(matrix, 1.0)
    for (first, second), line in saved.lookup("metric_correlations", "first", "second", dataset=dataset).items():
        if first in places and second in places:
            row, column = places[first], places[second]
            matrix[row, column] = matrix[column, row] = line.r
    return matrix


def clustered(saved: Saved, dataset: str) -> list[str]:
    """Return the metrics that correlate with anything, neighbours first: leaves of a tree by average linkage."""
    matrix = correlations_between(saved, dataset, saved.metrics)
    defined = np.isfinite(matrix).sum(axis=0) > 1
    names = [name for name, keep in zip(saved.metrics, defined, strict=True) if keep]
    turn = np.array([-1.0 if saved.higher_is_better[name] is False else 1.0 for name in names])
    similar = np.nan_to_num(matrix[np.ix_(defined, defined)] * np.outer(turn, turn))
    return [names[place] for place in neighbours_first(similar)]


def neighbours_first(similar: FloatArray) -> list[int]:
    """Return the places of things so that those that are alike stand together: leaves of a tree by average linkage.

    Shapes: similar (n, n).
    """
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    if len(similar) < 3:
        return list(range(len(similar)))
    distances = squareform(1 - (similar + similar.T) / 2, checks=False)
    return [int(place) for place in leaves_list(linkage(distances, "average", optimal_ordering=True))]
