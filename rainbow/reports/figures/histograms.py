"""How often each rating was given, for every system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rainbow.reports.figures.style import canvas, colour_of, grid_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from rainbow.reports.saved.saved_analysis import Saved

__all__ = ["rating_histograms"]


def rating_histograms(saved: Saved) -> Canvas:
    """Draw a panel per rating: the share of outputs of every system that has each value."""
    figure, panels = canvas(len(saved.ratings), 2.1, sharey=True)
    systems = list(dict.fromkeys(saved.scores["system"]))
    for axes, rating in zip(panels, saved.ratings, strict=True):
        values = np.unique(saved.scores[rating].dropna())
        step = np.diff(values).min() if len(values) > 1 else 1.0
        width = 0.8 * step / len(systems)
        for place, system in enumerate(systems):
            given = saved.scores.loc[saved.scores["system"] == system, rating].dropna()
            shares = given.value_counts(normalize=True).reindex(values, fill_value=0)
            offset = width * (place - (len(systems) - 1) / 2)
            axes.bar(values + offset, 100 * shares, width=width, color=colour_of(place), label=system)
        axes.set_title(rating)
        grid_lines(axes, "y")
    panels[0].set_ylabel("outputs, %")
    figure.supxlabel("rating", fontsize=8)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=len(systems))
    return figure
