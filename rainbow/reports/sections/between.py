"""Metric against metric: which say the same, and which of two agrees better with people."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from rainbow.reports.clustering import clustered
from rainbow.reports.figures.correlation_matrix import correlation_matrix
from rainbow.reports.figures.williams import williams_matrix
from rainbow.reports.grid import SIGNIFICANT, Cell, Column, Grid, coloured, described, empty, limit_of, metric_row
from rainbow.reports.number import Number, count, fixed, p_value, signed
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Figure, Section

__all__ = ["section"]

# Groups whose members are compared with each other, as in figure 2 of the paper.
COMPARED = {"word": "word-based", "grammar": "grammar-based"}


def section(saved: Saved) -> Section:
    """Return the clustered matrix of correlations of every dataset, and matrices of Williams' test."""
    datasets = [dataset for dataset in saved.datasets if len(clustered(saved, dataset)) > 1]
    matrices = {_matrix_name(saved, dataset): _matrix(saved, dataset) for dataset in datasets}
    tests: dict[str, list[Grid]] = {}
    figures = [_matrix_figure(saved, dataset) for dataset in datasets]
    for group, title in COMPARED.items():
        names = _comparable(saved, group)
        if len(names) > 1:
            figures.append(_williams_figure(saved, title, names))
            tests[f"williams-{title}"] = [_williams(saved, rating, names) for rating in saved.ratings]
    return Section("between", "Metric against metric", {"matrices": matrices, "tests": tests}, figures)


def _matrix_name(saved: Saved, dataset: str) -> str:
    return "correlation-matrix" + (f"-{saved.datasets.index(dataset) + 1}" if len(saved.datasets) > 1 else "")


def _matrix_figure(saved: Saved, dataset: str) -> Figure:
    where = f" on {dataset}" if len(saved.datasets) > 1 else ""
    return Figure(
        _matrix_name(saved, dataset),
        f"Spearman correlations among metrics{where}, those that say the same side by side; above, with the ratings.",
        f"Matrix of correlations among metrics{where}; the numbers are in the table that follows.",
        partial(correlation_matrix, saved, dataset),
    )


def _williams_figure(saved: Saved, title: str, names: list[str]) -> Figure:
    return Figure(
        f"williams-{title}",
        f"Differences between the correlations of {title} metrics with each rating, row minus column, each turned so "
        "that higher is better. A cross marks two metrics that Williams' test does not tell apart (p ≥ 0.05 after "
        "Holm's correction).",
        f"Matrix of Williams' tests between {title} metrics; the numbers are in the tables that follow.",
        partial(williams_matrix, saved, names),
    )


def _comparable(saved: Saved, group: str) -> list[str]:
    """Return the metrics of a group that have correlations, in the order of the table."""
    dataset, system = saved.whole
    lines = saved.rows("correlations", dataset=dataset, system=system, level="pooled").dropna(subset="r")
    return [name for name in saved.metrics if saved.groups[name] == group and name in set(lines["metric"])]


def _matrix(saved: Saved, dataset: str) -> Grid:
    names = clustered(saved, dataset)
    lines = saved.lookup("metric_correlations", "first", "second", dataset=dataset)
    lines |= {(second, first): line for (first, second), line in lines.items()}
    rows = [metric_row(saved, row, [_correlation(saved, lines, row, column) for column in names]) for row in names]
    columns = [Column(name, name) for name in names]
    caption = "Spearman correlations among metrics" + (f" on {dataset}" if len(saved.datasets) > 1 else "")
    return Grid(_matrix_name(saved, dataset) + "-table", caption, [], columns, rows, 1.0)


def _correlation(saved: Saved, lines: dict[tuple[str, str], Any], row: str, column: str) -> Cell:
    if row == column:
        return Cell(Number(1.0, "1"), tip=row)
    line = lines[row, column]
    number = saved.number("metric_correlations", line.Index, "r", signed)
    return Cell(number, coloured(line.r, 1.0), "", f"{row} and {column}: {described(line)}")


def _williams(saved: Saved, rating: str, names: list[str]) -> Grid:
    dataset, system = saved.whole
    lines = saved.lookup("metric_differences", "metric", "other", rating=rating, dataset=dataset, system=system)
    limit = limit_of(lines[pair].difference for pair in _pairs(names) if pair in lines)
    rows = [
        metric_row(saved, row, [_difference(saved, lines.get((row, column)), limit) for column in names[1:]])
        for row in names[:-1]
    ]
    caption = f"Differences of correlations with {rating}, row minus column"
    return Grid(f"williams-{rating}-{names[0]}", caption, [], [Column(name, name) for name in names[1:]], rows, limit)


def _pairs(names: list[str]) -> Iterator[tuple[str, str]]:
    for place, first in enumerate(names):
        yield from ((first, second) for second in names[place + 1 :])


def _difference(saved: Saved, line: Any, limit: float) -> Cell:
    if line is None:
        return Cell(Number(float("nan"), ""))
    if line.difference != line.difference:
        return empty(str(line.reason))
    number = saved.number("metric_differences", line.Index, "difference", signed)
    tip = (
        f"{line.metric} {fixed(line.r, 3)}, {line.other} {fixed(line.r_other, 3)} (higher is better for both), "
        f"t = {fixed(line.t)}, p = {p_value(line.p)}, after Holm's correction {p_value(line.p_holm)}, "
        f"n = {count(line.n)}"
    )
    mark = "" if line.p_holm < SIGNIFICANT else "×"
    return Cell(number, coloured(line.difference, limit), mark, tip)
