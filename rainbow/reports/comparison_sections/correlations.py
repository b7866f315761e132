"""Correlations of every metric on all datasets, and their differences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.base.lazy import pd
from rainbow.reports.comparison_sections.datasets import Datasets, find_overlap
from rainbow.reports.figures.render import TITLE
from rainbow.reports.figures.style import GROUP_COLOURS, INK_COLOUR, MUTED, make_canvas
from rainbow.reports.grid import (
    Cell,
    Column,
    Grid,
    colour_limit,
    correlation_cell,
    empty_cell,
    metric_row,
    significance_stars,
)
from rainbow.reports.number_format import (
    MINUS,
    Number,
    format_fixed,
    format_interval,
    format_p_value,
    format_range,
    format_signed,
)
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.section import Figure, Section
from rainbow.scoring.table_cells import item_numbers
from rainbow.stats.correlation.correlation import correlation_matrix
from rainbow.stats.differences.dependent_correlations import difference_interval, estimate_correlation
from rainbow.stats.differences.jackknife_differences import (
    RatedScores,
    independent_jackknife_difference,
    jackknife_difference,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

# Correlations of two columns that are nearer to 1 than this say that both order the rows alike.
ROUNDING = 1e-12


def section(datasets: Datasets) -> Section:
    """Return a table with columns per dataset and difference, and a figure per other dataset."""
    sides = {rating: [datasets.lines(saved, rating) for saved in datasets.saved] for rating in datasets.ratings}
    limit = colour_limit(line.r for own in sides.values() for side in own for line in side.values())
    alike = [find_overlap(datasets.first.scores, saved.scores).outputs for saved, _ in datasets.others]
    rows = []
    for metric in datasets.metrics:
        own = [[side[metric] for side in sides[rating]] for rating in datasets.ratings]
        cells = [cell for lines in own for cell in _metric_cells(datasets, lines, limit, alike)]
        rows.append(metric_row(datasets.first, metric, cells))
    heads = [Column(name, f"{rating}, {name}") for rating in datasets.ratings for name in _column_heads(datasets)]
    spans = [(rating, 2 * len(datasets.saved) - 1) for rating in datasets.ratings]
    caption = f"Spearman correlation with the ratings on {datasets.all_of_them} datasets"
    data = {
        "grid": Grid("correlations", caption, heads, rows, limit, spans),
        "alike": any(alike),
        "figures": [f"side-by-side{suffix}" for _, suffix in datasets.others],
    }
    figures = [_comparison_figure(datasets, saved, suffix) for saved, suffix in datasets.others]
    return Section("comparison-correlations", "Correlations by dataset", data, figures)


def _column_heads(datasets: Datasets) -> Iterator[str]:
    yield datasets.first.name
    for saved, _ in datasets.others:
        yield saved.name
        yield f"{saved.name} {MINUS} {datasets.first.name}"


def _metric_cells(datasets: Datasets, lines: Sequence[Any], limit: float, alike: Sequence[bool]) -> Iterator[Cell]:
    """Return the cells of a metric and a rating: the first dataset, then others with differences."""
    yield _correlation_cell(datasets, datasets.first, lines[0], limit)
    for (saved, _), line, same_outputs in zip(datasets.others, lines[1:], alike, strict=True):
        yield _correlation_cell(datasets, saved, line, limit)
        yield _difference_cell(datasets, saved, lines[0], line, same_outputs)


def _correlation_cell(datasets: Datasets, saved: SavedAnalysis, line: Any, limit: float) -> Cell:
    mark = significance_stars(line.p, len(datasets.metrics))
    return correlation_cell(line, limit, f"{line.metric} and {line.rating}, {saved.name}", mark)


def _difference_cell(datasets: Datasets, saved: SavedAnalysis, first: Any, line: Any, same_outputs: bool) -> Cell:
    value = line.r - first.r
    if math.isnan(value):
        return empty_cell("a correlation is missing")
    same_ratings = datasets.first.scores[line.rating].equals(saved.scores[line.rating])
    test = _dependent_test if same_outputs and same_ratings else _independent_test
    subject = f"{line.metric} and {line.rating}, {saved.name} minus {datasets.first.name}"
    if (result := test(datasets.first.scores, saved.scores, first, line)) is None:
        return Cell(Number(value, format_signed(value)), tip=f"{subject}: same outputs in the same order")
    p, dependence = result
    ends = difference_interval(line.r, (line.low, line.high), first.r, (first.low, first.high), dependence)
    tip = (
        f"{subject}: {format_fixed(value, 3)}, {format_interval(ends.low, ends.high)}, p = "
        f"{format_p_value(p)} (jackknife)"
    )
    mark = significance_stars(p, len(datasets.metrics))
    return Cell(Number(value, format_signed(value)), "", mark, tip, note=format_range(ends.low, ends.high))


def _independent_test(first_scores: pd.DataFrame, scores: pd.DataFrame, first: Any, line: Any) -> tuple[float, float]:
    """Return p and the dependence of correlations of different outputs, or with different ratings."""
    sides = (_rated_values(scores, line), _rated_values(first_scores, first))
    return float(independent_jackknife_difference(*sides).p), 0.0


def _rated_values(scores: pd.DataFrame, line: Any) -> RatedScores:
    """Return what a correlation is of."""
    known = scores[[line.metric, line.rating]].notna().all(axis=1).to_numpy()
    metric, rating = (scores[name].to_numpy(dtype=float, na_value=np.nan)[known] for name in (line.metric, line.rating))
    return RatedScores(metric, rating, item_numbers(scores)[known])


def _dependent_test(
    first_scores: pd.DataFrame, scores: pd.DataFrame, first: Any, line: Any
) -> tuple[float, float] | None:
    """Return p and the dependence of correlations of two scorings of the same outputs; None if they rank equally."""
    columns = [scores[line.rating], scores[line.metric], first_scores[line.metric]]
    table = np.column_stack([column.to_numpy(dtype=float, na_value=np.nan) for column in columns])
    known = ~np.isnan(table).any(axis=1)
    table, items = table[known], item_numbers(scores)[known]
    (_, own, before), (_, _, between_them), _ = correlation_matrix(table, table)
    if between_them > 1 - ROUNDING:
        return None
    p = float(jackknife_difference(table[:, 1], table[:, 2], table[:, 0], items).p)
    return p, estimate_correlation(own, before, between_them)


def _comparison_figure(datasets: Datasets, saved: SavedAnalysis, suffix: str) -> Figure:
    tables = {rating: [datasets.lines(side, rating) for side in (datasets.first, saved)] for rating in datasets.ratings}
    sides = [side for both in tables.values() for side in both]
    metrics = [name for name in datasets.metrics if all(side[name].r == side[name].r for side in sides)]
    points = {
        rating: {name: (first[name].r, other[name].r) for name in metrics} for rating, (first, other) in tables.items()
    }
    groups = {name: datasets.first.groups[name] for name in metrics}
    names = (datasets.first.name, saved.name)
    return Figure(
        f"side-by-side{suffix}",
        (
            f"Correlations of metrics on {names[0]} and on {names[1]}: on the dashed line, agreement is equal on "
            "both; in the upper left and lower right quadrants the sign differs."
        ),
        "Scatter plots; the numbers are in the table above.",
        partial(dataset_scatter, points, groups, names),
    )


def dataset_scatter(
    points: Mapping[str, Mapping[str, tuple[float, float]]], groups: Mapping[str, str], names: tuple[str, str]
) -> Canvas:
    """Draw a panel per rating: a dot per metric, its correlation on both datasets."""
    from matplotlib.lines import Line2D

    figure, panels = make_canvas(len(points), 2.9, sharex=True, sharey=True)
    for axes, (rating, pairs) in zip(panels, points.items(), strict=True):
        across, upwards = zip(*pairs.values(), strict=True)
        colours = [GROUP_COLOURS.get(groups[name], MUTED) for name in pairs]
        axes.axhline(0, color=INK_COLOUR, lw=0.6)
        axes.axvline(0, color=INK_COLOUR, lw=0.6)
        axes.axline((0, 0), slope=1, color=MUTED, lw=0.8, ls=(0, (4, 2)))
        dots = axes.scatter(across, upwards, c=colours, s=14, alpha=0.85, linewidths=0, zorder=3)
        dots.set_urls([f"{TITLE}{name}: {one:.2f}, {other:.2f}" for name, (one, other) in pairs.items()])
        axes.set_aspect("equal")
        axes.set_title(rating)
    panels[0].set_ylabel(f"Spearman on {names[1]}")
    figure.supxlabel(f"Spearman on {names[0]}", fontsize=8)
    marks = [
        Line2D([], [], color=GROUP_COLOURS.get(name, MUTED), marker="o", ms=4, lw=0, label=name)
        for name in dict.fromkeys(groups.values())
    ]
    figure.legend(handles=marks, loc="outside upper right", ncols=len(marks))
    return figure
