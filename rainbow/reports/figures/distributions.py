"""Distributions of ratings, and slot errors per system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.lazy import pd
from rainbow.reports.colours import QUALITATIVE
from rainbow.reports.figures.style import (
    categorical_colour,
    draw_grid,
    label_rows,
    legend_columns,
    make_canvas,
    make_panels,
)
from rainbow.reports.saved.saved_analysis import SavedAnalysis

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

# Ratings with more distinct values than this, such as means, are counted in equal parts of their range.
MOST_MARKS = 20
PARTS = 10
MOST_SYSTEMS = len(QUALITATIVE)  # bars next to each other, each with its colour; more are merged

SLOT_ERRORS = ("missing", "wrong", "repeated", "added")


def countable_ratings(scores: pd.DataFrame, ratings: Sequence[str]) -> pd.DataFrame:
    """Return ratings as countable values: unchanged, or the middles of ten bins."""
    given = scores[list(ratings)].astype(float)
    values = given.to_numpy()
    known = np.unique(values[~np.isnan(values)])
    low, high = (known[0], known[-1]) if len(known) else (0.0, 1.0)
    steps = (known - low) / np.diff(known).min() if len(known) > 1 else np.zeros(1)
    if steps[-1] < MOST_MARKS and np.allclose(steps, steps.round(), atol=0.01):
        return given
    width = (high - low) / PARTS
    middles: pd.DataFrame = low + width * (((given - low) / width).clip(upper=PARTS - 0.5) // 1 + 0.5)
    return middles


def rating_histograms(saved: SavedAnalysis) -> Canvas:
    """Draw a panel per rating: the share of each value per system."""
    figure, axes = make_panels(saved.ratings, 2.1, "rating", lines="y", sharey=True)
    named, marks = saved.scores["system"], countable_ratings(saved.scores, saved.ratings)
    named = named if named.nunique() <= MOST_SYSTEMS else named.map(lambda _: "all systems")
    systems = list(dict.fromkeys(named))
    for panel, rating in zip(axes, saved.ratings, strict=True):
        values = np.unique(marks[rating].dropna())
        step = np.diff(values).min() if len(values) > 1 else 1.0
        width = 0.8 * step / len(systems)
        for place, system in enumerate(systems):
            given = marks.loc[named == system, rating].dropna()
            shares = given.value_counts(normalize=True).reindex(values, fill_value=0)
            offset = width * (place - (len(systems) - 1) / 2)
            panel.bar(values + offset, 100 * shares, width=width, color=categorical_colour(place), label=system)
    axes[0].set_ylabel("outputs, %")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper right", ncols=legend_columns(systems))
    return figure


def slot_error_bars(table: pd.DataFrame) -> Canvas:
    """Draw a bar per system: errors of every kind as shares of all slots."""
    figure, (axes,) = make_canvas(1, 0.95 + 0.17 * len(table))
    places, left = np.arange(len(table)), np.zeros(len(table))
    for place, kind in enumerate(SLOT_ERRORS):
        share = (100 * table[kind] / table["slots"]).fillna(0).to_numpy()
        axes.barh(places, share, left=left, height=0.7, color=categorical_colour(place), label=kind)
        left += share
    label_rows(axes, table["system"].tolist())
    axes.set_xlabel("errors, % of the slots")
    draw_grid(axes)
    figure.legend(loc="outside upper right", ncols=len(SLOT_ERRORS))
    return figure
