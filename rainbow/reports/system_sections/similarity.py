"""Similarity of systems' outputs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from rainbow.reports.figures.matrices import similarity_matrix
from rainbow.reports.grid import Cell, Column, Grid, Measure, Row, colour_limit
from rainbow.reports.number_format import Number
from rainbow.reports.orders import leaf_order
from rainbow.reports.saved.saved_systems import ComparedDataset, SavedSystems
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Figure, Section, block_section
from rainbow.reports.system_sections.corpus_metrics import describe_metric, plain_name
from rainbow.systems.corpus_scores.segment_sums import AVERAGE

_SUBJECT = "{system} with {reference_system} as reference: "
PAIR = Measure("value", "fixed", _SUBJECT + "{value:fixed3}", reason=_SUBJECT + "not computed", centre=0)
MEAN = Measure("value", "precise", "{system}, {named}: {value:precise} on average")


def section(saved: SavedSystems) -> Section:
    """Return the clustered similarity matrix and row means."""
    metrics = sorted(dict.fromkeys(saved.tables["similarity_means"]["metric"]), key=lambda name: name != AVERAGE)
    blocks = [_block(saved, part, metrics) for part in saved.parts]
    named = [name for name in metrics if name != AVERAGE]
    return block_section("systems-similarity", "Similarity of systems", blocks, metrics=named)


def _block(saved: SavedSystems, part: ComparedDataset, metrics: Sequence[str]) -> dict[str, Any]:
    lines, means = (
        saved.lookup("similarity", "system", "reference_system", metric=AVERAGE, **part.filters),
        saved.lookup("similarity_means", "metric", "system", **part.filters),
    )
    names = saved.systems(part)
    known = {pair: float(line.value) for pair, line in lines.items()}
    values = np.array([[known.get((other, system), math.nan) for other in names] for system in names])
    order = leaf_order(np.where(np.eye(len(names), dtype=bool), 1.0, np.nan_to_num(values)))
    names, values = [names[place] for place in order], values[np.ix_(order, order)]
    limit = colour_limit(values.ravel())
    figure = Figure(
        f"similarity{part.suffix}",
        f"Similarity of the outputs of every two systems{part.where}: the mean of the metrics, with the row's "
        "outputs as references for the column's. Similar systems are next to each other.",
        "Matrix of similarities of systems, and bars of their means; numbers in the next tables.",
        partial(similarity_matrix, names, values, [means[AVERAGE, name].value for name in names], limit),
    )
    matrix = _matrix_grid(lines, names, limit, part)
    return {"part": part, "figure": figure, "means": _means_grid(saved, means, metrics, part), "matrix": matrix}


def _matrix_grid(lines: Mapping[Any, SavedRow], names: Sequence[str], limit: float, part: ComparedDataset) -> Grid:
    blank = Cell(Number(math.nan, ""))
    rows = [
        Row(system, [PAIR.cell(lines[other, system], limit) if (other, system) in lines else blank for other in names])
        for system in names
    ]
    columns = [Column(name, f"outputs of {name}, scored with the row's outputs as references") for name in names]
    caption = f"Similarity of the column's outputs to the row's, which are the references{part.where}"
    return Grid(f"similarity{part.suffix}", caption, columns, rows, corner="system")


def _means_grid(
    saved: SavedSystems, lines: Mapping[Any, SavedRow], metrics: Sequence[str], part: ComparedDataset
) -> Grid:
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
