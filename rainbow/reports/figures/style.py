"""Style of figures: page width of a paper, text of at least seven points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.reports.colours import INK, QUALITATIVE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from numpy.typing import ArrayLike

# Inches: the text width of an A4 page.
WIDTH = 7.0
LEGEND_WIDTH = 95  # letters in a row of a legend, with eight for each mark
LONGEST_TITLE = 40  # letters, of a panel: a question that raters were asked may be a sentence

INK_COLOUR, MUTED, RULE = (INK[name][0] for name in ("ink", "muted", "rule"))

GROUP_COLOURS = {
    "word": QUALITATIVE[0],
    "grammar": QUALITATIVE[1],
    "meaning": QUALITATIVE[2],
    "language-model": QUALITATIVE[3],
    "external": QUALITATIVE[4],
}

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titley": 1.0,  # nothing is above the axes: skip the search for a position
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "text.color": INK_COLOUR,
    "axes.labelcolor": INK_COLOUR,
    "axes.titlecolor": INK_COLOUR,
    "axes.edgecolor": MUTED,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK_COLOUR,
    "ytick.labelcolor": INK_COLOUR,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": RULE,
    "grid.linewidth": 0.6,
    "figure.facecolor": "none",
    # figures say themselves how they are laid out
    "figure.autolayout": False,
    "figure.constrained_layout.use": False,
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "text.parse_math": False,
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}


def make_canvas(columns: int, height: float, **options: Any) -> tuple[Canvas, list[Axes]]:
    """Return a full-width figure of this height in inches with axes next to each other."""
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(WIDTH, height), layout="constrained")
    return figure, list(figure.subplots(1, columns, squeeze=False, **options).flat)


def make_panels(
    titles: Sequence[str], height: float, label: str, *, lines: str = "x", **options: Any
) -> tuple[Canvas, list[Axes]]:
    """Return a figure with a panel per title and one shared label."""
    figure, axes = make_canvas(len(titles), height, **options)
    for panel, title in zip(axes, titles, strict=True):
        panel.set_title(title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…")
        draw_grid(panel, lines)
    figure.supxlabel(label, fontsize=8)
    return figure, axes


def legend_columns(names: Sequence[str]) -> int:
    """Return how many names fit next to each other above a figure."""
    return max(1, min(len(names), LEGEND_WIDTH // (8 + max(map(len, names), default=0))))


def label_rows(axes: Axes, names: Sequence[str]) -> None:
    """Label the rows, first on top."""
    axes.set_yticks(np.arange(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)


def draw_dots(
    axes: Axes,
    low: ArrayLike,
    middle: ArrayLike,
    high: ArrayLike,
    colour: str | Sequence[str],
    width: float = 1.5,
    size: float = 16,
) -> None:
    """Draw a dot with its interval in every row."""
    places = np.arange(len(np.asarray(middle)))
    axes.hlines(places, low, high, color=colour, lw=width)
    axes.scatter(middle, places, color=colour, s=size, zorder=3)


def draw_grid(axes: Axes, axis: str = "x") -> None:
    """Draw thin grid lines, without a frame on the other side."""
    axes.grid(axis=axis)  # type: ignore[arg-type]
    axes.spines["left" if axis == "x" else "bottom"].set_visible(False)
    axes.tick_params(axis="y" if axis == "x" else "x", length=0)


def categorical_colour(place: int) -> str:
    """Return the colour for a position in a list."""
    return QUALITATIVE[place % len(QUALITATIVE)]
