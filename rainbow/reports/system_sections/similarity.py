"""How alike the systems write."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.reports.clustering import neighbours_first
from rainbow.reports.figures.matrices import similarity_matrix
from rainbow.reports.grid import Cell, Column, Grid, Row, coloured, empty, limit_of
from rainbow.reports.number import Number, fixed, precise
from rainbow.reports.saved.saved_systems import Compared, SavedSystems
from rainbow.reports.section import Figure, Section
from rainbow.reports.system_sections.columns import plain_name, told
from rainbow.systems.corpus_scores.average import AVERAGE


class _Block(NamedTuple):
    """What is shown of a dataset."""

    part: Compared
    figure: str
    means: Grid
    matrix: Grid


def section(saved: SavedSystems) -> Section:
    """Return the matrix of similarities, similar systems side by side, and the mean of each with the others."""
    blocks = [
        _Block(part, f"similarity{part.suffix}", _means(saved, part), _matrix(saved, part)) for part in saved.parts
    ]
    data = {"blocks": blocks, "metrics": [name for name in _metrics(saved) if name != AVERAGE]}
    return Section("systems-similarity", "How alike they write", data, [_figure(saved, part) for part in saved.parts])


def _metrics(saved: SavedSystems) -> list[str]:
    names = dict.fromkeys(saved.tables["similarity_means"]["metric"])
    return sorted(names, key=lambda name: name != AVERAGE)


def _lines(saved: SavedSystems, part: Compared) -> dict[tuple[str, str], Any]:
    return saved.lookup("similarity", "system", "reference_system", metric=AVERAGE, **part.wanted)


def _clustered(saved: SavedSystems, part: Compared) -> tuple[list[str], FloatArray]:
    """Return the systems, neighbours first, and their similarities in that order, NaN on the diagonal."""
    lines, names = _lines(saved, part), saved.systems(part)
    values = np.array([[_value(lines, other, system) for other in names] for system in names])
    order = neighbours_first(np.where(np.eye(len(names), dtype=bool), 1.0, np.nan_to_num(values)))
    return [names[place] for place in order], values[np.ix_(order, order)]


def _value(lines: dict[tuple[str, str], Any], system: str, other: str) -> float:
    return float(lines[system, other].value) if (system, other) in lines else float("nan")


def _figure(saved: SavedSystems, part: Compared) -> Figure:
    names, values = _clustered(saved, part)
    lines = saved.lookup("similarity_means", "system", metric=AVERAGE, **part.wanted)
    return Figure(
        f"similarity{part.suffix}",
        f"How alike the outputs of every two systems are{part.where}: the mean of the metrics, with the row's "
        "outputs as references of the column's. Systems that write alike stand side by side.",
        "Matrix of similarities of systems, and bars of their means; the numbers are in the tables that follow.",
        partial(similarity_matrix, names, values, [lines[name].value for name in names], limit_of(values.ravel())),
    )


def _matrix(saved: SavedSystems, part: Compared) -> Grid:
    names, values = _clustered(saved, part)
    lines, limit = _lines(saved, part), limit_of(values.ravel())
    rows = [
        Row(system, "", ("", ""), [_pair(saved, lines.get((other, system)), limit) for other in names])
        for system in names
    ]
    columns = [Column(name, f"outputs of {name}, scored with the row's as references") for name in names]
    caption = f"Similarity of the column's outputs with the row's, which are the references{part.where}"
    return Grid(f"similarity{part.suffix}", caption, [], columns, rows, corner="system")


def _pair(saved: SavedSystems, line: Any, limit: float) -> Cell:
    if line is None:
        return Cell(Number(float("nan"), ""))
    subject = f"{line.system} with {line.reference_system} for reference"
    if line.value != line.value:
        return empty(f"{subject}: not computed")
    number = saved.number("similarity", line.Index, "value", fixed)
    return Cell(number, coloured(line.value, limit), tip=f"{subject}: {fixed(line.value, 3)}")


def _means(saved: SavedSystems, part: Compared) -> Grid:
    metrics = _metrics(saved)
    lines = saved.lookup("similarity_means", "metric", "system", **part.wanted)
    systems = sorted(saved.systems(part), key=lambda name: -lines[AVERAGE, name].value)
    rows = [
        Row(system, "", ("", ""), [_mean(saved, lines[metric, system]) for metric in metrics]) for system in systems
    ]
    columns = [
        Column(plain_name(metric), f"mean of all other systems with this one's outputs as references; {told(metric)}")
        for metric in metrics
    ]
    caption = f"Mean similarity of every system with all others{part.where}"
    return Grid(f"similarity-means{part.suffix}", caption, [], columns, rows, corner="system")


def _mean(saved: SavedSystems, line: Any) -> Cell:
    number = saved.number("similarity_means", line.Index, "value", precise)
    return Cell(number, tip=f"{line.system}, {plain_name(line.metric)}: {number.text} on average")
