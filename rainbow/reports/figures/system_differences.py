"""How far systems differ in their ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rainbow.reports.figures.style import INK_COLOUR, canvas, colour_of, grid_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from rainbow.reports.saved.saved_analysis import Saved

__all__ = ["system_differences"]

# The test whose interval is drawn: that of the difference within items.
TEST = "paired t"


def system_differences(saved: Saved) -> Canvas:
    """Draw a panel per rating: the difference of means of every two systems, with its interval."""
    table = saved.rows("system_differences", test=TEST)
    table = table[table["column"].isin(saved.ratings)]
    pairs = list(dict.fromkeys(zip(table["dataset"], table["first"], table["second"], strict=True)))
    figure, panels = canvas(len(saved.ratings), 0.9 + 0.24 * len(pairs), sharey=True, sharex=True)
    for axes, rating in zip(panels, saved.ratings, strict=True):
        lines = table[table["column"] == rating].set_index(["dataset", "first", "second"]).reindex(pairs)
        places = np.arange(len(pairs))
        axes.hlines(places, lines["low"], lines["high"], color=colour_of(0), lw=1.5)
        axes.scatter(lines["difference"], places, color=colour_of(0), s=16, zorder=3)
        axes.axvline(0, color=INK_COLOUR, lw=0.7)
        axes.set_title(rating)
        grid_lines(axes)
    several = len(saved.datasets) > 1
    labels = [
        f"{dataset}: {first} − {second}" if several else f"{first} − {second}" for dataset, first, second in pairs
    ]
    panels[0].set_yticks(np.arange(len(pairs)), labels)
    panels[0].set_ylim(len(pairs) - 0.4, -0.6)
    figure.supxlabel("difference of mean ratings", fontsize=8)
    return figure
