"""Coloured squares, and the bar that says what the colours mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rainbow.reports.colours import LEVELS, level, scale
from rainbow.reports.figures.style import INK_COLOUR

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from matplotlib.path import Path

__all__ = ["colour_bar", "squares"]

GAP = 0.04


def squares(axes: Axes, values: NDArray[np.float64], limit: float, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Draw a square per value, shape (rows, columns), the first row on top; NaN leaves a hole.

    All squares of one colour are one shape: that keeps files small.
    """
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    places: dict[int, list[tuple[int, int]]] = {}
    for (row, column), value in np.ndenumerate(values):
        if (step := level(float(value), limit)) is not None:
            places.setdefault(step, []).append((row, column))
    colours = scale()
    for step, cells in sorted(places.items()):
        shape = Path.make_compound_path(*(_square(row, column) for row, column in cells))
        axes.add_patch(PathPatch(shape, facecolor=colours[step + LEVELS], linewidth=0))
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(np.arange(len(columns)), columns, rotation=90)
    axes.set_yticks(np.arange(len(rows)), rows)
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set_visible(False)


def _square(row: int, column: int) -> Path:
    from matplotlib.path import Path

    left, right, top, bottom = column - 0.5 + GAP, column + 0.5 - GAP, row - 0.5 + GAP, row + 0.5 - GAP
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    return Path(corners, [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY])


def colour_bar(figure: Canvas, axes: Sequence[Axes], limit: float, label: str, lowest: float | None = None) -> None:
    """Draw the scale of the colours beside some axes, from -`limit` or the `lowest` value that there may be."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize

    mappable = ScalarMappable(Normalize(-limit, limit), ListedColormap(scale()))
    bar = figure.colorbar(mappable, ax=list(axes), shrink=0.5, aspect=28, pad=0.02, label=label)
    bottom = -limit if lowest is None else lowest
    bar.ax.set_ylim(bottom, limit)
    bar.set_ticks(sorted({bottom, 0, limit}))
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelcolor=INK_COLOUR)
