"""What a search among random texts finds: word salad that a score puts above what people wrote."""

from __future__ import annotations

from typing import Any, NamedTuple

from rainbow.reports.grid import Cell, Column, Grid, Row, empty
from rainbow.reports.number import Number, between, count, percent, precise
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Section

# Found texts that are shown of each metric: those that people would wonder about first.
SHOWN = 10

THAN = ("worst", "median", "best")


class Found(NamedTuple):
    """A text that was found, with its score and those of good texts for the same input."""

    metric: str
    way: str
    mr: str
    text: str
    score: Number
    beside: tuple[Number, ...]


def section(saved: Saved) -> Section:
    """Return for how many inputs found texts are above good ones, and the most telling; nothing without a search."""
    if "audit_search" not in saved.tables:
        return Section("search", "How easily they are cheated", {})
    table = saved.tables["audit_found"]
    data = {
        "beside": " or ".join(dict.fromkeys(table["beside"])),
        "shares": _shares(saved),
        "found": {metric: _found(saved, metric) for metric in dict.fromkeys(table["metric"])},
    }
    return Section("search", "How easily they are cheated", data)


def _shares(saved: Saved) -> Grid:
    lines = saved.lookup("audit_search", "metric", "way", "than")
    rows = [
        Row(metric, way, ("", ""), [_share(saved, lines[metric, way, than]) for than in THAN])
        for metric, way in dict.fromkeys((metric, way) for metric, way, _ in lines)
    ]
    columns = [Column(f"above the {than}", f"inputs whose found text is above the {than} good text") for than in THAN]
    caption = "Share of inputs for which the search found a better score than good texts have"
    return Grid("search-shares", caption, [], columns, rows, corner="metric", second="search")


def _share(saved: Saved, line: Any) -> Cell:
    if not line.n:
        return empty("no input has both scores")
    tip = f"{line.metric}, {line.way} search: {count(line.n)} inputs"
    number = saved.number("audit_search", line.Index, "above", percent)
    return Cell(number, tip=tip, note=between(line.low, line.high, percent))


def _found(saved: Saved, metric: str) -> list[Found]:
    """Return the found texts of a metric that are above most good ones."""
    table = saved.rows("audit_found", metric=metric)
    above = table[[f"above_{than}" for than in THAN]].sum(axis=1)
    rows = above[above > 0].sort_values(ascending=False, kind="stable").index[:SHOWN]
    return [
        Found(
            metric,
            table["way"][row],
            table["mr"][row],
            table["found"][row],
            saved.number("audit_found", row, "score", precise),
            tuple(saved.number("audit_found", row, than, precise) for than in THAN),
        )
        for row in rows
    ]
