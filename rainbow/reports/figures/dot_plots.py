"""Dot plots with intervals for metrics, systems or pairs of systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.lazy import pd
from rainbow.reports.figures.style import (
    GROUP_COLOURS,
    INK_COLOUR,
    MUTED,
    categorical_colour,
    draw_dots,
    draw_grid,
    label_rows,
    make_canvas,
    make_panels,
)
from rainbow.reports.orders import order_by_agreement
from rainbow.reports.saved.saved_analysis import SavedAnalysis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

# Inches per metric, and per system.
METRIC_LINE, SYSTEM_LINE = 0.145, 0.17
# A range of one rank is as wide as a mark.
NARROWEST = 0.12
DASHED = (0, (4, 2))

# The test whose interval is drawn: that of the difference within items.
TEST = "paired t"


def forest_plot(saved: SavedAnalysis) -> Canvas:
    """Draw a panel per rating: the correlation of every metric with interval and ceiling."""
    table = saved.rows("correlations", level="pooled", **saved.all_outputs.filters)
    metrics, colours = _plotted_metrics(saved, table, "r")
    height = 1.0 + METRIC_LINE * len(metrics)
    label = "Spearman correlation with the rating"
    figure, axes = make_panels(saved.ratings, height, label, sharey=True, sharex=True)
    ceilings = {line["rating"]: line["estimate"] for line in saved.summary["ceilings"]}
    for panel, rating in zip(axes, saved.ratings, strict=True):
        lines = table[table["rating"] == rating].set_index("metric").reindex(metrics)
        draw_dots(panel, lines["low"], lines["r"], lines["high"], colours, 1.3, 11)
        panel.axvline(0, color=INK_COLOUR, lw=0.7)
        for sign in (-1, 1) if rating in ceilings else ():
            panel.axvline(sign * ceilings[rating], color=MUTED, lw=0.9, ls=DASHED)
    label_rows(axes[0], metrics)
    _group_legend(figure, saved, metrics)
    return figure


def _plotted_metrics(saved: SavedAnalysis, table: pd.DataFrame, column: str) -> tuple[list[str], list[str]]:
    """Return the metrics with a value in a table, and their group colours."""
    known = set(table.loc[table[column].notna(), "metric"])
    metrics = [metric for metric in order_by_agreement(saved) if metric in known]
    return metrics, [GROUP_COLOURS[saved.groups[metric]] for metric in metrics]


def _group_legend(figure: Canvas, saved: SavedAnalysis, metrics: list[str]) -> None:
    from matplotlib.lines import Line2D

    groups = dict.fromkeys(saved.groups[metric] for metric in metrics)
    marks = [Line2D([], [], color=GROUP_COLOURS[group], marker="o", ms=3.5, lw=1.3, label=group) for group in groups]
    if saved.summary["ceilings"]:
        marks.append(Line2D([], [], color=MUTED, lw=0.9, ls=DASHED, label="ceiling"))
    figure.legend(handles=marks, loc="outside upper right", ncols=len(marks))


def system_differences(saved: SavedAnalysis) -> Canvas:
    """Draw a panel per rating: the mean difference of every two systems with interval."""
    key = ["dataset", "first", "second"]
    table = saved.rows("system_differences", test=TEST)
    table = table[table["column"].isin(saved.ratings)]
    pairs = list(table[key].drop_duplicates().itertuples(index=False, name=None))
    height = 0.9 + 0.24 * len(pairs)
    figure, axes = make_panels(saved.ratings, height, "difference of mean ratings", sharey=True, sharex=True)
    for panel, rating in zip(axes, saved.ratings, strict=True):
        lines = table[table["column"] == rating].set_index(key).reindex(pairs)
        draw_dots(panel, lines["low"], lines["difference"], lines["high"], categorical_colour(0))
        panel.axvline(0, color=INK_COLOUR, lw=0.7)
    several = len(saved.datasets) > 1
    label_rows(axes[0], [f"{dataset}: " * several + f"{first} − {second}" for dataset, first, second in pairs])
    return figure


def corpus_metrics(table: pd.DataFrame) -> Canvas:
    """Draw the normalised average of every system with interval and group letters."""
    figure, (axes,) = make_canvas(1, 0.75 + SYSTEM_LINE * len(table))
    low, middle, high = (table[f"normalised_average{end}"] for end in ("_low", "", "_high"))
    draw_dots(axes, low, middle, high, categorical_colour(0))
    for place, letters in enumerate(table["groups"]):
        axes.annotate(
            letters, (1.01, place), xycoords=("axes fraction", "data"), color=MUTED, fontsize=7, va="center_baseline"
        )
    label_rows(axes, table["system"].tolist())
    axes.set_xlabel("normalised average")
    draw_grid(axes)
    return figure


def rank_ranges(table: pd.DataFrame) -> Canvas:
    """Draw a panel per criterion: rank range of every system, with lines between clusters."""
    from matplotlib.ticker import MaxNLocator

    ratings = list(dict.fromkeys(table["rating"]))
    most = table.groupby("rating").size().max()
    figure, axes = make_panels(ratings, 0.9 + SYSTEM_LINE * most, "rank (1 = best)", sharex=True)
    for panel, rating in zip(axes, ratings, strict=True):
        _draw_ranges(panel, table[table["rating"] == rating].dropna(subset="rank_from"))
        panel.set_xlim(0.5, most + 0.5)
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


def _draw_ranges(axes: Axes, lines: pd.DataFrame) -> None:
    places = np.arange(len(lines))
    wide = np.maximum(lines["rank_to"] - lines["rank_from"], NARROWEST)
    middles = (lines["rank_from"] + lines["rank_to"]) / 2
    axes.barh(places, wide, left=middles - wide / 2, height=0.32, color=categorical_colour(0), alpha=0.45)
    for column in ("rank_from", "rank_to"):
        axes.scatter(lines[column], places, color=categorical_colour(0), s=12, zorder=3)
    clusters = lines["cluster"].to_numpy()
    for place in np.flatnonzero(clusters[1:] != clusters[:-1]):
        axes.axhline(place + 0.5, color=MUTED, lw=0.8, ls=DASHED)
    label_rows(axes, lines["system"].tolist())
