"""Outputs without ratings: means of main metrics by system, outputs with scores, and what more data would add."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rainbow.metrics.contract.facts import plain_sentence
from rainbow.reports.grid import ARROWS, Cell, Column, Grid, Row, metric_row
from rainbow.reports.number import Number, count, precise
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Section
from rainbow.reports.sections.preferred import preferences

SHOWN = 200  # outputs on the page; the table that can be taken out of it has all
LONG = 400  # letters; the page shows a longer output in a box that scrolls
MAIN = 5  # metrics next to each output
CONFIDENCE = 0.95
# The main metrics in the order of preference: those that need references, then those of any output.
PREFERRED = (
    *("rainbow_quality", "METEOR", "chrF++", "BLEU4", "ROUGE"),
    *("slots_realised", "len", "RE", "msp", "lm_mean"),
)
# What a column is called in a narrow table.
LABELS = {"rainbow_quality": "learned score", "ROUGE": "ROUGE-L", "len": "length", "RE": "reading ease"}
LABELS |= {"msp": "spelling errors", "slots_realised": "slots realised"}


class Shown(NamedTuple):
    """An output with its scores."""

    system: str
    mr: str
    output: str
    scores: tuple[Number, ...]

    @property
    def is_long(self) -> bool:
        """Whether the output needs a box that scrolls."""
        return len(self.output) > LONG


def section(
    saved: Saved, done: Sequence[str], left: Sequence[tuple[str, str]], taken: Sequence[tuple[str, ...]]
) -> Section:
    """Return means by system, outputs with scores, means of every column, notes, and what columns are taken as."""
    columns = _main(saved)
    data = {
        "done": done,
        "left": left,
        "taken": taken,
        "systems": _systems(saved, columns) if columns else None,
        "means": _means(saved) if saved.metrics else None,
        "preferences": preferences(saved),
        "columns": [_label(name) for name in columns],
        "outputs": _outputs(saved, columns),
        "several": len(saved.summary["systems"]) > 1,
        "all": count(len(saved.scores)),
        "compared": saved.compared,
        "page": saved.page,
    }
    return Section("scored", "Scores", data)


def _main(saved: Saved) -> list[str]:
    """Return the main metrics that some output has."""
    names = dict.fromkeys([*PREFERRED, *saved.metrics])
    return [name for name in names if name in saved.metrics and saved.scores[name].notna().any()][:MAIN]


def _label(name: str) -> str:
    return LABELS.get(name, name)


def _parts(saved: Saved) -> list[tuple[str, Any]]:
    return [(str(system), part) for system, part in saved.scores.groupby("system", sort=False)]


def _systems(saved: Saved, columns: Sequence[str]) -> Grid:
    """Return the mean of each main metric for every system, with half of its 95 % interval."""
    heads = [Column(_label(name), _title(saved, name)) for name in columns]
    rows = [
        Row(system or "all outputs", "", ("", ""), [_estimate(system, name, part) for name in columns])
        for system, part in _parts(saved)
    ]
    return Grid("score-systems", "Mean by system, ± half of a 95 % interval", [], heads, rows, corner="system")


def _title(saved: Saved, name: str) -> str:
    return "; ".join(filter(None, (name, plain_sentence(name).rstrip("."), ARROWS[saved.higher_is_better[name]][1])))


def _estimate(system: str, metric: str, part: Any) -> Cell:
    known = part[part[metric].notna()]
    values = known[metric].to_numpy(dtype=float)
    mean = float(values.mean()) if len(values) else math.nan
    half = _half_interval(values, known.groupby(["dataset", "item"], observed=True).ngroup().to_numpy())
    tip = f"{metric}, {system or 'all outputs'}: mean of {count(len(values))}, {count(len(part) - len(values))} missing"
    return Cell(Number(mean, precise(mean)), tip=tip, note="" if math.isnan(half) else f"± {precise(half)}")


def _half_interval(values: Any, items: Any) -> float:
    """Return half of the 95 % interval of a mean whose outputs for one item belong together; NaN for one item."""
    from scipy.stats import t

    groups = int(items.max(initial=-1)) + 1
    if groups < 2:
        return math.nan
    sums = np.bincount(items, values - values.mean())
    error = math.sqrt(groups / (groups - 1) * float(sums @ sums)) / len(values)
    return float(t.ppf((1 + CONFIDENCE) / 2, groups - 1)) * error


def _means(saved: Saved) -> Grid:
    """Return the mean of every column for every system, with its standard deviation."""
    parts = _parts(saved)
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
