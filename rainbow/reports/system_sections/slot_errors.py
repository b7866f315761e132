"""What the texts say: slots that are missing, wrong, repeated or added."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.reports.figures.distributions import SLOT_ERRORS, slot_error_bars
from rainbow.reports.grid import Cell, Column, Grid, Row, empty
from rainbow.reports.number import count, fixed
from rainbow.reports.saved.saved_systems import Compared, SavedSystems
from rainbow.reports.section import Figure, Section
from rainbow.reports.system_sections.columns import plain_name

if TYPE_CHECKING:
    import pandas as pd

RATE = "slot_error_rate_percent"

MEANINGS = {
    "slots": "slots that the outputs were to say something of",
    "missing": "slots that are not said",
    "wrong": "slots said with a value that was not asked for",
    "repeated": "slots said twice",
    "added": "slots said though they were not asked for",
    RATE: "errors of all kinds, % of the slots",
    "ok_percent": "outputs without any error, %",
    "missed_percent": "outputs that miss slots and add none, %",
    "added_percent": "outputs that add slots and miss none, %",
    "added_and_missed_percent": "outputs that add and miss slots, %",
}
SPANS = [("slots", 6), ("outputs", 4)]


class _Block(NamedTuple):
    """What is shown of a dataset."""

    part: Compared
    figure: str
    method: str
    grid: Grid


def section(saved: SavedSystems) -> Section:
    """Return errors in the slots of every system, fewest first."""
    parts = [part for part in saved.parts if len(saved.rows("slot_errors", **part.wanted))]
    blocks = [
        _Block(
            part, f"slot-errors{part.suffix}", ", ".join(sorted(set(_lines(saved, part)["method"]))), _grid(saved, part)
        )
        for part in parts
    ]
    return Section("systems-slots", "What the texts say", {"blocks": blocks}, [_figure(saved, part) for part in parts])


def _lines(saved: SavedSystems, part: Compared) -> pd.DataFrame:
    return saved.rows("slot_errors", **part.wanted).sort_values(RATE, kind="stable")


def _figure(saved: SavedSystems, part: Compared) -> Figure:
    return Figure(
        f"slot-errors{part.suffix}",
        f"Errors in the slots of the meaning representations{part.where}, as shares of all slots.",
        "Stacked bars of errors by system; the numbers are in the table that follows.",
        partial(slot_error_bars, _lines(saved, part)),
    )


def _grid(saved: SavedSystems, part: Compared) -> Grid:
    rows = [
        Row(str(line.system), "", ("", ""), [_cell(saved, line, column) for column in MEANINGS])
        for line in _lines(saved, part).itertuples()
    ]
    columns = [Column(_label(column), meaning) for column, meaning in MEANINGS.items()]
    caption = f"Slot errors of every system{part.where}"
    return Grid(f"slot-errors{part.suffix}", caption, SPANS, columns, rows, corner="system")


def _label(column: str) -> str:
    return plain_name(column).replace("slot error rate", "errors").replace("added and missed", "both")


def _cell(saved: SavedSystems, line: Any, column: str) -> Cell:
    form: Callable[[float], str] = count if column in ("slots", *SLOT_ERRORS) else partial(fixed, digits=1)
    if column == RATE:
        form = partial(fixed, digits=2)
    number = saved.number("slot_errors", line.Index, column, form)
    if number.raw == "":
        return empty(f"{line.system}: no slot could be looked for")
    return Cell(number, tip=f"{line.system}: {number.text} {MEANINGS[column].replace(', %', ' (%)')}")
