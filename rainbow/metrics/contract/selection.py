"""Which metrics, and which of their columns, are meant by what a user asks for."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import NamedTuple

from rainbow.metrics.contract.base import Metric, MissingResourceError
from rainbow.metrics.contract.registry import all_metrics, find, get

__all__ = ["EVERYTHING", "Selected", "select"]

# What asks for every metric, those of extras too; large networks are asked for by name.
EVERYTHING = "all+extra"


class Selected(NamedTuple):
    """A metric and those of its columns that are asked for; `missing` says why it cannot work here."""

    metric: Metric | type[Metric]
    columns: tuple[str, ...]
    missing: str | None = None


def select(
    metrics: Iterable[str | Metric] | str | None, group: str | None = None, as_published: bool = False
) -> tuple[Selected, ...]:
    """Return the metrics and columns that are asked for, each metric once, in the order asked.

    Parameters
    ----------
    metrics, group, as_published
        As in :func:`rainbow.scoring.score_corpus.score_corpus`.

    Raises
    ------
    ValueError
        If there is no such metric, or two would give the same column.
    MissingResourceError
        If a metric that was asked for by name cannot work on this machine.

    Examples
    --------
    >>> [(chosen.metric.name, chosen.columns) for chosen in select(["BLEU4", "ter"])]
    [('bleu', ('BLEU4',)), ('ter', ('TER',))]
    """
    optional = metrics is None
    entries = _expanded([metrics] if isinstance(metrics, str) else list(_usual() if metrics is None else metrics))
    selected = [Selected(entry, column_names(entry)) for entry in entries if isinstance(entry, Metric)]
    wanted: dict[type[Metric], list[str]] = {}
    for name in (entry for entry in entries if isinstance(entry, str)):
        metric = find(name)
        wanted.setdefault(metric, []).extend(_meant(name, metric))
    selected += [_instance(metric, tuple(columns), as_published, optional) for metric, columns in wanted.items()]
    chosen = tuple(entry for entry in selected if group in (None, entry.metric.group))
    _refuse_twice(chosen)
    return chosen


def _usual() -> list[str]:
    """Name the metrics of the bare package: what is scored must not depend on which extras happen to be installed."""
    return [name for name, metric in all_metrics().items() if not metric.needs & {"extra", "neural"}]


def _without_networks() -> list[str]:
    return [name for name, metric in all_metrics().items() if "neural" not in metric.needs]


def _expanded(entries: Iterable[str | Metric]) -> list[str | Metric]:
    """Return the entries with the names of all metrics in the place of :data:`EVERYTHING`."""
    expanded: list[str | Metric] = []
    for entry in entries:
        expanded += _without_networks() if entry == EVERYTHING else [entry]
    return expanded


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


def _instance(metric: type[Metric], columns: tuple[str, ...], as_published: bool, optional: bool) -> Selected:
    published = {"as_published": True} if as_published and _has_parameter(metric, "as_published") else {}
    try:
        return Selected(get(metric.name, **published), columns)
    except MissingResourceError as error:
        if optional:
            return Selected(metric, columns, str(error))
        raise


def _has_parameter(metric: type[Metric], name: str) -> bool:
    return name in {field.name for field in dataclasses.fields(metric)}  # type: ignore[arg-type]
