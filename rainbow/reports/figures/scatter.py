"""A dot per output: its score across, its rating upwards; what the page draws by itself, for papers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.reports.figures.style import INK_COLOUR, MUTED, canvas, colour_of, grid_lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

    from rainbow.reports.saved.saved_analysis import Saved

# Different values up to which they are moved, parts of the scores, and outputs that a part has at least.
FEW = 20
PARTS = 12
FEWEST = 10
# More systems than there are colours are not told apart.
MOST_SYSTEMS = 6


def scores_and_ratings(saved: Saved, metrics: Mapping[str, str]) -> Canvas:
    """Draw a panel per rating: scores of a metric (by rating in `metrics`) across, ratings upwards, counts of both."""
    figure, panels = canvas(len(metrics), 2.9)
    systems = list(dict.fromkeys(saved.scores["system"]))
    for panel, (rating, metric) in zip(panels, metrics.items(), strict=True):
        both = saved.scores[[metric, rating, "system"]].dropna()
        x, y = (both[name].to_numpy(dtype=float) for name in (metric, rating))
        if len(systems) <= MOST_SYSTEMS:
            colours = [colour_of(systems.index(system)) for system in both["system"]]
        else:
            colours = [colour_of(0)] * len(both)
        panel.scatter(moved_apart(x, 12), moved_apart(y, 3), c=colours, s=4, alpha=0.45, linewidths=0)
        _means(panel, x, y)
        _counts(panel, x, y)
        panel.set(xlabel=metric, ylabel=rating)
        grid_lines(panel, "both")
    if 1 < len(systems) <= MOST_SYSTEMS:
        marks = [panels[0].scatter([], [], color=colour_of(n), s=12, label=name) for n, name in enumerate(systems)]
        figure.legend(handles=marks, loc="outside upper right", ncols=len(systems))
    return figure


def _means(axes: Axes, x: FloatArray, y: FloatArray) -> None:
    if len(x) >= 2 * FEWEST:
        middles, means, halves = means_of_parts(x, y, min(PARTS, len(x) // FEWEST))
        axes.errorbar(middles, means, halves, color=INK_COLOUR, lw=1.4, elinewidth=0.9)


def _counts(axes: Axes, x: FloatArray, y: FloatArray) -> None:
    """Draw how many outputs have each score above a panel, and each rating beside it."""
    above = axes.inset_axes((0, 1.02, 1, 0.12), sharex=axes)
    beside = axes.inset_axes((1.02, 0, 0.12, 1), sharey=axes)
    above.hist(x, bins=30, color=MUTED, alpha=0.55)
    marks = np.unique(y)
    edges = [2 * marks[0] - marks[1], *marks, 2 * marks[-1] - marks[-2]] if 1 < len(marks) <= FEW else []
    bins = np.convolve(edges, [0.5, 0.5], "valid").tolist() if edges else FEW  # a bar for every mark
    beside.hist(y, bins=bins, color=MUTED, alpha=0.55, orientation="horizontal")
    for small in (above, beside):
        small.axis("off")


def moved_apart(values: FloatArray, part: int) -> FloatArray:
    """Return values that few outputs have alone moved a little, the same way whenever they are drawn."""
    known = np.unique(values)
    if not 1 < len(known) <= FEW:
        return values
    width = 0.7 * min(float(np.diff(known).min()), float(np.ptp(known)) / part)
    return values + width * np.random.default_rng(part).uniform(-0.5, 0.5, len(values))


def means_of_parts(x: FloatArray, y: FloatArray, parts: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the mean score, the mean rating and half of its 95 % interval in parts with about equally many outputs."""
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
