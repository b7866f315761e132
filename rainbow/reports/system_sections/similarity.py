"""Similarity of systems' outputs."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.reports.figures.matrices import similarity_matrix
from rainbow.reports.grid import Cell, Column, Grid, Measure, Row, colour_limit
from rainbow.reports.number_format import Number
from rainbow.reports.orders import leaf_order
from rainbow.reports.saved.saved_systems import ComparedDataset, SavedSystems
from rainbow.reports.section import Figure, Section
from rainbow.reports.system_sections.column_labels import describe_metric, plain_name
from rainbow.systems.corpus_scores.metric_average import AVERAGE

_SUBJECT = "{system} with {reference_system} as reference: "
PAIR = Measure("value", "fixed", _SUBJECT + "{value:fixed3}", reason=_SUBJECT + "not computed", centre=0)
MEAN = Measure("value", "precise", "{system}, {named}: {value:precise} on average")


def section(saved: SavedSystems) -> Section:
    """Return the clustered similarity matrix and row means."""
    blocks = [
        {
            "part": part,
            "figure": f"similarity{part.suffix}",
            "means": _means_grid(saved, part),
            "matrix": _matrix_grid(saved, part),
        }
        for part in saved.parts
    ]
    data = {"blocks": blocks, "metrics": [name for name in _similarity_metrics(saved) if name != AVERAGE]}
    return Section(
        "systems-similarity", "Similarity of systems", data, [_matrix_figure(saved, part) for part in saved.parts]
    )


def _similarity_metrics(saved: SavedSystems) -> list[str]:
    names = dict.fromkeys(saved.tables["similarity_means"]["metric"])
    return sorted(names, key=lambda name: name != AVERAGE)


def _similarity_rows(saved: SavedSystems, part: ComparedDataset) -> dict[tuple[str, str], Any]:
    return saved.lookup("similarity", "system", "reference_system", metric=AVERAGE, **part.filters)


def _clustered_systems(saved: SavedSystems, part: ComparedDataset) -> tuple[list[str], FloatArray]:
    """Return the systems in cluster order and their similarities, NaN on the diagonal."""
    lines, names = _similarity_rows(saved, part), saved.systems(part)
    values = np.array([[_similarity(lines, other, system) for other in names] for system in names])
    order = leaf_order(np.where(np.eye(len(names), dtype=bool), 1.0, np.nan_to_num(values)))
    return [names[place] for place in order], values[np.ix_(order, order)]


def _similarity(lines: dict[tuple[str, str], Any], system: str, other: str) -> float:
    return float(lines[system, other].value) if (system, other) in lines else float("nan")


def _matrix_figure(saved: SavedSystems, part: ComparedDataset) -> Figure:
    names, values = _clustered_systems(saved, part)
    lines = saved.lookup("similarity_means", "system", metric=AVERAGE, **part.filters)
    return Figure(
        f"similarity{part.suffix}",
        f"Similarity of the outputs of every two systems{part.where}: the mean of the metrics, with the row's "
        "outputs as references for the column's. Similar systems are next to each other.",
        "Matrix of similarities of systems, and bars of their means; numbers in the next tables.",
        partial(similarity_matrix, names, values, [lines[name].value for name in names], colour_limit(values.ravel())),
    )


def _matrix_grid(saved: SavedSystems, part: ComparedDataset) -> Grid:
    names, values = _clustered_systems(saved, part)
    lines, limit = _similarity_rows(saved, part), colour_limit(values.ravel())
    blank = Cell(Number(math.nan, ""))
    rows = [
        Row(system, [PAIR.cell(lines[other, system], limit) if (other, system) in lines else blank for other in names])
        for system in names
    ]
    columns = [Column(name, f"outputs of {name}, scored with the row's outputs as references") for name in names]
    caption = f"Similarity of the column's outputs to the row's, which are the references{part.where}"
    return Grid(f"similarity{part.suffix}", caption, columns, rows, corner="system")


def _means_grid(saved: SavedSystems, part: ComparedDataset) -> Grid:
    metrics = _similarity_metrics(saved)
    lines = saved.lookup("similarity_means", "metric", "system", **part.filters)
    systems = sorted(saved.systems(part), key=lambda name: -lines[AVERAGE, name].value)
    rows = [
        Row(system, [MEAN.cell(lines[metric, system], named=plain_name(metric)) for metric in metrics])
        for system in systems
    ]
    columns = [
        Column(
            plain_name(metric),
            f"mean over all other systems with this one's outputs as references; {describe_metric(metric)}",
        )
        for metric in metrics
    ]
    caption = f"Mean similarity of every system to all others{part.where}"
    return Grid(f"similarity-means{part.suffix}", caption, columns, rows, corner="system")
