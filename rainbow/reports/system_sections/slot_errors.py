"""Slot errors: missing, wrong, repeated or added slots."""

from __future__ import annotations

from functools import partial
from typing import Any

from rainbow.base.lazy import pd
from rainbow.reports.figures.distributions import slot_error_bars
from rainbow.reports.grid import Grid, Measure, Row
from rainbow.reports.saved.saved_systems import ComparedDataset, SavedSystems
from rainbow.reports.section import Figure, Section, block_section

RATE = "slot_error_rate_percent"

MEASURES = [
    Measure(
        column,
        form,
        f"{{system}}: {{{column}:{form}}} {title.replace(', %', ' (%)')}",
        reason="{system}: no slot could be checked",
        label=label,
        title=title,
    )
    for column, form, label, title in (
        ("slots", "count", "slots", "slots that the outputs have to express"),
        ("missing", "count", "missing", "slots that are not mentioned"),
        ("wrong", "count", "wrong", "slots mentioned with a wrong value"),
        ("repeated", "count", "repeated", "slots mentioned twice"),
        ("added", "count", "added", "slots mentioned although they are not in the input"),
        (RATE, "fixed2", "errors, %", "errors of all kinds, % of the slots"),
        ("ok_percent", "fixed1", "ok, %", "outputs without any error, %"),
        ("missed_percent", "fixed1", "missed, %", "outputs that miss slots and add none, %"),
        ("added_percent", "fixed1", "added, %", "outputs that add slots and miss none, %"),
        ("added_and_missed_percent", "fixed1", "both, %", "outputs that both add and miss slots, %"),
    )
]
SPANS = [("slots", 6), ("outputs", 4)]


def section(saved: SavedSystems) -> Section:
    """Return slot errors per system, fewest first."""
    tables = [saved.rows("slot_errors", **part.filters).sort_values(RATE, kind="stable") for part in saved.parts]
    blocks = [_block(saved, part, table) for part, table in zip(saved.parts, tables, strict=True) if len(table)]
    return block_section("systems-slots", "Slot errors", blocks)


def _block(saved: SavedSystems, part: ComparedDataset, table: pd.DataFrame) -> dict[str, Any]:
    figure = Figure(
        f"slot-errors{part.suffix}",
        f"Slot errors{part.where}, as shares of all slots.",
        "Stacked bars of errors by system; numbers in the next table.",
        partial(slot_error_bars, table),
    )
    rows = [
        Row(str(line.system), [measure.cell(line) for measure in MEASURES])
        for line in saved.lines_of("slot_errors", table)
    ]
    heads, caption = [measure.head for measure in MEASURES], f"Slot errors of every system{part.where}"
    grid = Grid(f"slot-errors{part.suffix}", caption, heads, rows, spans=SPANS, corner="system")
    return {"part": part, "figure": figure, "method": ", ".join(sorted(set(table["method"]))), "grid": grid}
