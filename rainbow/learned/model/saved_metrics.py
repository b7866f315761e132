"""Fitted metrics as JSON: name, parameters and corpus statistics."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args, get_type_hints

from rainbow.learned.model.archive import check_object, decode_value, encode_value, json_bytes, parse_json
from rainbow.metrics.contract.base import Metric, MissingResourceError, drop_english
from rainbow.metrics.contract.registry import all_metrics

_FIELDS = {"name": str, "package": str, "parameters": dict, "statistics": str | None}


def dump_metrics(metrics: Iterable[Metric]) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """Return a description of every metric, and separate entries for corpus statistics."""
    descriptions, entries = [], {}
    for place, metric in enumerate(metrics):
        if all_metrics().get(metric.name) is not type(metric):
            raise ValueError(f"the metric {metric.name!r} is not registered: use rainbow.metrics.register")
        values = drop_english(metric.parameters())
        entry = None
        if "statistics" in values:
            statistics = values.pop("statistics")
            if statistics is None:
                raise ValueError(f"the metric {metric.name!r} is not fitted: call fit(corpus) on the features first")
            entry = f"statistics/{place}.json"
            entries[entry] = json_bytes(statistics.to_json())
        descriptions.append(
            {
                "name": metric.name,
                "package": type(metric).__module__.partition(".")[0],
                "parameters": encode_value(values),
                "statistics": entry,
            }
        )
    return descriptions, entries


def load_metrics(descriptions: Sequence[Any], entries: Mapping[str, bytes]) -> tuple[Metric, ...]:
    """Return the metrics described by :func:`dump_metrics`; all entries must be their statistics."""
    checked_ones = [check_object(description, "a metric in model.json", _FIELDS) for description in descriptions]
    classes = [_metric_class(description) for description in checked_ones]
    needed = [entry for description in checked_ones if (entry := description["statistics"]) is not None]
    if sorted(needed) != sorted(entries):
        raise ValueError(f"it has statistics for {sorted(entries)}, but its metrics need {sorted(needed)}")
    for metric in classes:
        if missing := metric.unavailable():
            raise MissingResourceError(f"{metric.name}: {missing}")
    return tuple(
        _load_metric(metric, description, entries) for metric, description in zip(classes, checked_ones, strict=True)
    )


def _metric_class(description: Mapping[str, Any]) -> type[Metric]:
    name, package = description["name"], description["package"]
    metric = all_metrics().get(name)
    if metric is None and package == "rainbow":
        raise ValueError(
            f"it needs the metric {name!r}, which this RAINBOW does not have: upgrade with pip install -U rainbow-nlg"
        )
    if metric is None:
        raise ValueError(f"it needs the metric {name!r} of the package {package!r}, which is not installed")
    return metric


def _load_metric(metric: type[Metric], description: Mapping[str, Any], entries: Mapping[str, bytes]) -> Metric:
    name, entry = metric.name, description["statistics"]
    parameters = {key: decode_value(value) for key, value in description["parameters"].items()}
    fields: Any = dataclasses.fields(metric)  # type: ignore[arg-type]  # all are dataclasses
    known = {field.name for field in fields if field.init}
    if unknown := sorted(parameters.keys() - known | ({"statistics"} & parameters.keys())):
        raise ValueError(
            f"this model was made with other metric definitions: {name} has no parameter {unknown[0]!r} here"
        )
    if ("statistics" in known) != (entry is not None):
        raise ValueError(
            f"this model was made with other metric definitions: {name} needs corpus statistics only in one of the two"
        )
    # Each metric validates its own statistics and parameters.
    try:
        if entry is not None:
            hint = get_type_hints(metric)["statistics"]
            [kind] = [kind for kind in get_args(hint) or (hint,) if kind is not type(None)]
            parameters["statistics"] = kind.from_json(parse_json(entries[entry], entry))
        return metric(**parameters)
    except MissingResourceError:
        raise
    except Exception as error:
        raise ValueError(f"the metric {name!r} rejects its saved state: {error}") from error
