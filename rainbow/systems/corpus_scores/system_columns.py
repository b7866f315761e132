"""System-level columns of metrics, by name, and their normalised average."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.metrics import Column, Metric, all_metrics
from rainbow.systems.corpus_scores.segment_sums import SegmentSums

AVERAGE = "normalised_average"
# The metrics of the E2E challenge under their names in its table, and the value that counts as 1. Its CIDEr is CIDEr-D.
PARTS = {"BLEU": 1.0, "NIST": 10.0, "METEOR": 1.0, "ROUGE-L": 1.0, "CIDEr": 10.0}


def normalised_average(scores: Mapping[str, FloatArray]) -> FloatArray:
    """Return the mean of the available :data:`PARTS`, each scaled by its maximum and capped at 1.

    Source: Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural
    language generation: the E2E NLG challenge. Computer Speech & Language 59.
    """
    parts = [np.minimum(scores[name] / top, 1.0) for name, top in PARTS.items() if name in scores]
    return np.asarray(np.mean(parts, axis=0))


def average_sums(sums_of_metrics: Mapping[str, SegmentSums]) -> SegmentSums:
    """Return the segment sums of the normalised average, from the sums of its parts."""
    parts = {name: sums_of_metrics[name] for name in PARTS}
    edges = [*accumulate(part.sums.shape[-1] for part in parts.values())][:-1]

    def score_sums(sums: FloatArray) -> FloatArray:
        pieces = zip(parts.items(), np.split(sums, edges, axis=-1), strict=True)
        return normalised_average({name: np.asarray(part.score_sums(piece)) for (name, part), piece in pieces})

    return SegmentSums(np.concatenate([part.sums for part in parts.values()], axis=-1), score_sums)


class SystemColumn(NamedTuple):
    """A system-level column and its metric."""

    column: Column
    metric: Metric


def system_columns(metrics: Iterable[str | Metric] | None = None) -> dict[str, SystemColumn]:
    """Return the requested system-level columns by name, in the order requested."""
    known = _index_columns(
        column for metric in all_metrics().values() if metric.system_columns for column in _metric_columns(metric())
    )
    if metrics is None:
        return known
    chosen: list[SystemColumn] = []
    for entry in metrics:
        if isinstance(entry, str) and entry not in known:
            raise ValueError(f"no corpus-level metric gives {entry!r}: choose from {', '.join(known)}")
        chosen += [known[entry]] if isinstance(entry, str) else _metric_columns(entry)
    return _index_columns(chosen)


def _metric_columns(metric: Metric) -> list[SystemColumn]:
    return [SystemColumn(column, metric) for column in metric.system_columns]


def _index_columns(columns: Iterable[SystemColumn]) -> dict[str, SystemColumn]:
    result: dict[str, SystemColumn] = {}
    for one in columns:
        name, first = one.column.name, result.setdefault(one.column.name, one)
        if first != one:
            raise ValueError(f"{one.metric.name}: {name} is already defined by {first.metric.name}")
    return result
