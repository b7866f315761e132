"""How often a metric puts two outputs for the same input in the order that people do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rainbow.reports.figures.style import GROUP_COLOURS, INK_COLOUR, MUTED, canvas, grid_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas
    from matplotlib.lines import Line2D

    from rainbow.reports.saved.saved_analysis import Saved

__all__ = ["ranking_accuracy"]

# Inches per metric.
LINE = 0.145


def ranking_accuracy(saved: Saved, dataset: str) -> Canvas:
    """Draw a panel per rating: how far every metric's accuracy is above its chance, on raw and on quantised scores."""
    table = saved.rows("ranking", dataset=dataset)
    metrics = [metric for metric in saved.metrics if table.loc[table["metric"] == metric, "accuracy"].notna().any()]
    figure, panels = canvas(len(saved.ratings), 1.0 + LINE * len(metrics), sharey=True, sharex=True)
    places = np.arange(len(metrics))
    colours = [GROUP_COLOURS[saved.groups[metric]] for metric in metrics]
    for axes, rating in zip(panels, saved.ratings, strict=True):
        lines = table[table["rating"] == rating].set_index("metric")
        above = 100 * (lines["accuracy"] - lines["chance"])
        raw, quantised = (above[lines["scores"] == kind].reindex(metrics) for kind in ("raw", "quantised"))
        axes.hlines(places, 0, raw, color=colours, lw=1.2)
        axes.scatter(raw, places, s=11, c=colours, zorder=3)
        axes.scatter(
            quantised, places, s=12, marker="D", facecolors="none", edgecolors=colours, linewidths=0.8, zorder=3
        )
        axes.axvline(0, color=INK_COLOUR, lw=0.7)
        axes.set_title(rating)
        grid_lines(axes)
    panels[0].set_yticks(places, metrics)
    panels[0].set_ylim(len(metrics) - 0.4, -0.6)
    figure.supxlabel("accuracy minus chance, percentage points", fontsize=8)
    figure.legend(handles=_marks(), loc="outside upper right", ncols=2)
    return figure


def _marks() -> list[Line2D]:
    from matplotlib.lines import Line2D

    return [
        Line2D([], [], color=MUTED, lw=1.2, marker="o", ms=3.5, label="raw scores"),
        Line2D([], [], color=MUTED, lw=0, marker="D", ms=3.5, fillstyle="none", label="quantised scores"),
    ]
