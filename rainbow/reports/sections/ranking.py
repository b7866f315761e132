"""Ranking: how often a metric puts two outputs for the same input in the order that people do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rainbow.reports.grid import Cell, Column, Grid, coloured, empty, metric_row, stars
from rainbow.reports.number import count, fixed, p_value, percent
from rainbow.reports.order import by_agreement
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.saved.saved_systems import Compared
from rainbow.reports.section import Section

# What is this far above chance has the colour at the end of the scale.
LIMIT = 0.2

COLUMNS = {
    "raw": "raw scores",
    "raw chance": "chance, raw scores",
    "quantised": "scores quantised to the scale of the ratings",
    "quantised chance": "chance, quantised scores",
    "calibrated": "ties for small differences, chosen so that accuracy is highest",
    "two-way": "without pairs that people tie",
}


def section(saved: Saved) -> Section:
    """Return accuracy against chance for every metric, raw and quantised, per dataset."""
    table = saved.tables["ranking"]
    measured = set(table.loc[table["accuracy"].notna(), "dataset"])
    parts = [part for part in saved.by_dataset if part.wanted["dataset"] in measured]
    grids = {f"ranking{part.suffix}": _grid(saved, part) for part in parts}
    return Section("ranking", "Ranking", {"grids": grids} if grids else {})


def _grid(saved: Saved, part: Compared) -> Grid:
    ranked = saved.lookup("ranking", "scores", "rating", "metric", **part.wanted)
    others = {
        table: saved.lookup(table, "rating", "metric", **part.wanted)
        for table in ("tie_calibrated_accuracy", "two_way_accuracy")
    }
    rows = []
    for metric in by_agreement(saved):
        cells: list[Cell] = []
        for rating in saved.ratings:
            for scores in ("raw", "quantised"):
                cells += _against_chance(saved, ranked.get((scores, rating, metric)))
            cells += [_accuracy(saved, table, lines.get((rating, metric))) for table, lines in others.items()]
        rows.append(metric_row(saved, metric, cells))
    heads = [
        Column(name.split()[-1], f"{rating}, {title}") for rating in saved.ratings for name, title in COLUMNS.items()
    ]
    spans = [(rating, len(COLUMNS)) for rating in saved.ratings]
    caption = "Pairs in the order of the ratings, %" + (f", {part.label}" if part.label else "")
    return Grid(f"ranking{part.suffix}-table", caption, spans, heads, rows)


def _share(value: float) -> str:
    return fixed(100 * value, 1)


def _against_chance(saved: Saved, line: Any) -> Iterator[Cell]:
    """Return a cell with the accuracy, and one with its chance."""
    if line is None or line.accuracy != line.accuracy:
        reason = empty(f"{line.metric} and {line.rating}: {line.reason}" if line else "not measured")
        yield from (reason, reason)
        return
    tip = (
        f"{line.metric} and {line.rating}, {line.scores} scores: {percent(line.accuracy)} of {count(line.pairs)} "
        f"pairs, chance {percent(line.chance)}, p = {p_value(line.p_permutation)} ({count(line.permutations)} "
        f"permutations); the metric ties {percent(line.metric_ties)}, people {percent(line.rating_ties)}"
    )
    style = coloured(line.accuracy - line.chance, LIMIT)
    mark = stars(line.p_permutation, len(saved.metrics))
    yield Cell(saved.number("ranking", line.Index, "accuracy", _share), style, mark, tip)
    yield Cell(saved.number("ranking", line.Index, "chance", _share), tip=tip)


def _accuracy(saved: Saved, table: str, line: Any) -> Cell:
    if line is None or line.accuracy != line.accuracy:
        return empty(f"{line.metric} and {line.rating}: {line.reason}" if line else "not measured")
    number = saved.number(table, line.Index, "accuracy", _share)
    detail = f"epsilon {line.epsilon:.3g}" if table.startswith("tie") else f"p = {p_value(line.p)}"
    tip = f"{line.metric} and {line.rating}: {percent(line.accuracy)} of {count(line.pairs)} pairs, {detail}"
    return Cell(number, tip=tip)
