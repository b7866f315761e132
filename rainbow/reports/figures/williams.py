"""Which of two metrics agrees better with a rating, and whether the difference is real."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rainbow.reports.figures.heat import colour_bar, squares
from rainbow.reports.figures.style import MUTED, canvas
from rainbow.reports.grid import SIGNIFICANT, limit_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from numpy.typing import NDArray

    from rainbow.reports.saved.saved_analysis import Saved

__all__ = ["differences_between", "williams_matrix"]


def differences_between(
    saved: Saved, rating: str, names: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return differences of correlations, row minus column, below the diagonal, and their p after Holm's correction."""
    places = {name: place for place, name in enumerate(names)}
    difference, p = np.full((2, len(names), len(names)), np.nan)
    dataset, system = saved.whole
    lines = saved.lookup("metric_differences", "metric", "other", rating=rating, dataset=dataset, system=system)
    for (metric, other), line in lines.items():
        if metric in places and other in places:
            first, second = places[metric], places[other]
            row, column = max(first, second), min(first, second)
            difference[row, column] = line.difference if first == row else -line.difference
            p[row, column] = line.p_holm
    return difference, p


def williams_matrix(saved: Saved, names: Sequence[str]) -> Canvas:
    """Draw a panel per rating: a square per pair of metrics, crossed out where the two are not told apart."""
    figure, panels = canvas(len(saved.ratings), 1.15 + 2.0 * max(0.5, len(names) / 20), sharey=True)
    tables = [differences_between(saved, rating, names) for rating in saved.ratings]
    limit = limit_of(value for difference, _ in tables for value in difference.ravel().tolist())
    for axes, rating, (difference, p) in zip(panels, saved.ratings, tables, strict=True):
        squares(axes, difference[1:, :-1], limit, names[1:], names[:-1])
        _cross_out(axes, p[1:, :-1])
        axes.set_title(rating)
        axes.tick_params(labelsize=6)
    colour_bar(figure, panels, limit, "row minus column")
    return figure


def _cross_out(axes: Axes, p: NDArray[np.float64]) -> None:
    rows, columns = np.nonzero(p >= SIGNIFICANT)
    axes.scatter(columns, rows, marker="x", s=7, linewidths=0.6, color=MUTED)
