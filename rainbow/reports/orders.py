"""Orders of metrics and systems: by agreement, and with similar ones next to each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd, scipy
from rainbow.reports.saved.saved_analysis import SavedAnalysis


def oriented_r(saved: SavedAnalysis, lines: pd.DataFrame) -> pd.Series[Any]:
    """Return r of every row, oriented so that higher is better; NaN without a direction."""
    better = lines["metric"].map(saved.higher_is_better)
    turned = lines["r"].where(better.astype(object) == True, -lines["r"])  # noqa: E712
    return turned.where(better.notna())


def order_by_agreement(saved: SavedAnalysis) -> list[str]:
    """Return metrics by agreement with people, without input types and undefined correlations."""
    whole = saved.rows("correlations", level="pooled", **saved.all_outputs.filters)
    agreement = oriented_r(saved, whole).fillna(whole["r"].abs()).groupby(whole["metric"]).mean().dropna()
    names = [str(name) for name in agreement.sort_values(ascending=False, kind="stable").index]
    return [name for name in names if not name.startswith("type_")]


def metric_correlations(saved: SavedAnalysis, dataset: str, names: Sequence[str]) -> FloatArray:
    """Return the correlations between metrics, shape (n, n): 1 on the diagonal, NaN if undefined."""
    places = {name: place for place, name in enumerate(names)}
    matrix = np.full((len(names), len(names)), np.nan)
    np.fill_diagonal(matrix, 1.0)
    for (first, second), line in saved.lookup("metric_correlations", "first", "second", dataset=dataset).items():
        if first in places and second in places:
            row, column = places[first], places[second]
            matrix[row, column] = matrix[column, row] = line.r
    return matrix


def cluster_metrics(saved: SavedAnalysis, dataset: str) -> list[str]:
    """Return the metrics in the leaf order of average-linkage clustering."""
    matrix = metric_correlations(saved, dataset, saved.metrics)
    defined = np.isfinite(matrix).sum(axis=0) > 1
    names = [name for name, keep in zip(saved.metrics, defined, strict=True) if keep]
    turn = np.array([-1.0 if saved.higher_is_better[name] is False else 1.0 for name in names])
    similar = np.nan_to_num(matrix[np.ix_(defined, defined)] * np.outer(turn, turn))
    return [names[place] for place in leaf_order(similar)]


def leaf_order(similar: FloatArray) -> list[int]:
    """Return the leaf order of average-linkage clustering of a similarity matrix.

    Shapes: similar (n, n).
    """
    if len(similar) < 3:
        return list(range(len(similar)))
    distances = scipy.spatial.distance.squareform(1 - (similar + similar.T) / 2, checks=False)
    tree = scipy.cluster.hierarchy.linkage(distances, "average", optimal_ordering=True)
    return [int(place) for place in scipy.cluster.hierarchy.leaves_list(tree)]
