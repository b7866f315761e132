"""Slot errors: missing, wrong, repeated or added slots."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.reports.figures.distributions import SLOT_ERRORS, slot_error_bars
from rainbow.reports.grid import Cell, Column, Grid, Row, empty_cell
from rainbow.reports.number_format import format_count, format_fixed
from rainbow.reports.saved.saved_systems import ComparedDataset, SavedSystems
from rainbow.reports.section import Figure, Section
from rainbow.reports.system_sections.column_labels import plain_name

if TYPE_CHECKING:
    import pandas as pd

RATE = "slot_error_rate_percent"

MEANINGS = {
    "slots": "slots that the outputs have to express",
    "missing": "slots that are not mentioned",
    "wrong": "slots mentioned with a wrong value",
    "repeated": "slots mentioned twice",
    "added": "slots mentioned although they are not in the input",
    RATE: "errors of all kinds, % of the slots",
    "ok_percent": "outputs without any error, %",
    "missed_percent": "outputs that miss slots and add none, %",
    "added_percent": "outputs that add slots and miss none, %",
    "added_and_missed_percent": "outputs that both add and miss slots, %",
}
SPANS = [("slots", 6), ("outputs", 4)]


class _DatasetBlock(NamedTuple):
    """Content for one dataset."""

    part: ComparedDataset
    figure: str
    method: str
    grid: Grid


def section(saved: SavedSystems) -> Section:
    """Return slot errors per system, fewest first."""
    parts = [part for part in saved.parts if len(saved.rows("slot_errors", **part.filters))]
    blocks = [
        _DatasetBlock(
            part,
            f"slot-errors{part.suffix}",
            ", ".join(sorted(set(_error_rows(saved, part)["method"]))),
            _error_grid(saved, part),
        )
        for part in parts
    ]
    return Section("systems-slots", "Slot errors", {"blocks": blocks}, [_error_figure(saved, part) for part in parts])


def _error_rows(saved: SavedSystems, part: ComparedDataset) -> pd.DataFrame:
    return saved.rows("slot_errors", **part.filters).sort_values(RATE, kind="stable")


def _error_figure(saved: SavedSystems, part: ComparedDataset) -> Figure:
    return Figure(
        f"slot-errors{part.suffix}",
        f"Slot errors{part.where}, as shares of all slots.",
        "Stacked bars of errors by system; numbers in the next table.",
        partial(slot_error_bars, _error_rows(saved, part)),
    )


def _error_grid(saved: SavedSystems, part: ComparedDataset) -> Grid:
    rows = [
        Row(str(line.system), "", ("", ""), [_error_cell(saved, line, column) for column in MEANINGS])
        for line in _error_rows(saved, part).itertuples()
    ]
    columns = [Column(_column_label(column), meaning) for column, meaning in MEANINGS.items()]
    caption = f"Slot errors of every system{part.where}"
    return Grid(f"slot-errors{part.suffix}", caption, SPANS, columns, rows, corner="system")


def _column_label(column: str) -> str:
    return plain_name(column).replace("slot error rate", "errors").replace("added and missed", "both")


def _error_cell(saved: SavedSystems, line: Any, column: str) -> Cell:
    form: Callable[[float], str] = (
        format_count if column in ("slots", *SLOT_ERRORS) else partial(format_fixed, digits=1)
    )
    if column == RATE:
        form = partial(format_fixed, digits=2)
    number = saved.number("slot_errors", line.Index, column, form)
    if number.raw == "":
        return empty_cell(f"{line.system}: no slot could be checked")
    return Cell(number, tip=f"{line.system}: {number.text} {MEANINGS[column].replace(', %', ' (%)')}")
