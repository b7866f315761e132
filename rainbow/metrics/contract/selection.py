"""Selection of metrics and columns by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from rainbow.metrics.contract.base import Metric, MissingResourceError
from rainbow.metrics.contract.registry import all_metrics, find, get
from rainbow.text.languages.detection import language_name

# Name that selects every metric including extras; large networks must be named explicitly.
EVERYTHING = "all+extra"


class SelectedMetric(NamedTuple):
    """Selected columns of a metric; if it is unavailable, `metric` is None and `missing` says why."""

    name: str
    columns: tuple[str, ...]
    metric: Metric | None
    missing: str = ""


def select_metrics(
    metrics: Iterable[str | Metric] | str | None, group: str | None = None, as_published: bool = False
) -> tuple[SelectedMetric, ...]:
    """Return the selected metrics and columns, each metric once, in the order requested."""
    entries = _expand_names(metrics)
    wanted: dict[type[Metric], set[str]] = {}
    for name in (entry for entry in entries if isinstance(entry, str)):
        metric = find(name)
        wanted.setdefault(metric, set()).update(_matching_columns(name, metric))
    given = (entry for entry in entries if isinstance(entry, Metric))
    selected = [
        SelectedMetric(entry.name, column_names(entry), entry) for entry in given if group in (None, entry.group)
    ]
    selected += [
        _select_instance(metric, columns, as_published, optional=metrics is None)
        for metric, columns in wanted.items()
        if group in (None, metric.group)
    ]
    _check_duplicates(selected)
    return tuple(selected)


def restrict_to_language(selected: Iterable[SelectedMetric], language: str | None) -> tuple[SelectedMetric, ...]:
    """Return the selection made for a language; scores of metrics that do not know it are missing, with the reason."""
    return tuple(made for entry in selected for made in _make_for_language(entry, entry.metric, language))


def _make_for_language(entry: SelectedMetric, metric: Metric | None, language: str | None) -> Iterator[SelectedMetric]:
    if metric is None:
        yield entry
        return
    problems = {column: language_problem(metric.known_languages(column), language) for column in entry.columns}
    if defined := tuple(column for column, problem in problems.items() if not problem):
        yield entry._replace(columns=defined, metric=metric.for_language(language))
    for reason in dict.fromkeys(filter(None, problems.values())):
        columns = tuple(column for column, problem in problems.items() if problem == reason)
        yield entry._replace(columns=columns, metric=None, missing=reason)


def language_problem(languages: Set[str], language: str | None) -> str:
    """Return why a metric of these languages cannot score another; empty if it can."""
    if language is None or not languages or language in languages:
        return ""
    known = language_name(*languages) if len(languages) == 1 else f"{len(languages)} languages"
    return f"it knows {known} only, and the outputs are {language_name(language)}"


def _expand_names(metrics: Iterable[str | Metric] | str | None) -> list[str | Metric]:
    """Return the requested metrics, with :data:`EVERYTHING` replaced by all metric names."""
    if metrics is None:
        return [*_metrics_without_needs("extra", "neural", "named")]
    expanded: list[str | Metric] = []
    for entry in [metrics] if isinstance(metrics, str) else metrics:
        expanded += _metrics_without_needs("neural", "named") if entry == EVERYTHING else [entry]
    return expanded


def _metrics_without_needs(*needs: str) -> list[str]:
    """Return the names of the metrics that have none of these needs."""
    return [name for name, metric in all_metrics().items() if metric.needs.isdisjoint(needs)]


def column_names(metric: Metric | type[Metric]) -> tuple[str, ...]:
    """Return the column names of a metric, in order."""
    return tuple(column.name for column in metric.columns)


def _check_duplicates(selected: Iterable[SelectedMetric]) -> None:
    """Raise ValueError if a column is selected twice."""
    seen: set[str] = set()
    for entry in selected:
        if twice := sorted(seen & set(entry.columns)):
            raise ValueError(
                f"{twice[0]} is selected twice: to use a metric with other parameters, score them separately"
            )
        seen |= set(entry.columns)


def _matching_columns(name: str, metric: type[Metric]) -> tuple[str, ...]:
    """Return the columns a name refers to: one column, or all if it is a metric name."""
    if name in column_names(metric):
        return (name,)
    columns = tuple(column for column in column_names(metric) if column.lower() == name.lower())
    return column_names(metric) if name.lower() == metric.name.lower() else columns


def _select_instance(metric: type[Metric], columns: set[str], as_published: bool, optional: bool) -> SelectedMetric:
    """Create the metric and return its selected columns."""
    chosen = tuple(column for column in column_names(metric) if column in columns)
    parameters = {field.name for field in dataclasses.fields(metric)}  # type: ignore[arg-type]
    published = {"as_published": True} if as_published and "as_published" in parameters else {}
    try:
        return SelectedMetric(metric.name, chosen, get(metric.name, **published))
    except MissingResourceError as error:
        if not optional:
            raise
        return SelectedMetric(metric.name, chosen, None, str(error))
