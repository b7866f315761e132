"""Tables of numbers on a page: declared measures of saved tables, and the cells, rows and grids made of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rainbow.reports.colours import scale_step, step_class
from rainbow.reports.number_format import FORMATS, Number, format_fixed
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_tables import SavedRow

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
    """A row with its name, cells, group, direction arrow and a note."""

    name: str
    cells: Sequence[Cell]
    group: str = ""
    arrow: tuple[str, str] = ("", "")
    note: str = ""


class Grid(NamedTuple):
    """A table of a page: rows of cells under column heads."""

    name: str  # its place in the page
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Row]
    limit: float | None = None  # the correlation at the ends of the colour scale; None if nothing is coloured
    spans: Sequence[tuple[str, int]] = ()  # heads over several columns, with the number of columns of each
    # the heads of the first column, and of the one with the groups
    corner: str = "metric"
    second: str = "group"


class Measure(NamedTuple):
    """A column of a saved table as a page shows it; texts are templates of :meth:`SavedRow.text`."""

    column: str
    form: str = "fixed"  # of :data:`FORMATS`
    tip: str = ""
    note: str = ""  # `{range:fixed}`: the interval
    reason: str = ""  # the tip if the number is missing; by default the same tip
    absent: str = "not measured"  # shown if the row is missing
    # the value without colour, or its column; None for a measure that is not coloured
    centre: float | str | None = None
    label: str = ""  # head of the column
    title: str = ""

    @property
    def head(self) -> Column:
        return Column(self.label or self.column, self.title or self.label or self.column)

    def cell(self, row: SavedRow | None, limit: float = 1.0, mark: str = "", **names: Any) -> Cell:
        """Return the cell of a row; `names`, and the title, are further names in the templates."""
        if row is None:
            return empty_cell(self.absent.format(**names))
        number = row.number(self.column, FORMATS[self.form])
        if self.reason and math.isnan(number.value):
            return empty_cell(row.text(self.reason, **names))
        names |= {"title": self.title}
        centre = getattr(row, self.centre) if isinstance(self.centre, str) else self.centre
        style = "" if centre is None else colour_class(number.value - centre, limit)
        return Cell(number, style, mark, row.text(self.tip, **names), row.text(self.note, **names))


def declare_measures(*declared: tuple[str, str, str, str], **shared: Any) -> list[Measure]:
    """Return measures from column, number format, label and title each, with everything else shared."""
    return [Measure(column, form, label=label, title=title, **shared) for column, form, label, title in declared]


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


def correlation_cell(row: SavedRow, limit: float, subject: str, mark: str = "") -> Cell:
    """Return the cell for a row of a correlation table."""
    number, style = row.number("r"), colour_class(row.r, limit)
    if math.isnan(row.r):
        return Cell(number, style, mark, f"{subject}: no correlation: {row.reason}")
    why = f": {row.reason}" if math.isnan(row.low) else ""
    tip = row.text("r = {r:fixed3}, {interval:fixed}{why}, n = {n:count}, p {p:p_equation}", why=why)
    return Cell(number, style, mark, f"{subject}: {tip}")


def empty_cell(reason: str) -> Cell:
    """Return the cell of a missing number."""
    return Cell(Number(math.nan, format_fixed(math.nan)), tip=reason)


def metric_row(saved: SavedAnalysis, metric: str, cells: Sequence[Cell], note: str = "") -> Row:
    """Return the row of a metric with group and direction."""
    return Row(metric, cells, saved.groups[metric], ARROWS[saved.higher_is_better[metric]], note)
