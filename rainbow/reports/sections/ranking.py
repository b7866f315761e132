"""Ranking: how often a metric puts two outputs for the same input in the order that people do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from rainbow.reports.figures.ranking import ranking_accuracy
from rainbow.reports.grid import Cell, Column, Grid, coloured, empty, metric_row, stars
from rainbow.reports.number import count, fixed, p_value, percent
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Figure, Section

__all__ = ["section"]

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

Lines = Mapping[Any, Any]


def section(saved: Saved) -> Section:
    """Return accuracy against chance for every metric, raw and quantised, per dataset."""
    table = saved.tables["ranking"]
    datasets = [name for name in saved.datasets if table.loc[table["dataset"] == name, "accuracy"].notna().any()]
    grids = {_name(saved, dataset): _grid(saved, dataset) for dataset in datasets}
    return Section("ranking", "Ranking", {"grids": grids}, [_figure(saved, dataset) for dataset in datasets])


def _name(saved: Saved, dataset: str) -> str:
    return "ranking" + (f"-{saved.datasets.index(dataset) + 1}" if len(saved.datasets) > 1 else "")


def _figure(saved: Saved, dataset: str) -> Figure:
    where = f" of {dataset}" if len(saved.datasets) > 1 else ""
    return Figure(
        _name(saved, dataset) + "-figure",
        f"How far above chance metrics order two outputs{where} for the same input as people do (a tie is an answer).",
        f"Dot plot of ranking accuracy above chance{where}; the numbers are in the table that follows.",
        partial(ranking_accuracy, saved, dataset),
    )


def _grid(saved: Saved, dataset: str) -> Grid:
    ranked = saved.lookup("ranking", "scores", "rating", "metric", dataset=dataset)
    others = {
        table: saved.lookup(table, "rating", "metric", dataset=dataset)
        for table in ("tie_calibrated_accuracy", "two_way_accuracy")
    }
    rows = []
    for metric in saved.metrics:
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
    caption = "Pairs in the order of the ratings, %" + (f", {dataset}" if len(saved.datasets) > 1 else "")
    return Grid(_name(saved, dataset) + "-table", caption, spans, heads, rows)


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
        f"pairs, chance {percent(line.chance)}, p = {p_value(line.p_permutation)} (permutation); the metric ties "
        f"{percent(line.metric_ties)}, people {percent(line.rating_ties)}"
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
