"""System-level columns of metrics, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rainbow.metrics import Column, Metric, all_metrics


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
