"""Learners and fitted metrics as a model file has them: skops with known types only, and JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import count
from math import prod
from typing import Any, get_args, get_type_hints
from zipfile import ZIP_STORED

import numpy as np

from rainbow.learned.learner.combination import Combination
from rainbow.learned.learner.contract import Learner
from rainbow.learned.learner.kernel_ridge import RankKernelRidge, TextPart
from rainbow.learned.learner.quantised_forest import QuantisedForest
from rainbow.learned.learner.regression_trees import Trees
from rainbow.learned.learner.score_kernel import ScoreKernel
from rainbow.learned.learner.standardised import Standardised
from rainbow.learned.learner.started import Started
from rainbow.learned.learner.text_kernel import TextKernel
from rainbow.learned.model.archive import check_object, decode_value, encode_value, json_bytes, pack, parse_json, unpack
from rainbow.metrics.contract.base import Metric, MissingResourceError, drop_english
from rainbow.metrics.contract.registry import all_metrics

LEARNERS = (RankKernelRidge, QuantisedForest, Started, Combination)
_PARTS = (ScoreKernel, Standardised, TextKernel, TextPart, Trees)
# The types of ours that a file may hold; skops asks for each to be trusted.
_BY_NAME: dict[str, Any] = {f"{kind.__module__}.{kind.__qualname__}": kind for kind in (*LEARNERS, *_PARTS)}
TYPES = tuple(_BY_NAME)
# Of the types that skops trusts by itself (functions and scikit-learn's estimators among them) a file holds these.
_PLAIN = {
    "DictNode": ("builtins.dict",),
    "JsonNode": ("builtins.str",),
    "ListNode": ("builtins.list",),
    "NdArrayNode": ("numpy.ndarray",),
    "TupleNode": ("builtins.tuple", *TYPES),
    "TypeNode": ("builtins.str",),
    "ObjectNode": TYPES,
}
SCHEMA, PROTOCOL = "schema.json", 2


def dump_learner(learner: Learner) -> bytes:
    """Return a learner as a skops file, byte-identical for equal learners."""
    import skops.io

    entries, files = unpack(skops.io.dumps(learner)), dict[str, str]()
    schema = _renumber_nodes(parse_json(entries.pop(SCHEMA), SCHEMA), count(1), files)
    arrays = {files[name]: content for name, content in entries.items()}
    return pack({SCHEMA: json_bytes(schema), **dict(sorted(arrays.items()))}, ZIP_STORED)


def _renumber_nodes(node: Any, numbers: Iterator[int], files: dict[str, str]) -> Any:
    """Return a schema with objects and files numbered in order, independent of memory addresses."""
    if isinstance(node, list):
        return [_renumber_nodes(entry, numbers, files) for entry in node]
    if not isinstance(node, dict):
        return node
    renumbered = {key: _renumber_nodes(entry, numbers, files) for key, entry in node.items()}
    if "__id__" in node:
        renumbered["__id__"] = next(numbers)
    if isinstance(name := node.get("file"), str):
        renumbered["file"] = files.setdefault(name, f"{len(files) + 1}.npy")
    return renumbered


def load_learner(data: bytes, columns: int, texts: Sequence[str]) -> Learner:
    """Return the learner of a skops file, checked for one rating, these columns and texts."""
    entries = unpack(data)
    if SCHEMA not in entries:
        raise ValueError(f"it is not a skops file: {SCHEMA} is missing")
    schema: Any = parse_json(entries.pop(SCHEMA), SCHEMA)
    _check_types(schema, entries)
    # Nodes and types report themselves what does not fit.
    try:
        if schema["protocol"] != PROTOCOL:
            raise ValueError(f"its skops protocol is {schema['protocol']!r}, not {PROTOCOL}")
        learner = _build_object(schema, entries)
    except Exception as error:
        raise ValueError(f"it cannot be read: {error!r}") from error
    if not isinstance(learner, LEARNERS):
        raise ValueError(f"it has a {type(learner).__name__} instead of a learner")
    learner.check(columns, texts)
    return learner


def _check_types(schema: Any, arrays: Mapping[str, bytes]) -> None:
    """Raise ValueError if a type is unknown, or an array is missing or has a wrong size."""
    used: list[str] = []
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (dict, list)):
            waiting.extend(node.values() if isinstance(node, dict) else node)
        if not isinstance(node, dict) or "__loader__" not in node:
            continue
        loader, kind = node["__loader__"], f"{node.get('__module__')}.{node.get('__class__')}"
        if not isinstance(loader, str) or kind not in _PLAIN.get(loader, ()):
            raise ValueError(f"it contains a {kind} (as {loader}), which RAINBOW learners never contain")
        if "file" in node:
            used.append(str(node["file"]))
    if sorted(used) != sorted(arrays):
        raise ValueError("its arrays do not match those it lists")
    for name, content in arrays.items():
        _check_array(name, content)


def _check_array(name: str, content: bytes) -> None:
    """Raise ValueError if an array declares another size than it has, before allocating memory."""
    file = BytesIO(content)
    try:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError("its array format is not version 1.0")
        shape, _, kind = np.lib.format.read_array_header_1_0(file)
    except Exception as error:
        raise ValueError(f"{name} is not an array: {error}") from error
    if kind.hasobject or prod(shape) * kind.itemsize != len(content) - file.tell():
        raise ValueError(f"{name} declares shape {shape} of {kind}, which does not fit its {len(content):,} bytes")


def _build_object(node: Mapping[str, Any], arrays: Mapping[str, bytes]) -> Any:
    """Return the object that a node of a checked schema represents."""
    content = node.get("content")
    kind: Any = _BY_NAME.get(f"{node.get('__module__')}.{node.get('__class__')}")
    match node["__loader__"], content:
        case "JsonNode", str():
            return json.loads(content)
        case "NdArrayNode", _:
            return np.load(BytesIO(arrays[node["file"]]), allow_pickle=False)
        case "ListNode", list():
            return [_build_object(entry, arrays) for entry in content]
        case "DictNode", dict():
            return {key: _build_object(entry, arrays) for key, entry in content.items()}
        case "TupleNode", list():
            entries = [_build_object(entry, arrays) for entry in content]
            return tuple(entries) if node["__class__"] == "tuple" else kind(*entries)
        case "ObjectNode", dict():
            state, new = _build_object(content, arrays), kind.__new__(kind)
            new.__setstate__(state) if hasattr(new, "__setstate__") else vars(new).update(state)
            return new
    raise ValueError(f"a {node['__loader__']} contains a {type(content).__name__}")


_METRIC_FIELDS = {"name": str, "package": str, "parameters": dict, "statistics": str | None}


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
    checked_ones = [check_object(description, "a metric in model.json", _METRIC_FIELDS) for description in descriptions]
    classes = [_metric_class(description["name"], description["package"]) for description in checked_ones]
    needed = [entry for description in checked_ones if (entry := description["statistics"]) is not None]
    if sorted(needed) != sorted(entries):
        raise ValueError(f"it has statistics for {sorted(entries)}, but its metrics need {sorted(needed)}")
    for metric in classes:
        if missing := metric.unavailable():
            raise MissingResourceError(f"{metric.name}: {missing}")
    return tuple(
        _load_metric(metric, description, entries) for metric, description in zip(classes, checked_ones, strict=True)
    )


def _metric_class(name: str, package: str) -> type[Metric]:
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
