"""Accuracy of methods by overlap of their test and training data."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rainbow.base.lazy import pd
from rainbow.reports.figures.style import categorical_colour, draw_grid, make_canvas
from rainbow.reports.section import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

CAPTION = "Accuracy by the share of test texts that are also in training; lines: the paper's split, dots: other splits."

SIX = 6


def overlap_figure(results: pd.DataFrame) -> Figure:
    """Return the figure for rows of `split`, `method`, `seen` and `accuracy`; incomplete rows are skipped."""
    return Figure("seen", CAPTION, CAPTION, partial(_plotted_rows, results[results["seen"].notna()]))


def _plotted_rows(results: pd.DataFrame) -> Canvas:
    figure, [axes] = make_canvas(1, 3.2)
    own = results["split"].str.startswith(("paper", "seen"))
    for place, (method, rows) in enumerate(results.groupby("method", sort=False)):
        line, others = rows[own[rows.index]].sort_values("seen"), rows[~own[rows.index]]
        colour, mark = categorical_colour(place), "o" if place < SIX else "s"  # a seventh has the colour of the first
        axes.plot(line["seen"], line["accuracy"], color=colour, marker=mark, ms=3.5, lw=1.4, label=method)
        axes.scatter(others["seen"], others["accuracy"], edgecolors=colour, marker=mark, s=14, facecolors="none")
    axes.set(xlabel="share of test texts in training", ylabel="accuracy", xlim=(-0.02, 1), ylim=(0.2, 1))
    draw_grid(axes, "y")
    figure.legend(loc="outside upper right", ncols=4)
    return figure
