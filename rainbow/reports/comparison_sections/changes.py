"""Changes for the same inputs: mean ratings, mean scores and metric definitions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rainbow.analysis.run_comparison import compare_outputs
from rainbow.reports.comparison_sections.datasets import Datasets, Overlap, find_overlap, input_names
from rainbow.reports.grid import ARROWS, SIGNIFICANT, Cell, Column, Grid, Row, metric_row
from rainbow.reports.number_format import (
    MINUS,
    Number,
    NumberFormat,
    format_count,
    format_fixed,
    format_interval,
    format_p_value,
    format_precise,
    format_range,
)
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.section import Section

# Scores nearer to each other than this, relative to the greater, are equal but for rounding.
ROUNDING = 1e-9


class Change(NamedTuple):
    """Differences of a dataset from the first one for shared inputs."""

    name: str
    shared: Overlap
    lines: Mapping[str, Any]  # by rating and metric: a row of what `no_worse` gives, with `changed` outputs
    people: dict[str, list[str]]  # ratings whose mean differs significantly, by how
    metrics: dict[str, list[str]]  # metrics whose mean does
    untold: int  # ratings and metrics that differ, but not significantly
    equal: list[str]  # those of which nothing changed
    computed: list[tuple[str, str, list[str]]]  # what signatures had and have, and of which metrics


def section(datasets: Datasets, changes: Sequence[Change]) -> Section:
    """Return the means on the first dataset and on others with the same inputs, with differences."""
    changes = [change for change in changes if change.shared.inputs]
    everywhere = set.intersection(*({*change.equal} for change in changes))
    names = [name for name in (*datasets.ratings, *datasets.metrics) if name not in everywhere]
    heads = [head for change in changes for head in _column_heads(change, datasets.first.name)]
    spans = [(change.name, 3 + change.shared.outputs) for change in changes] if len(changes) > 1 else []
    rows = [_change_row(datasets, name, changes) for name in names]
    caption = f"Means over the inputs that {datasets.first.name} shares with the others"
    grid = Grid("changes", caption, heads, rows, spans=spans)
    data = {"grid": grid if rows else None, "changes": changes, "equal": sorted(everywhere)}
    return Section("comparison-changes", "What changed", data)


def _column_heads(change: Change, first: str) -> list[Column]:
    difference = f"{change.name} {MINUS} {first}"
    heads = [Column(name, f"{name}, mean over common inputs") for name in (first, change.name)]
    heads.append(Column(difference, f"{difference}, with its 95 % interval"))
    return heads + [Column("changed", f"{change.name}, outputs whose score changed")] * change.shared.outputs


def _change_row(datasets: Datasets, name: str, changes: Sequence[Change]) -> Row:
    form = _number_format([change.lines[name] for change in changes])
    cells = [
        cell for change in changes for cell in _change_cells(change, change.lines[name], datasets.first.name, form)
    ]
    if name in datasets.ratings:
        return Row(name, cells, "rating", ARROWS[True])
    return metric_row(datasets.first, name, cells)


def _number_format(lines: Sequence[Any]) -> NumberFormat:
    """Return the number format of a row: two digits of the narrowest half interval."""
    halves = [(line.high - line.low) / 2 for line in lines if line.high > line.low]
    return (
        partial(format_fixed, digits=min(6, max(0, 1 - math.floor(math.log10(min(halves))))))
        if halves
        else format_precise
    )


def _change_cells(change: Change, line: Any, first: str, form: NumberFormat) -> Iterator[Cell]:
    for name, mean in ((first, line.before), (change.name, line.now)):
        yield Cell(Number(mean, form(mean)), tip=f"{line.metric}, {name}: {format_precise(mean)}")
    yield _difference_cell(line, f"{line.metric}, {change.name} minus {first}", form)
    if change.shared.outputs:
        yield Cell(Number(line.changed, format_count(line.changed)), tip=f"{line.metric}: outputs whose score changed")


def _difference_cell(line: Any, subject: str, form: NumberFormat) -> Cell:
    shown = form(line.difference)
    number = Number(line.difference, "+" * (line.difference > 0 and shown != form(0)) + shown)
    known = (
        f"p = {format_p_value(line.p)}, {format_p_value(line.p_holm)} after Holm" if line.p == line.p else line.reason
    )
    ends = format_interval(line.low, line.high, format_precise)
    tip = f"{subject}: {format_precise(line.difference)}, {ends}, {format_count(line.n)} inputs, {known}"
    mark = "**" if _is_significant(line) else "*" if line.p < SIGNIFICANT else ""
    return Cell(number, "", mark, tip, format_range(line.low, line.high, form))


def find_change(datasets: Datasets, other: SavedAnalysis) -> Change:
    """Return how a dataset differs from the first."""
    first, common = datasets.first, find_overlap(datasets.first.scores, other.scores)
    people, metrics = (
        ({}, {})
        if not common.inputs
        else (_mean_rows(first, other, names, common.outputs) for names in (datasets.ratings, datasets.metrics))
    )
    lines = {**people, **metrics}
    equal = [name for name, line in lines.items() if not line.difference and not line.changed]
    sure = [name for name, line in lines.items() if name not in equal and _is_significant(line)]
    # The same outputs are not better because they are scored in another way.
    better = dict.fromkeys(metrics) if common.outputs else first.higher_is_better
    return Change(
        other.name,
        common,
        lines,
        people=_names_by_direction([people[name] for name in people if name in sure], dict.fromkeys(people)),
        metrics=_names_by_direction([metrics[name] for name in metrics if name in sure], better),
        untold=len(lines) - len(sure) - len(equal),
        equal=equal,
        computed=_signature_changes(first, other, datasets.metrics),
    )


def _names_by_direction(lines: Sequence[Any], higher_is_better: Mapping[str, bool | None]) -> dict[str, list[str]]:
    """Return names grouped by how their means differ: better, worse, higher or lower."""
    words = {True: ("better", "worse"), False: ("worse", "better"), None: ("higher", "lower")}
    by_direction: dict[str, list[str]] = {word: [] for word in ("better", "worse", "higher", "lower")}
    for line in lines:
        by_direction[words[higher_is_better[line.metric]][line.difference < 0]].append(line.metric)
    return {word: names for word, names in by_direction.items() if names}


def _is_significant(line: Any) -> bool:
    """Return whether a mean differs; equal differences for all inputs count although p is undefined."""
    return bool(line.p_holm < SIGNIFICANT or (line.p != line.p and line.n > 1 and abs(line.difference) > 0))


def _mean_rows(first: SavedAnalysis, other: SavedAnalysis, names: Sequence[str], same_outputs: bool) -> dict[str, Any]:
    """Return means over shared inputs and the number of changed outputs; p-values form one family."""
    now, before = (side.scores.assign(item=input_names(side.scores)) for side in (other, first))
    table = compare_outputs(now, before, dict.fromkeys(names, True))
    changed = [_count_changed(now[name], before[name]) if same_outputs else 0 for name in names]
    return {str(line.metric): line for line in table.assign(changed=changed).itertuples()}


def _count_changed(now: Any, before: Any) -> int:
    one, other = (column.to_numpy(dtype=float, na_value=np.nan) for column in (now, before))
    return int((~np.isclose(one, other, rtol=ROUNDING, atol=ROUNDING, equal_nan=True)).sum())


def _signature_changes(
    first: SavedAnalysis, other: SavedAnalysis, metrics: Sequence[str]
) -> list[tuple[str, str, list[str]]]:
    """Return the differences between metric signatures."""
    result: dict[tuple[str, str], list[str]] = {}
    for metric in metrics:
        before, now = (side.about.signatures.get(metric, "").split("|") for side in (first, other))
        had, has = ([part for part in own if part not in others] for own, others in ((before, now), (now, before)))
        if had or has:
            result.setdefault((", ".join(had), ", ".join(has)), []).append(metric)
    return [(*parts, names) for parts, names in result.items()]
