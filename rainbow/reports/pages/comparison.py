"""Two datasets side by side: what to trust on each, and which correlations differ."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.reports.figures.side_by_side import side_by_side
from rainbow.reports.grid import (
    SIGNIFICANT,
    Cell,
    Column,
    Grid,
    Row,
    correlation_cell,
    empty,
    limit_of,
    metric_row,
    stars,
)
from rainbow.reports.number import Number, fixed, p_value, signed
from rainbow.reports.pages.embedding import embedded, script_json
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Figure, Section
from rainbow.reports.trusted import trusted
from rainbow.stats.differences.dependent_correlations import fisher_z_test

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["make_comparison"]

TABLES = ("correlations", "best_metrics", "ceilings")


class Common(NamedTuple):
    """The metric whose worse correlation of two is best, with its correlations."""

    rating: str
    metric: str
    lower_is_better: bool
    first: Number
    second: Number


class Pair(NamedTuple):
    """Two datasets, and the ratings and metrics that both have."""

    first: Saved
    second: Saved
    ratings: list[str]
    metrics: list[str]

    def lines(self, rating: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the rows of both tables of correlations over all outputs, by metric."""
        first, second = (
            saved.lookup(
                "correlations", "metric", rating=rating, level="pooled", dataset=saved.whole.dataset, system="all"
            )
            for saved in (self.first, self.second)
        )
        return first, second


def make_comparison(first: Saved, second: Saved) -> Page:
    """Return one page on two datasets: the best metric per rating, and all correlations with their differences.

    Raises
    ------
    ValueError
        If the two are the same, or have no rating or no metric in common.
    """
    ratings = [name for name in first.ratings if name in second.ratings]
    metrics = [name for name in first.metrics if name in second.metrics]
    if first.name == second.name or not ratings or not metrics:
        what = "rating" if metrics else "metric"
        found = f"have no {what} in common" if first.name != second.name else "are one dataset"
        raise ValueError(f"{first.name} and {second.name} {found}: name two that were rated and scored alike")
    one, other = (replace(saved, prefix=f"{saved.name}/") for saved in (first, second))
    pair = Pair(one, other, ratings, metrics)
    sections = [_answer(pair), _correlations(pair), _best(pair), _making(pair)]
    facts = f"{first.name}: {len(first.scores):,} outputs · {second.name}: {len(second.scores):,} outputs"
    scripts = {"tables-data": embedded(_downloads(pair)), "browser-data": script_json(None)}
    return make_page(f"{first.name}-and-{second.name}", f"{first.name} and {second.name}", facts, sections, scripts)


def _answer(pair: Pair) -> Section:
    sides = [{choice.rating: choice for choice in trusted(saved)} for saved in (pair.first, pair.second)]
    data = {
        "names": (pair.first.name, pair.second.name),
        "choices": [(rating, *(side[rating] for side in sides)) for rating in pair.ratings],
        "common": [common for rating in pair.ratings if (common := _common(pair, rating))],
    }
    return Section("comparison-answer", "Answer first", data)


def _common(pair: Pair, rating: str) -> Common | None:
    first, second = pair.lines(rating)
    found: list[tuple[float, Common]] = []
    for metric in pair.metrics:
        better, a, b = pair.first.higher_is_better[metric], first[metric], second[metric]
        if better is not None and a.r == a.r and b.r == b.r:
            numbers = (
                saved.number("correlations", line.Index, "r", fixed)
                for saved, line in ((pair.first, a), (pair.second, b))
            )
            worse = min(a.r, b.r) if better else min(-a.r, -b.r)
            found.append((worse, Common(rating, metric, not better, *numbers)))
    return max(found, key=lambda entry: entry[0])[1] if found else None


