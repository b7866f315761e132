"""Tables of numbers for the page: a metric per row, coloured, marked, and with the details of every cell."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rainbow.reports.colours import level, step_class
from rainbow.reports.number import Number, count, fixed, interval, p_value, signed
from rainbow.reports.saved.saved_analysis import Saved

# What stands beside a metric's name, by whether higher is better.
ARROWS = {True: ("↑", "higher is better"), False: ("↓", "lower is better"), None: ("·", "neither direction is better")}

SIGNIFICANT = 0.05


class Cell(NamedTuple):
    """A number in its place."""

    number: Number  # what is shown
    style: str = ""  # class of its colour; empty for none
    mark: str = ""  # what follows the number: stars
    tip: str = ""  # everything known about it, in one line
    note: str = ""  # a word below the number: which metric it is of


class Column(NamedTuple):
    """The head of a column: as it is printed, and in full."""

    label: str
    title: str


class Row(NamedTuple):
    """A row: its name, the group it is in, an arrow with its meaning, its cells, and a note below the name."""

    name: str
    group: str
    arrow: tuple[str, str]
    cells: Sequence[Cell]
    note: str = ""


class Grid(NamedTuple):
    """A table."""

    name: str  # its place in the page
    caption: str
    spans: Sequence[tuple[str, int]]  # heads over several columns, with the number of columns of each
    columns: Sequence[Column]
    rows: Sequence[Row]
    limit: float | None = None  # the correlation at the ends of the colour scale; None if nothing is coloured
    # the heads of the first column, and of the one with the groups
    corner: str = "metric"
    second: str = "group"


def limit_of(values: Iterable[float]) -> float:
    """Return the end of a colour scale that fits these values: a multiple of 0.1, at least 0.2, at most 1."""
    sizes = [max(value, -value) for value in values if not math.isnan(value)]
    return min(1.0, max(0.2, math.ceil(10 * max(sizes, default=0) - 1e-9) / 10))


def coloured(value: float, limit: float) -> str:
    """Return the class of the colour of a value; empty for NaN."""
    step = level(value, limit)
    return "" if step is None else step_class(step)


def stars(p: float, tests: int) -> str:
    """Return two stars if p is significant as one of so many tests, one star if it is by itself, else nothing."""
    return "**" if p * tests < SIGNIFICANT else "*" if p < SIGNIFICANT else ""


def described(line: Any) -> str:
    """Say what is known of a correlation: the coefficient, its interval, n and p, or why there is none."""
    if math.isnan(line.r):
        return f"no correlation: {line.reason}"
    ends = interval(line.low, line.high) + (f": {line.reason}" if math.isnan(line.low) else "")
    p = p_value(line.p)
    return f"r = {fixed(line.r, 3)}, {ends}, n = {count(line.n)}, p {p if p[0] == '<' else '= ' + p}"


def correlation_cell(saved: Saved, table: str, line: Any, limit: float, subject: str, mark: str = "") -> Cell:
    """Return the cell of a row of a table of correlations (one of its ``itertuples()``)."""
    number = saved.number(table, line.Index, "r", signed)
    return Cell(number, coloured(line.r, limit), mark, f"{subject}: {described(line)}")


def empty(reason: str) -> Cell:
    """Return the cell of a number that no table has."""
    return Cell(Number(math.nan, fixed(math.nan)), tip=reason)


def metric_row(saved: Saved, metric: str, cells: Sequence[Cell]) -> Row:
    """Return the row of a metric, with its group and direction."""
    return Row(metric, saved.groups[metric], ARROWS[saved.higher_is_better[metric]], cells)
