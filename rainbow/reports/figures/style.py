"""How figures look: as wide as a page of a paper, text of seven points or more, one thin line where one will do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rainbow.reports.colours import INK, QUALITATIVE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

__all__ = [
    "GROUP_COLOURS",
    "INK_COLOUR",
    "MUTED",
    "PAPER",
    "RULE",
    "STYLE",
    "WIDTH",
    "canvas",
    "colour_of",
    "grid_lines",
]

# Inches: the text width of an A4 page.
WIDTH = 7.0

INK_COLOUR, MUTED, RULE, PAPER = (INK[name][0] for name in ("ink", "muted", "rule", "paper"))

GROUP_COLOURS = {
    "word": QUALITATIVE[0],
    "grammar": QUALITATIVE[1],
    "meaning": QUALITATIVE[2],
    "language-model": QUALITATIVE[3],
}

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
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
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "text.parse_math": False,
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}


def canvas(columns: int, height: float, rows: int = 1, **options: Any) -> tuple[Canvas, list[Axes]]:
    """Return a figure of full width and so many inches of height, with its axes row by row."""
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(WIDTH, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **options)
    return figure, list(axes.flat)


def grid_lines(axes: Axes, axis: str = "x") -> None:
    """Draw thin lines behind the marks, and no frame on the other side."""
    axes.grid(axis=axis)  # type: ignore[arg-type]
    axes.spines["left" if axis == "x" else "bottom"].set_visible(False)
    axes.tick_params(axis="y" if axis == "x" else "x", length=0)


def colour_of(place: int) -> str:
    """Return a colour for the thing at this place in a list."""
    return QUALITATIVE[place % len(QUALITATIVE)]
