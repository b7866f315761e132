"""Outputs without ratings: means by system, and outputs with scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rainbow.base.lazy import scipy
from rainbow.metrics.contract.metric_card import plain_sentence
from rainbow.reports.grid import ARROWS, Cell, Column, Grid, Row, metric_row
from rainbow.reports.number_format import Number, format_count, format_precise
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.section import Section
from rainbow.reports.sections.metric_cards import metric_cards
from rainbow.reports.sections.rated_systems import preference_grid

SHOWN = 200  # outputs on the page; the table that can be taken out of it has all
LONG = 400  # letters; the page shows a longer output in a box that scrolls
MAIN = 5  # metrics next to each output
CONFIDENCE = 0.95
# The main metrics in the order of preference: those that need references, then those of any output.
PREFERRED = (
    *("rainbow_quality", "METEOR", "chrF++", "BLEU4", "ROUGE"),
    *("slots_realised", "len", "RE", "msp", "lm_mean"),
)
# Short column labels for a narrow table.
LABELS = {"rainbow_quality": "learned score", "ROUGE": "ROUGE-L", "len": "length", "RE": "reading ease"}
LABELS |= {"msp": "spelling errors", "slots_realised": "slots realised"}


def section(
    saved: SavedAnalysis, done: Sequence[str], left: Sequence[tuple[str, str]], taken: Sequence[tuple[str, ...]]
) -> Section:
    """Return means by system, outputs with scores, notes, and detected columns."""
    names = dict.fromkeys([*PREFERRED, *saved.metrics])
    columns = [name for name in names if name in saved.metrics and saved.scores[name].notna().any()][:MAIN]
    data = {
        "done": done,
        "left": left,
        "taken": taken,
        "systems": _system_grid(saved, columns) if columns else None,
        "means": _means_grid(saved) if saved.metrics else None,
        "cards": metric_cards(saved),
        "preferences": preference_grid(saved),
        "columns": [LABELS.get(name, name) for name in columns],
        "outputs": _output_list(saved, columns),
        "several": len(saved.summary["systems"]) > 1,
        "all": format_count(len(saved.scores)),
        "compared": saved.compared,
        "page": saved.page,
    }
    return Section("scored", "Scores", data)


def _dataset_parts(saved: SavedAnalysis) -> list[tuple[str, Any]]:
    return [(str(system), part) for system, part in saved.scores.groupby("system", sort=False)]


def _system_grid(saved: SavedAnalysis, columns: Sequence[str]) -> Grid:
    """Return the mean of each main metric per system, with half of its 95 % interval."""
    heads = [Column(LABELS.get(name, name), _column_title(saved, name)) for name in columns]
    rows = [
        Row(system or "all outputs", [_estimate_cell(system, name, part) for name in columns])
        for system, part in _dataset_parts(saved)
    ]
    return Grid("score-systems", "Mean by system, ± half of a 95 % interval", heads, rows, corner="system")


def _column_title(saved: SavedAnalysis, name: str) -> str:
    return "; ".join(filter(None, (name, plain_sentence(name).rstrip("."), ARROWS[saved.higher_is_better[name]][1])))


def _estimate_cell(system: str, metric: str, part: Any) -> Cell:
    known = part[part[metric].notna()]
    values = known[metric].to_numpy(dtype=float)
    half = _half_interval(values, known.groupby(["dataset", "item"], observed=True).ngroup().to_numpy())
    return _mean_cell(system, metric, part, "" if math.isnan(half) else f"± {format_precise(half)}")


def _mean_cell(system: str, metric: str, part: Any, note: str) -> Cell:
    known = part[metric].astype(float).dropna()
    mean = float(known.mean())
    tip = (
        f"{metric}, {system or 'all outputs'}: mean of {format_count(len(known))}, "
        f"{format_count(len(part) - len(known))} missing"
    )
    return Cell(Number(mean, format_precise(mean)), tip=tip, note=note)


def _half_interval(values: Any, items: Any) -> float:
    """Return half of the 95 % interval of a mean clustered by item; NaN for one item."""
    groups = int(items.max(initial=-1)) + 1
    if groups < 2:
        return math.nan
    sums = np.bincount(items, values - values.mean())
    error = math.sqrt(groups / (groups - 1) * float(sums @ sums)) / len(values)
    return float(scipy.stats.t.ppf((1 + CONFIDENCE) / 2, groups - 1)) * error


def _means_grid(saved: SavedAnalysis) -> Grid:
    """Return mean and standard deviation of every column per system."""
    parts = _dataset_parts(saved)
    rows = [
        metric_row(saved, metric, [_deviation_cell(system, metric, part) for system, part in parts])
        for metric in saved.metrics
    ]
    columns = [Column(system or "all outputs", f"mean of {system or 'all outputs'}") for system, _ in parts]
    return Grid("score-means", "Mean of every column (standard deviation)", columns, rows)


def _deviation_cell(system: str, metric: str, part: Any) -> Cell:
    deviation = float(part[metric].astype(float).std(ddof=0))
    return _mean_cell(system, metric, part, "" if math.isnan(deviation) else f"({format_precise(deviation)})")


def _output_list(saved: SavedAnalysis, columns: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "system": str(line["system"]),
            "mr": str(line["mr"] or ""),
            "output": str(line["output"]),
            "scores": [Number(float(line[name]), format_precise(float(line[name]))) for name in columns],
            "is_long": len(str(line["output"])) > LONG,
        }
        for line in saved.scores.head(SHOWN).to_dict("records")
    ]
