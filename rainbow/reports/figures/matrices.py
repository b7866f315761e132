"""Matrices of coloured squares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rainbow.reports.colours import LEVELS, diverging_scale, scale_step
from rainbow.reports.figures.style import INK_COLOUR, WIDTH, categorical_colour, draw_grid
from rainbow.reports.orders import metric_correlations
from rainbow.reports.saved.saved_analysis import SavedAnalysis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from matplotlib.path import Path

Values = NDArray[np.float64]

# Between two squares, as a share of their side.
GAP = 0.04


def correlation_matrix(saved: SavedAnalysis, dataset: str, names: list[str]) -> Canvas:
    """Draw the correlations of ratings (above) and metrics (below) with metrics."""
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(WIDTH, WIDTH * (len(names) + len(saved.ratings)) / (len(names) + 3)), layout="constrained")
    heights = [len(saved.ratings), max(1, len(names))]
    above, below = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": heights})
    rated = saved.rows("correlations", dataset=dataset, system="all", level="pooled")
    wide = rated.pivot_table(index="rating", columns="metric", values="r", dropna=False)
    with_ratings = wide.reindex(index=saved.ratings, columns=names).to_numpy(dtype=float)
    _draw_squares(above, with_ratings, 1.0, saved.ratings, names)
    _draw_squares(below, metric_correlations(saved, dataset, names), 1.0, names, names)
    above.tick_params(labelbottom=False)
    for axes in (above, below):
        axes.tick_params(labelsize=6.5 if len(names) > 30 else 7)
    _colour_bar(figure, [above, below], 1.0, "Spearman correlation")
    return figure


def similarity_matrix(names: Sequence[str], values: Values, means: Sequence[float], limit: float) -> Canvas:
    """Draw the similarity of every system with every other as reference, and row means."""
    from matplotlib.figure import Figure as Canvas

    height = 1.4 + 0.72 * WIDTH * len(names) / (len(names) + 4)
    figure = Canvas(figsize=(WIDTH, height), layout="constrained")
    matrix, bars = figure.subplots(1, 2, sharey=True, gridspec_kw={"width_ratios": [4, 1]})
    _draw_squares(matrix, values, limit, names, names)
    matrix.set_ylabel("references: outputs of this system")
    matrix.set_xlabel("outputs of this system")
    bars.barh(np.arange(len(names)), means, height=0.7, color=categorical_colour(0))
    bars.set_xlabel("mean over all others")
    bars.tick_params(labelleft=False)
    draw_grid(bars)
    bars.spines["left"].set_visible(False)
    _colour_bar(figure, [matrix], limit, "similarity", lowest=0)
    return figure


def _draw_squares(axes: Axes, values: Values, limit: float, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Draw a square per value, shape (rows, columns), first row on top; NaN leaves a gap."""
    from matplotlib.patches import PathPatch

    places: dict[int, list[tuple[int, int]]] = {}
    for (row, column), value in np.ndenumerate(values):
        if (step := scale_step(float(value), limit)) is not None:
            places.setdefault(step, []).append((row, column))
    colours = diverging_scale()
    for step, cells in sorted(places.items()):
        # Not add_patch, which looks for the ends of every curve: the limits of the axes are known.
        axes.add_artist(PathPatch(_squares_path(cells), facecolor=colours[step + LEVELS], linewidth=0))
    axes.set_xlim(-0.5, len(columns) - 0.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xticks(np.arange(len(columns)), columns, rotation=90)
    axes.set_yticks(np.arange(len(rows)), rows)
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set_visible(False)


def _squares_path(cells: Sequence[tuple[int, int]]) -> Path:
    """Return the squares at these rows and columns as one path."""
    from matplotlib.path import Path

    half = 0.5 - GAP
    corners = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])
    places = np.array(cells, dtype=float)[:, None, ::-1] + corners
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(places.reshape(-1, 2), codes * len(cells))


def _colour_bar(figure: Canvas, axes: Sequence[Axes], limit: float, label: str, lowest: float | None = None) -> None:
    """Draw the colour scale next to the axes, from -`limit` or `lowest`."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize

    mappable = ScalarMappable(Normalize(-limit, limit), ListedColormap(diverging_scale()))
    bar = figure.colorbar(mappable, ax=list(axes), shrink=0.5, aspect=28, pad=0.02, label=label)
    bottom = -limit if lowest is None else lowest
    bar.ax.set_ylim(bottom, limit)
    bar.set_ticks(sorted({bottom, 0, limit}))
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelcolor=INK_COLOUR)
