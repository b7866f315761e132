"""Registry of metrics: those of this package and those registered by others."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib.metadata import entry_points
from typing import Any, TypeVar, get_args

from rainbow.metrics.contract.base import LANGUAGE, Column, Group, Metric, MissingResourceError
from rainbow.text.languages.detection import ENGLISH, language_name, validate_language

MetricClass = TypeVar("MetricClass", bound=type[Metric])

_METRICS: dict[str, type[Metric]] = {}


def register(metric: MetricClass) -> MetricClass:
    """Register a metric class under its name; use as a decorator.

    Other packages list their modules under the entry-point group ``rainbow.metrics``.

    Parameters
    ----------
    metric : type
        Subclass of :class:`Metric`.

    Raises
    ------
    ValueError
        If another metric has the same name or a column of the same name.

    Examples
    --------
    >>> from rainbow.metrics import get, register
    >>> register(type(get("ter"))).name
    'ter'
    """
    for other in _METRICS.values():
        taken = _names(other) & _names(metric)
        same = (other.__module__, other.__qualname__) == (metric.__module__, metric.__qualname__)
        if taken and not same:
            raise ValueError(f"{metric.__qualname__}: {', '.join(sorted(taken))} is already defined by {other.name}")
    _METRICS[metric.name] = metric
    return metric


def _names(metric: type[Metric]) -> set[str]:
    return {metric.name, *(column.name for column in metric.columns)}


def all_metrics() -> dict[str, type[Metric]]:
    """Return every registered metric class by name, ordered by group and name.

    Examples
    --------
    >>> list(all_metrics())[:3]
    ['bertscore', 'bleu', 'chrf']
    """
    _import_metrics()
    groups = get_args(Group)
    return dict(sorted(_METRICS.items(), key=lambda item: (groups.index(item[1].group), item[0])))


def all_columns() -> dict[str, tuple[Column, Group]]:
    """Return every column of the registered metrics by name, with its metric's group."""
    return {column.name: (column, metric.group) for metric in all_metrics().values() for column in metric.columns}


def word_columns(columns: Iterable[str]) -> list[str]:
    """Return the columns, of outputs or systems, whose metrics compare words."""
    metrics = [metric for metric in all_metrics().values() if metric.compares_words]
    known = {column.name for metric in metrics for column in (*metric.columns, *metric.system_columns)}
    return [name for name in columns if name in known]


@cache
def _import_metrics() -> None:
    """Import all metric modules and the metric entry points of other packages."""
    package = importlib.import_module("rainbow.metrics")
    for module in pkgutil.walk_packages(package.__path__, "rainbow.metrics."):
        importlib.import_module(module.name)
    for entry in entry_points(group="rainbow.metrics"):
        entry.load()


def find(name: str) -> type[Metric]:
    """Return the metric class with this name or column name, ignoring case.

    Parameters
    ----------
    name : str
        Name of a metric or column.

    Raises
    ------
    ValueError
        If there is none; the message suggests the closest name.

    Examples
    --------
    >>> find("bleu4").name
    'bleu'
    """
    known = all_metrics()
    by_name = {column.name.lower(): metric for metric in known.values() for column in metric.columns}
    by_name |= {metric.name.lower(): metric for metric in known.values()}
    if name.lower() in by_name:
        return by_name[name.lower()]
    near = difflib.get_close_matches(name.lower(), by_name, n=1)
    hint = f" did you mean {near[0]}?" if near else ""
    raise ValueError(f"unknown metric {name!r}:{hint} run `rainbow list` to see all metrics")


def get(name: str, **parameters: Any) -> Metric:
    """Return an unfitted instance of the metric with this name or column name, ignoring case.

    Parameters
    ----------
    name : str
        Name of a metric or column.
    **parameters
        Parameters of the metric.

    Raises
    ------
    ValueError
        If the name is unknown, or the metric cannot score the `language`.
    MissingResourceError
        If it is not available on this machine; the message gives the installation command.

    Examples
    --------
    >>> from rainbow.metrics import Batch, get
    >>> get("se").score(Batch(["the inn is cheap"], [["the inn is not cheap"]])).round(3).tolist()
    [[0.889]]
    """
    metric = find(name)
    if missing := metric.unavailable():
        raise MissingResourceError(f"{metric.name}: {missing}")
    language = validate_language(parameters.get(LANGUAGE, ENGLISH))
    if metric.languages and language not in metric.languages:
        raise ValueError(f"{metric.name} does not know {language_name(language)}")
    return metric(**parameters)
