"""Ranking accuracy of metrics within inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rainbow.reports.grid import Cell, Column, Grid, colour_class, empty_cell, metric_row, significance_stars
from rainbow.reports.metric_order import order_by_agreement
from rainbow.reports.number_format import format_count, format_fixed, format_p_value, format_percent
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_systems import ComparedDataset
from rainbow.reports.section import Section

# Distance from chance at the end of the colour scale.
LIMIT = 0.2

COLUMNS = {
    "raw": "raw scores",
    "raw chance": "chance, raw scores",
    "quantised": "scores quantised to the rating scale",
    "quantised chance": "chance, quantised scores",
    "calibrated": "ties for small differences, with the threshold that maximises accuracy",
    "two-way": "without pairs that people tie",
}


def section(saved: SavedAnalysis) -> Section:
    """Return accuracy and chance level of every metric, raw and quantised."""
    table = saved.tables["ranking"]
    measured = set(table.loc[table["accuracy"].notna(), "dataset"])
    parts = [part for part in saved.by_dataset if part.filters["dataset"] in measured]
    grids = {f"ranking{part.suffix}": _accuracy_grid(saved, part) for part in parts}
    return Section("ranking", "Ranking", {"grids": grids} if grids else {})


def _accuracy_grid(saved: SavedAnalysis, part: ComparedDataset) -> Grid:
    ranked = saved.lookup("ranking", "scores", "rating", "metric", **part.filters)
    others = {
        table: saved.lookup(table, "rating", "metric", **part.filters)
        for table in ("tie_calibrated_accuracy", "two_way_accuracy")
    }
    rows = []
    for metric in order_by_agreement(saved):
        cells: list[Cell] = []
        for rating in saved.ratings:
            for scores in ("raw", "quantised"):
                cells += _accuracy_and_chance(saved, ranked.get((scores, rating, metric)))
            cells += [_accuracy_cells(saved, table, lines.get((rating, metric))) for table, lines in others.items()]
        rows.append(metric_row(saved, metric, cells))
    heads = [
        Column(name.split()[-1], f"{rating}, {title}") for rating in saved.ratings for name, title in COLUMNS.items()
    ]
    spans = [(rating, len(COLUMNS)) for rating in saved.ratings]
    caption = "Pairs ordered like the ratings, %" + (f", {part.label}" if part.label else "")
    return Grid(f"ranking{part.suffix}-table", caption, spans, heads, rows)


def _format_share(value: float) -> str:
    return format_fixed(100 * value, 1)


def _accuracy_and_chance(saved: SavedAnalysis, line: Any) -> Iterator[Cell]:
    """Return a cell with the accuracy, and one with its chance level."""
    if line is None or line.accuracy != line.accuracy:
        reason = empty_cell(f"{line.metric} and {line.rating}: {line.reason}" if line else "not measured")
        yield from (reason, reason)
        return
    tip = (
        f"{line.metric} and {line.rating}, {line.scores} scores: {format_percent(line.accuracy)} of "
        f"{format_count(line.pairs)} "
        f"pairs, chance {format_percent(line.chance)}, p = {format_p_value(line.p_permutation)} "
        f"({format_count(line.permutations)} "
        f"permutations); the metric ties {format_percent(line.metric_ties)}, people {format_percent(line.rating_ties)}"
    )
    style = colour_class(line.accuracy - line.chance, LIMIT)
    mark = significance_stars(line.p_permutation, len(saved.metrics))
    yield Cell(saved.number("ranking", line.Index, "accuracy", _format_share), style, mark, tip)
    yield Cell(saved.number("ranking", line.Index, "chance", _format_share), tip=tip)


def _accuracy_cells(saved: SavedAnalysis, table: str, line: Any) -> Cell:
    if line is None or line.accuracy != line.accuracy:
        return empty_cell(f"{line.metric} and {line.rating}: {line.reason}" if line else "not measured")
    number = saved.number(table, line.Index, "accuracy", _format_share)
    detail = f"epsilon {line.epsilon:.3g}" if table.startswith("tie") else f"p = {format_p_value(line.p)}"
    tip = (
        f"{line.metric} and {line.rating}: {format_percent(line.accuracy)} of {format_count(line.pairs)} "
        f"pairs, {detail}"
    )
    return Cell(number, tip=tip)
