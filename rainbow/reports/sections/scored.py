"""Outputs that nobody rated: what the metrics say of each system and output, and what more would give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rainbow.reports.grid import Cell, Column, Grid, metric_row
from rainbow.reports.number import Number, count, precise
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Section
from rainbow.reports.sections.preferred import preferences

__all__ = ["SHOWN", "section"]

SHOWN = 200  # outputs on the page; the table that can be taken out of it has all
BEHIND = ("rainbow_quality", "METEOR", "BLEU4", "slots_realised", "len")  # columns beside each text, as far as there


class Shown(NamedTuple):
    """An output with some scores."""

    system: str
    mr: str
    output: str
    scores: tuple[Number, ...]


def section(
    saved: Saved, done: Sequence[str], left: Sequence[tuple[str, str]], taken: Sequence[tuple[str, ...]]
) -> Section:
    """Return what was found and left out, means of every system, outputs with scores, what columns are taken as."""
    columns = [name for name in BEHIND if name in saved.metrics and saved.scores[name].notna().any()]
    data = {
        "done": done,
        "left": left,
        "taken": taken,
        "means": _means(saved) if saved.metrics else None,
        "preferences": preferences(saved),
        "columns": columns,
        "outputs": _outputs(saved, columns),
        "several": len(saved.summary["systems"]) > 1,
        "all": count(len(saved.scores)),
        "compared": saved.compared,
        "page": saved.page,
    }
    return Section("scored", "Scores", data)


def _means(saved: Saved) -> Grid:
    """Return the mean of every column for every system, with its standard deviation."""
    parts = [(str(system), part) for system, part in saved.scores.groupby("system", sort=False)]
    rows = [
        metric_row(saved, metric, [_mean(system, metric, part[metric]) for system, part in parts])
        for metric in saved.metrics
    ]
    columns = [Column(system or "all outputs", f"mean of {system or 'all outputs'}") for system, _ in parts]
    return Grid("score-means", "Mean of every column (standard deviation)", [], columns, rows)


def _mean(system: str, metric: str, values: Any) -> Cell:
    known = values.astype(float).dropna()
    mean = float(known.mean())
    tip = f"{metric}, {system or 'all outputs'}: mean of {count(len(known))}, {count(len(values) - len(known))} missing"
    note = f"({precise(float(known.std(ddof=0)))})" if len(known) else ""
    return Cell(Number(mean, precise(mean)), tip=tip, note=note)


def _outputs(saved: Saved, columns: Sequence[str]) -> list[Shown]:
    frame = saved.scores.head(SHOWN)
    return [
        Shown(
            str(line["system"]),
            str(line["mr"] or ""),
            str(line["output"]),
            tuple(Number(float(line[name]), precise(float(line[name]))) for name in columns),
        )
        for line in frame.to_dict("records")
    ]
