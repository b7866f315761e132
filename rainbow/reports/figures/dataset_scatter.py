"""Correlations on one dataset against those on another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rainbow.reports.figures.render import TITLE
from rainbow.reports.figures.style import GROUP_COLOURS, INK_COLOUR, MUTED, make_canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


def dataset_scatter(
    points: Mapping[str, Mapping[str, tuple[float, float]]], groups: Mapping[str, str], names: tuple[str, str]
) -> Canvas:
    """Draw a panel per rating: a dot per metric, its correlation on both datasets."""
    from matplotlib.lines import Line2D

    figure, panels = make_canvas(len(points), 2.9, sharex=True, sharey=True)
    for axes, (rating, pairs) in zip(panels, points.items(), strict=True):
        across, upwards = zip(*pairs.values(), strict=True)
        colours = [GROUP_COLOURS.get(groups[name], MUTED) for name in pairs]
        axes.axhline(0, color=INK_COLOUR, lw=0.6)
        axes.axvline(0, color=INK_COLOUR, lw=0.6)
        axes.axline((0, 0), slope=1, color=MUTED, lw=0.8, ls=(0, (4, 2)))
        dots = axes.scatter(across, upwards, c=colours, s=14, alpha=0.85, linewidths=0, zorder=3)
        dots.set_urls([f"{TITLE}{name}: {one:.2f}, {other:.2f}" for name, (one, other) in pairs.items()])
        axes.set_aspect("equal")
        axes.set_title(rating)
    panels[0].set_ylabel(f"Spearman on {names[1]}")
    figure.supxlabel(f"Spearman on {names[0]}", fontsize=8)
    marks = [
        Line2D([], [], color=GROUP_COLOURS.get(name, MUTED), marker="o", ms=4, lw=0, label=name)
        for name in dict.fromkeys(groups.values())
    ]
    figure.legend(handles=marks, loc="outside upper right", ncols=len(marks))
    return figure
