"""Scatter plots of scores and ratings for papers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.reports.figures.style import INK_COLOUR, MUTED, categorical_colour, draw_grid, legend_columns, make_canvas
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.section import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas


# Different values up to which they are moved, parts of the scores, and outputs that a part has at least.
FEW = 20
PARTS = 12
FEWEST = 10
# More systems than colours share one colour.
MOST_SYSTEMS = 6


def score_rating_scatter(saved: SavedAnalysis, metrics: Mapping[str, str]) -> Canvas:
    """Draw a panel per rating: scores against ratings with marginal counts."""
    figure, panels = make_canvas(len(metrics), 2.9)
    systems = list(dict.fromkeys(saved.scores["system"]))
    for panel, (rating, metric) in zip(panels, metrics.items(), strict=True):
        both = saved.scores[[metric, rating, "system"]].dropna()
        x, y = (both[name].to_numpy(dtype=float) for name in (metric, rating))
        if len(systems) <= MOST_SYSTEMS:
            colours = [categorical_colour(systems.index(system)) for system in both["system"]]
        else:
            colours = [categorical_colour(0)] * len(both)
        panel.scatter(jitter(x, 12), jitter(y, 3), c=colours, s=4, alpha=0.45, linewidths=0)
        _draw_means(panel, x, y)
        _draw_counts(panel, x, y)
        panel.set(xlabel=metric, ylabel=rating)
        draw_grid(panel, "both")
    if 1 < len(systems) <= MOST_SYSTEMS:
        marks = [
            panels[0].scatter([], [], color=categorical_colour(n), s=12, label=name) for n, name in enumerate(systems)
        ]
        figure.legend(handles=marks, loc="outside upper right", ncols=legend_columns(systems))
    return figure


def _draw_means(axes: Axes, x: FloatArray, y: FloatArray) -> None:
    if len(x) >= 2 * FEWEST:
        middles, means, halves = binned_means(x, y, min(PARTS, len(x) // FEWEST))
        axes.errorbar(middles, means, halves, color=INK_COLOUR, lw=1.4, elinewidth=0.9)


def _draw_counts(axes: Axes, x: FloatArray, y: FloatArray) -> None:
    """Draw the marginal counts of scores above and ratings to the right of a panel."""
    above = axes.inset_axes((0, 1.02, 1, 0.12), sharex=axes)
    margin = axes.inset_axes((1.02, 0, 0.12, 1), sharey=axes)
    above.hist(x, bins=30, color=MUTED, alpha=0.55)
    marks = np.unique(y)
    edges = [2 * marks[0] - marks[1], *marks, 2 * marks[-1] - marks[-2]] if 1 < len(marks) <= FEW else []
    bins = np.convolve(edges, [0.5, 0.5], "valid").tolist() if edges else FEW  # a bar for every mark
    margin.hist(y, bins=bins, color=MUTED, alpha=0.55, orientation="horizontal")
    for small in (above, margin):
        small.axis("off")


def jitter(values: FloatArray, part: int) -> FloatArray:
    """Return values with deterministic jitter if there are few distinct ones."""
    known = np.unique(values)
    if not 1 < len(known) <= FEW:
        return values
    width = 0.7 * min(float(np.diff(known).min()), float(np.ptp(known)) / part)
    return values + width * np.random.default_rng(part).uniform(-0.5, 0.5, len(values))


def binned_means(x: FloatArray, y: FloatArray, parts: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean score, mean rating and half its 95 % interval in equally large bins."""
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    size = FEWEST if len(np.unique(x)) <= parts else -(-len(x) // parts)
    starts = [0]
    while (end := int(np.searchsorted(x, x[min(starts[-1] + size, len(x)) - 1], side="right"))) < len(x):
        starts.append(end)
    pieces = [(own, rated) for own, rated in zip(np.split(x, starts[1:]), np.split(y, starts[1:]), strict=True)]
    halves = [1.96 * rated.std(ddof=1) / np.sqrt(len(rated)) if len(rated) > 1 else 0.0 for _, rated in pieces]
    middles, means = ([values.mean() for values in side] for side in zip(*pieces, strict=True))
    return np.array(middles), np.array(means), np.array(halves)


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
