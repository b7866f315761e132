"""Tables of numbers on a page: a metric per row, with colours, marks and cell details."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rainbow.reports.colours import scale_step, step_class
from rainbow.reports.number_format import (
    Number,
    format_count,
    format_fixed,
    format_interval,
    format_p_value,
    format_signed,
)
from rainbow.reports.saved.saved_analysis import SavedAnalysis

# Arrow next to a metric's name, by direction.
ARROWS = {True: ("↑", "higher is better"), False: ("↓", "lower is better"), None: ("·", "no better direction")}

SIGNIFICANT = 0.05


class Cell(NamedTuple):
    """A number in a table."""

    number: Number  # the shown text
    style: str = ""  # class of its colour; empty for none
    mark: str = ""  # what follows the number: stars
    tip: str = ""  # everything known about it, in one line
    note: str = ""  # a word below the number: which metric it is of


class Column(NamedTuple):
    """A column head: short label and full title."""

    label: str
    title: str


class Row(NamedTuple):
    """A row with name, group, direction arrow, cells and a note."""

    name: str
    group: str
    arrow: tuple[str, str]
    cells: Sequence[Cell]
    note: str = ""


class Grid(NamedTuple):
    """A table of a page: rows of cells under column heads."""

    name: str  # its place in the page
    caption: str
    spans: Sequence[tuple[str, int]]  # heads over several columns, with the number of columns of each
    columns: Sequence[Column]
    rows: Sequence[Row]
    limit: float | None = None  # the correlation at the ends of the colour scale; None if nothing is coloured
    # the heads of the first column, and of the one with the groups
    corner: str = "metric"
    second: str = "group"


def colour_limit(values: Iterable[float]) -> float:
    """Return the upper limit of a colour scale: a multiple of 0.1 between 0.2 and 1."""
    sizes = [max(value, -value) for value in values if not math.isnan(value)]
    return min(1.0, max(0.2, math.ceil(10 * max(sizes, default=0) - 1e-9) / 10))


def colour_class(value: float, limit: float) -> str:
    """Return the colour class of a value; empty for NaN."""
    step = scale_step(value, limit)
    return "" if step is None else step_class(step)


def significance_stars(p: float, tests: int) -> str:
    """Return two stars if p survives correction for the number of tests, one if p < .05, else nothing."""
    return "**" if p * tests < SIGNIFICANT else "*" if p < SIGNIFICANT else ""


def describe_correlation(line: Any) -> str:
    """Describe a correlation: coefficient, interval, n and p, or why it is missing."""
    if math.isnan(line.r):
        return f"no correlation: {line.reason}"
    ends = format_interval(line.low, line.high) + (f": {line.reason}" if math.isnan(line.low) else "")
    p = format_p_value(line.p)
    return f"r = {format_fixed(line.r, 3)}, {ends}, n = {format_count(line.n)}, p {p if p[0] == '<' else '= ' + p}"


def correlation_cell(saved: SavedAnalysis, table: str, line: Any, limit: float, subject: str, mark: str = "") -> Cell:
    """Return the cell for a row of a correlation table."""
    number = saved.number(table, line.Index, "r", format_signed)
    return Cell(number, colour_class(line.r, limit), mark, f"{subject}: {describe_correlation(line)}")


def empty_cell(reason: str) -> Cell:
    """Return the cell of a missing number."""
    return Cell(Number(math.nan, format_fixed(math.nan)), tip=reason)


def metric_row(saved: SavedAnalysis, metric: str, cells: Sequence[Cell]) -> Row:
    """Return the row of a metric with group and direction."""
    return Row(metric, saved.groups[metric], ARROWS[saved.higher_is_better[metric]], cells)
