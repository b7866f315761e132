"""How many slots of the meaning representations systems get wrong, by kind of error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rainbow.reports.figures.style import canvas, colour_of, grid_lines

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure as Canvas

__all__ = ["KINDS", "slot_error_bars"]

KINDS = ("missing", "wrong", "repeated", "added")

# Inches per system.
LINE = 0.17


def slot_error_bars(table: pd.DataFrame) -> Canvas:
    """Draw a bar per system: errors of every kind as shares of all slots.

    Parameters
    ----------
    table
        Rows of ``slot_errors.csv``, in the order in which they are drawn.
    """
    figure, (axes,) = canvas(1, 0.95 + LINE * len(table))
    places, left = np.arange(len(table)), np.zeros(len(table))
    for place, kind in enumerate(KINDS):
        share = (100 * table[kind] / table["slots"]).fillna(0).to_numpy()
        axes.barh(places, share, left=left, height=0.7, color=colour_of(place), label=kind)
        left += share
    axes.set_yticks(places, table["system"].tolist())
    axes.set_ylim(len(table) - 0.4, -0.6)
    axes.set_xlabel("errors, % of the slots")
    grid_lines(axes)
    figure.legend(loc="outside upper right", ncols=len(KINDS))
    return figure
