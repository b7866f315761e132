"""Correlations with their intervals, a line per metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rainbow.reports.figures.style import GROUP_COLOURS, INK_COLOUR, MUTED, canvas, grid_lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

    from rainbow.reports.saved.saved_analysis import Saved

__all__ = ["forest"]

# Inches per metric.
LINE = 0.145


def forest(saved: Saved) -> Canvas:
    """Draw a panel per rating: the correlation of every metric over all outputs, with its interval and the ceiling."""
    dataset, system = saved.whole
    table = saved.rows("correlations", dataset=dataset, system=system, level="pooled")
    metrics = [metric for metric in saved.metrics if table.loc[table["metric"] == metric, "r"].notna().any()]
    figure, panels = canvas(len(saved.ratings), 1.0 + LINE * len(metrics), sharey=True, sharex=True)
    ceilings = {line["rating"]: line for line in saved.summary["ceilings"]}
    for axes, rating in zip(panels, saved.ratings, strict=True):
        lines = table[table["rating"] == rating].set_index("metric").reindex(metrics)
        colours = [GROUP_COLOURS[saved.groups[metric]] for metric in metrics]
        places = np.arange(len(metrics))
        axes.hlines(places, lines["low"], lines["high"], color=colours, lw=1.3)
        axes.scatter(lines["r"], places, c=colours, s=11, zorder=3)
        axes.axvline(0, color=INK_COLOUR, lw=0.7)
        if rating in ceilings:
            _ceiling(axes, ceilings[rating]["estimate"])
        axes.set_title(rating)
        grid_lines(axes)
    panels[0].set_yticks(np.arange(len(metrics)), metrics)
    panels[0].set_ylim(len(metrics) - 0.4, -0.6)
    figure.supxlabel("Spearman correlation with the rating", fontsize=8)
    _legend(figure, saved, metrics)
    return figure


def _ceiling(axes: Axes, ceiling: float) -> None:
    for side in (-ceiling, ceiling):
        axes.axvline(side, color=MUTED, lw=0.9, ls=(0, (4, 2)))


def _legend(figure: Canvas, saved: Saved, metrics: list[str]) -> None:
    from matplotlib.lines import Line2D

    groups = dict.fromkeys(saved.groups[metric] for metric in metrics)
    marks = [Line2D([], [], color=GROUP_COLOURS[group], marker="o", ms=3.5, lw=1.3, label=group) for group in groups]
    if saved.summary["ceilings"]:
        marks.append(Line2D([], [], color=MUTED, lw=0.9, ls=(0, (4, 2)), label="ceiling"))
    figure.legend(handles=marks, loc="outside upper right", ncols=len(marks))
