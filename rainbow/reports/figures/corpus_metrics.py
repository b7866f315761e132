"""The normalised average of whole systems, with its interval and the groups that cannot be told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rainbow.reports.figures.style import MUTED, canvas, colour_of, grid_lines

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure as Canvas

__all__ = ["corpus_metrics"]

# Inches per system.
LINE = 0.17


def corpus_metrics(table: pd.DataFrame) -> Canvas:
    """Draw a line per system, the best on top; on the right the letters of its groups.

    Parameters
    ----------
    table
        Rows of ``corpus_metrics.csv``, the best first.
    """
    figure, (axes,) = canvas(1, 0.75 + LINE * len(table))
    places = np.arange(len(table))
    axes.hlines(places, table["normalised_average_low"], table["normalised_average_high"], color=colour_of(0), lw=1.5)
    axes.scatter(table["normalised_average"], places, color=colour_of(0), s=16, zorder=3)
    for place, letters in enumerate(table["groups"]):
        axes.annotate(
            letters, (1.01, place), xycoords=("axes fraction", "data"), color=MUTED, fontsize=7, va="center_baseline"
        )
    axes.set_yticks(places, table["system"].tolist())
    axes.set_ylim(len(table) - 0.4, -0.6)
    axes.set_xlabel("normalised average")
    grid_lines(axes)
    return figure
