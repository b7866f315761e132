"""What a metric gives for outputs that people call bad, average and good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rainbow.analysis.correlations.strata import rating_bins
from rainbow.reports.figures.style import INK_COLOUR, canvas, colour_of, grid_lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

    from rainbow.reports.saved.saved_analysis import Saved

__all__ = ["scores_in_bins"]

# A density of fewer values than this says nothing: they are drawn one by one.
MINIMUM = 8


def scores_in_bins(saved: Saved, metrics: Mapping[str, str]) -> Canvas:
    """Draw a panel per rating: the scores of one metric (by rating in `metrics`) in the three bins of the rating."""
    figure, panels = canvas(len(metrics), 2.5)
    for axes, (rating, metric) in zip(panels, metrics.items(), strict=True):
        rated = saved.scores[[rating, metric]].dropna()
        bins = rating_bins(rated[rating])
        labels = []
        for place, name in enumerate(bins.categories):
            values = rated.loc[np.asarray(bins == name), metric].to_numpy(dtype=float)
            labels.append(f"{name}\nn = {len(values):,}")
            _draw(axes, place, values)
        axes.set_xticks(range(len(labels)), labels)
        axes.set_xlim(-0.6, len(labels) - 0.4)
        axes.set_title(rating)
        axes.set_ylabel(metric)
        grid_lines(axes, "y")
    return figure


def _draw(axes: Axes, place: int, values: NDArray[np.float64]) -> None:
    if len(values) == 0:
        return
    if len(values) >= MINIMUM and np.ptp(values) > 0:
        parts: dict[str, Any] = dict(axes.violinplot(values, [place], widths=0.8, showextrema=False))
        for body in parts["bodies"]:
            body.set(facecolor=colour_of(0), alpha=0.35, edgecolor="none")
        low, high = np.quantile(values, [0.25, 0.75])
        axes.vlines(place, low, high, color=INK_COLOUR, lw=2.5)
    else:
        axes.scatter(np.full(len(values), place), values, s=9, color=colour_of(0), alpha=0.6)
    axes.scatter([place], [np.median(values)], s=16, color="white", edgecolors=INK_COLOUR, linewidths=1, zorder=3)
