"""Metrics against metrics: correlations and differences in agreement."""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations

from rainbow.reports.figures.matrices import correlation_matrix
from rainbow.reports.grid import SIGNIFICANT, Cell, Column, Grid, Measure, colour_limit, correlation_cell, metric_row
from rainbow.reports.number_format import Number
from rainbow.reports.orders import cluster_metrics
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_systems import ComparedDataset
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Figure, Section

DIFFERENCE = Measure(
    "difference",
    "signed",
    "{metric} {r:fixed3}, {other} {r_other:fixed3} (higher is better for both), t = {t:fixed}, p = {p:p}, after Holm's "
    "correction {p_holm:p}, n = {n:count}",
    reason="{reason}",
    centre=0,
)

# Groups whose members are compared with each other, as in figure 2 of the paper.
COMPARED = {"word": "word-based", "grammar": "grammar-based"}


def section(saved: SavedAnalysis) -> Section:
    """Return clustered correlation matrices and tables of differences."""
    parts = [
        (part, names) for part in saved.by_dataset if len(names := cluster_metrics(saved, part.filters["dataset"])) > 1
    ]
    matrices = {f"correlation-matrix{part.suffix}": _matrix_grid(saved, part, names) for part, names in parts}
    tests = {
        f"differences-{title}": [_difference_grid(saved, rating, names) for rating in saved.ratings]
        for group, title in COMPARED.items()
        if parts and len(names := _comparable_metrics(saved, group)) > 1
    }
    figures = [
        Figure(
            f"correlation-matrix{part.suffix}",
            f"Spearman correlations among metrics{part.where}, clustered; on top, with the ratings.",
            f"Matrix of correlations among metrics{part.where}; numbers in the next table.",
            partial(correlation_matrix, saved, part.filters["dataset"], names),
        )
        for part, names in parts
    ]
    data = {"matrices": matrices, "tests": tests} if parts else {}
    return Section("between", "Metrics against each other", data, figures)


def _comparable_metrics(saved: SavedAnalysis, group: str) -> list[str]:
    """Return the metrics of a group that have correlations, in table order."""
    lines = saved.rows("correlations", level="pooled", **saved.all_outputs.filters).dropna(subset="r")
    return [name for name in saved.metrics if saved.groups[name] == group and name in set(lines["metric"])]


def _matrix_grid(saved: SavedAnalysis, part: ComparedDataset, names: list[str]) -> Grid:
    lines = saved.lookup("metric_correlations", "first", "second", **part.filters)
    lines |= {(second, first): line for (first, second), line in lines.items()}
    rows = [metric_row(saved, row, [_correlation_cell(lines, row, column) for column in names]) for row in names]
    columns = [Column(name, name) for name in names]
    caption = f"Spearman correlations among metrics{part.where}"
    return Grid(f"correlation-matrix{part.suffix}-table", caption, columns, rows, 1.0)


def _correlation_cell(lines: dict[tuple[str, str], SavedRow], row: str, column: str) -> Cell:
    if row == column:
        return Cell(Number(1.0, "1"), tip=row)
    return correlation_cell(lines[row, column], 1.0, f"{row} and {column}")


def _difference_grid(saved: SavedAnalysis, rating: str, names: list[str]) -> Grid:
    lines = saved.lookup("metric_differences", "metric", "other", rating=rating, **saved.all_outputs.filters)
    limit = colour_limit(lines[pair].difference for pair in combinations(names, 2) if pair in lines)
    rows = [
        metric_row(saved, row, [_difference_cell(lines.get((row, column)), limit) for column in names[1:]])
        for row in names[:-1]
    ]
    caption = f"Differences of correlations with {rating}, row minus column"
    columns = [Column(name, name) for name in names[1:]]
    return Grid(f"differences-{rating}-{names[0]}", caption, columns, rows, limit)


def _difference_cell(line: SavedRow | None, limit: float) -> Cell:
    if line is None:
        return Cell(Number(math.nan, ""))
    return DIFFERENCE.cell(line, limit, "" if line.p_holm < SIGNIFICANT else "×")