def _correlations(pair: Pair) -> Section:
    tables = {rating: pair.lines(rating) for rating in pair.ratings}
    limit = limit_of(line.r for sides in tables.values() for side in sides for line in side.values())
    rows = []
    for metric in pair.metrics:
        cells = [cell for rating in pair.ratings for cell in _cells(pair, tables[rating], metric, limit)]
        rows.append(metric_row(pair.first, metric, cells))
    heads = [
        Column(name, f"{rating}, {name}")
        for rating in pair.ratings
        for name in (pair.first.name, pair.second.name, "difference")
    ]
    spans = [(rating, 3) for rating in pair.ratings]
    grid = Grid("correlations", "Spearman correlation with the ratings on both datasets", spans, heads, rows, limit)
    return Section("comparison-correlations", "Correlations side by side", {"grid": grid}, [_figure(pair, tables)])


def _figure(pair: Pair, tables: dict[str, tuple[dict[str, Any], dict[str, Any]]]) -> Figure:
    sides = [side for both in tables.values() for side in both]
    metrics = [name for name in pair.metrics if all(side[name].r == side[name].r for side in sides)]
    points = {
        rating: [(first[name].r, second[name].r) for name in metrics] for rating, (first, second) in tables.items()
    }
    groups = [pair.first.groups[name] for name in metrics]
    names = (pair.first.name, pair.second.name)
    return Figure(
        "side-by-side",
        f"Correlations of metrics on {names[0]} and on {names[1]}: on the dashed line, a metric agrees with people "
        "alike on both; in the upper left and lower right quarters its sign changes.",
        "Scatter plots; the numbers are in the table above.",
        partial(side_by_side, points, groups, names),
    )


def _cells(pair: Pair, sides: tuple[dict[str, Any], dict[str, Any]], metric: str, limit: float) -> Iterator[Cell]:
    a, b = (side[metric] for side in sides)
    for saved, line in ((pair.first, a), (pair.second, b)):
        subject, mark = f"{metric} and {line.rating}, {saved.name}", stars(line.p, len(pair.metrics))
        yield correlation_cell(saved, "correlations", line, limit, subject, mark)
    difference = a.r - b.r
    if math.isnan(difference):
        yield empty("a correlation is missing")
        return
    p = float(fisher_z_test(a.r, b.r, a.n, b.n).p)
    subject = f"{metric} and {a.rating}, {pair.first.name} minus {pair.second.name}"
    tip = f"{subject}: {fixed(difference, 3)}, p = {p_value(p)} (Fisher)"
    yield Cell(Number(difference, signed(difference)), "", stars(p, len(pair.metrics)), tip)


def _best(pair: Pair) -> Section:
    found = [
        saved.lookup("best_metrics", "rating", "group", level="pooled", dataset=saved.whole.dataset, system="all")
        for saved in (pair.first, pair.second)
    ]
    limit = limit_of(line.r for lines in found for line in lines.values())
    rows = []
    for group in dict.fromkeys(key[1] for lines in found for key in lines):
        for rating in pair.ratings:
            best = (lines.get((rating, group)) for lines in found)
            cells = [_best_cell(saved, line, limit) for saved, line in zip(pair[:2], best, strict=True)]
            rows.append(Row(rating, group, ("", ""), cells))
    columns = [Column(saved.name, saved.name) for saved in (pair.first, pair.second)]
    grid = Grid("best", "The best metric of each group on both datasets", [], columns, rows, limit, corner="rating")
    return Section("comparison-best", "Best of each group", {"grid": grid})


def _best_cell(saved: Saved, line: Any, limit: float) -> Cell:
    if line is None or line.r != line.r:
        return empty("no metric of the group has a correlation here")
    mark = "*" if line.p_selected < SIGNIFICANT else ""
    cell = correlation_cell(saved, "best_metrics", line, limit, f"{line.metric}, {saved.name}", mark)
    return cell._replace(note=line.metric)


def _downloads(pair: Pair) -> dict[str, pd.DataFrame]:
    """Return the tables that the page was made from; the dataset stands in their names."""
    return {f"{saved.name}-{table}.csv": saved.tables[table] for saved in pair[:2] for table in TABLES}


def _making(pair: Pair) -> Section:
    data = {
        "command": f"rainbow report --compare {pair.first.name} {pair.second.name}",
        "downloads": [*_downloads(pair)],
        "files": [(file.name, file.sha256) for saved in (pair.first, pair.second) for file in saved.files],
    }
    return Section("comparison-making", "How it was made", data)
