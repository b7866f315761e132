"""Slot errors: missing, wrong, repeated or added slots."""

from __future__ import annotations

from functools import partial

from rainbow.base.lazy import pd
from rainbow.reports.figures.distributions import slot_error_bars
from rainbow.reports.grid import Grid, Measure, Row
from rainbow.reports.saved.saved_systems import ComparedDataset, SavedSystems
from rainbow.reports.section import Figure, Section

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
    parts = [part for part in saved.parts if len(saved.rows("slot_errors", **part.filters))]
    blocks = [
        {
            "part": part,
            "figure": f"slot-errors{part.suffix}",
            "method": ", ".join(sorted(set(_error_rows(saved, part)["method"]))),
            "grid": _error_grid(saved, part),
        }
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
        Row(str(line.system), [measure.cell(line) for measure in MEASURES])
        for line in saved.lines_of("slot_errors", _error_rows(saved, part))
    ]
    heads = [measure.head for measure in MEASURES]
    caption = f"Slot errors of every system{part.where}"
    return Grid(f"slot-errors{part.suffix}", caption, heads, rows, spans=SPANS, corner="system")
