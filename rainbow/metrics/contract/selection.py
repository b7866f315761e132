"""Which metrics, and which of their columns, are meant by what a user asks for."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import NamedTuple

from rainbow.metrics.contract.base import Metric, MissingResourceError
from rainbow.metrics.contract.registry import all_metrics, find, get

# What asks for every metric, those of extras too; large networks are asked for by name.
EVERYTHING = "all+extra"


class Selected(NamedTuple):
    """The columns asked for of a metric; where it cannot work on this machine, it is None and `missing` says why."""

    name: str
    columns: tuple[str, ...]
    metric: Metric | None
    missing: str = ""


def select(
    metrics: Iterable[str | Metric] | str | None, group: str | None = None, as_published: bool = False
) -> tuple[Selected, ...]:
    """Return the metrics and columns that are asked for, each metric once, in the order asked."""
    entries = _expanded(metrics)
    wanted: dict[type[Metric], set[str]] = {}
    for name in (entry for entry in entries if isinstance(entry, str)):
        metric = find(name)
        wanted.setdefault(metric, set()).update(_meant(name, metric))
    given = (entry for entry in entries if isinstance(entry, Metric))
    selected = [Selected(entry.name, column_names(entry), entry) for entry in given if group in (None, entry.group)]
    selected += [
        _instance(metric, columns, as_published, optional=metrics is None)
        for metric, columns in wanted.items()
        if group in (None, metric.group)
    ]
    _refuse_twice(selected)
    return tuple(selected)


def _expanded(metrics: Iterable[str | Metric] | str | None) -> list[str | Metric]:
    """Return what is asked for, with the names of all metrics in the place of :data:`EVERYTHING`."""
    if metrics is None:
        return [*_names_without("extra", "neural", "named")]
    expanded: list[str | Metric] = []
    for entry in [metrics] if isinstance(metrics, str) else metrics:
        expanded += _names_without("neural", "named") if entry == EVERYTHING else [entry]
    return expanded


def _names_without(*needs: str) -> list[str]:
    return [name for name, metric in all_metrics().items() if metric.needs.isdisjoint(needs)]


def column_names(metric: Metric | type[Metric]) -> tuple[str, ...]:
    """Return the names of the columns of a metric, in its order."""
    return tuple(column.name for column in metric.columns)


def _refuse_twice(selected: Iterable[Selected]) -> None:
    seen: set[str] = set()
    for entry in selected:
        if twice := sorted(seen & set(entry.columns)):
            raise ValueError(f"{twice[0]} is asked for twice: score metrics with other parameters one after the other")
        seen |= set(entry.columns)


def _meant(name: str, metric: type[Metric]) -> tuple[str, ...]:
    """Return the columns that a name means: one if it is written as that column, all if it is the metric's name."""
    if name in column_names(metric):
        return (name,)
    columns = tuple(column for column in column_names(metric) if column.lower() == name.lower())
    return column_names(metric) if name.lower() == metric.name.lower() else columns


def _instance(metric: type[Metric], columns: set[str], as_published: bool, optional: bool) -> Selected:
    chosen = tuple(column for column in column_names(metric) if column in columns)
    parameters = {field.name for field in dataclasses.fields(metric)}  # type: ignore[arg-type]
    published = {"as_published": True} if as_published and "as_published" in parameters else {}
    try:
        return Selected(metric.name, chosen, get(metric.name, **published))
    except MissingResourceError as error:
        if not optional:
            raise
        return Selected(metric.name, chosen, None, str(error))
