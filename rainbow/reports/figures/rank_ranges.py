"""The ranks that each system may have by what people said, and the clusters of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rainbow.reports.figures.style import MUTED, canvas, colour_of, grid_lines

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

__all__ = ["rank_ranges"]

# Inches per system.
LINE = 0.17
# A range of one rank is as wide as a mark.
NARROWEST = 0.12


def rank_ranges(table: pd.DataFrame) -> Canvas:
    """Draw a panel per criterion: from the best to the worst rank of every system; a line between clusters.

    Parameters
    ----------
    table
        Rows of ``rankings.csv``, the best of each criterion first.
    """
    from matplotlib.ticker import MaxNLocator

    ratings = list(dict.fromkeys(table["rating"]))
    most = table.groupby("rating").size().max()
    figure, panels = canvas(len(ratings), 0.9 + LINE * most, sharex=True)
    for axes, rating in zip(panels, ratings, strict=True):
        _panel(axes, table[table["rating"] == rating].dropna(subset="rank_from"))
        axes.set_title(rating)
        axes.set_xlim(0.5, most + 0.5)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    figure.supxlabel("rank (1 is the best)", fontsize=8)
    return figure


def _panel(axes: Axes, lines: pd.DataFrame) -> None:
    places = np.arange(len(lines))
    wide = np.maximum(lines["rank_to"] - lines["rank_from"], NARROWEST)
    middles = (lines["rank_from"] + lines["rank_to"]) / 2
    axes.barh(places, wide, left=middles - wide / 2, height=0.32, color=colour_of(0), alpha=0.45)
    for column in ("rank_from", "rank_to"):
        axes.scatter(lines[column], places, color=colour_of(0), s=12, zorder=3)
    clusters = lines["cluster"].to_numpy()
    for place in np.flatnonzero(clusters[1:] != clusters[:-1]):
        axes.axhline(place + 0.5, color=MUTED, lw=0.8, ls=(0, (4, 2)))
    axes.set_yticks(places, lines["system"].tolist())
    axes.set_ylim(len(lines) - 0.4, -0.6)
    grid_lines(axes)
