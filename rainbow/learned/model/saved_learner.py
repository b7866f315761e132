"""What a model learned as a skops file, read back only if it holds nothing but what learners of ours hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from io import BytesIO
from itertools import count
from math import prod
from typing import Any
from zipfile import ZIP_STORED

import numpy as np

from rainbow.learned.learner.contract import Learner
from rainbow.learned.model.archive import pack, unpack
from rainbow.learned.model.plain import json_bytes, json_data

__all__ = ["TYPES", "check_types", "learner_from", "learner_saved"]

Node = Mapping[str, Any]

# The types of ours that a file may hold; skops asks for each to be trusted.
TYPES = (
    "rainbow.learned.learner.kernel_ridge.RankKernelRidge",
    "rainbow.learned.learner.kernel_ridge.TextPart",
    "rainbow.learned.learner.quantised_forest.QuantisedForest",
    "rainbow.learned.learner.score_kernel.ScoreKernel",
    "rainbow.learned.learner.standardised.Standardised",
    "rainbow.learned.learner.started.Started",
    "rainbow.learned.learner.text_kernel.TextKernel",
    "rainbow.learned.learner.regression_trees.Trees",
    "rainbow.learned.network.dual_encoder.DualEncoder",
    "rainbow.learned.network.dual_encoder.Encoder",
    "rainbow.learned.network.dual_encoder.Layer",
    "rainbow.learned.network.dual_encoder.Linear",
    "rainbow.learned.network.fine_tuned.FineTuned",
    "rainbow.learned.network.fine_tuned.TrainedEncoder",
)

# Files that were saved before the modules had these names say where they were then.
_FORMER = {
    "rainbow.ensemble.trees": "rainbow.learned.learner.regression_trees",
    **{
        f"rainbow.ensemble.{name}": f"rainbow.learned.learner.{name}"
        for name in ("kernel_ridge", "quantised_forest", "score_kernel", "text_kernel")
    },
}

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


def learner_saved(learner: Learner) -> bytes:
    """Return what was learned as a skops file, the same bytes for the same learner.

    Raises
    ------
    ValueError
        If it holds what no learner of ours holds.
    """
    import skops.io

    entries, files = unpack(skops.io.dumps(learner)), dict[str, str]()
    schema = _renumbered(json_data(entries.pop(SCHEMA), SCHEMA), count(1), files)
    arrays = {files[name]: content for name, content in entries.items()}
    data = pack({SCHEMA: json_bytes(schema), **dict(sorted(arrays.items()))}, ZIP_STORED)
    check_types(data)
    return data


def _renumbered(node: Any, numbers: Iterator[int], files: dict[str, str]) -> Any:
    """Return a schema whose objects and files are numbered as they come, not by where they happen to lie in memory."""
    if isinstance(node, list):
        return [_renumbered(entry, numbers, files) for entry in node]
    if not isinstance(node, dict):
        return node
    renumbered = {key: _renumbered(entry, numbers, files) for key, entry in node.items()}
    if "__id__" in node:
        renumbered["__id__"] = next(numbers)
    if isinstance(name := node.get("file"), str):
        renumbered["file"] = files.setdefault(name, f"{len(files) + 1}.npy")
    return renumbered


def learner_from(data: bytes) -> Any:
    """Return the learner of a skops file; :func:`~rainbow.learned.model.state.check_learner` must check it before use.

    Raises
    ------
    ValueError
        If it is not a skops file, or holds a type that no learner of ours holds, or cannot be read.
    """
    check_types(data)
    arrays = unpack(data)
    schema = _schema(arrays.pop(SCHEMA))
    # It is for the nodes and for the types themselves to say what does not fit.
    try:
        if schema["protocol"] != PROTOCOL:
            raise ValueError(f"it is of skops protocol {schema['protocol']!r}, not {PROTOCOL}")
        return _object_from(schema, arrays)
    except Exception as error:
        raise ValueError(f"it cannot be read: {error!r}") from error


def check_types(data: bytes) -> None:
    """Refuse a skops file without making anything of it.

    Raises
    ------
    ValueError
        If it is not a skops file, holds a type that no learner of ours holds, or arrays that are not there, or not
        of the size that they declare.
    """
    entries = unpack(data)
    if SCHEMA not in entries:
        raise ValueError(f"it is no skops file: it has no {SCHEMA}")
    arrays = sorted(name for name in entries if name != SCHEMA)
    used: list[str] = []
    for node in _nodes(_schema(entries[SCHEMA])):
        loader, kind = node["__loader__"], f"{node.get('__module__')}.{node.get('__class__')}"
        if not isinstance(loader, str) or kind not in _PLAIN.get(loader, ()):
            raise ValueError(f"it holds a {kind} (as {loader}), which no learner of RAINBOW holds")
        if "file" in node:
            used.append(str(node["file"]))
    if sorted(used) != arrays:
        raise ValueError("its arrays are not those that it names, each once")
    for name in arrays:
        _check_array(name, entries[name])


def _schema(data: bytes) -> Any:
    """Return the schema of a skops file, with the names that our modules have today."""
    schema = json_data(data, SCHEMA)
    for node in _nodes(schema):
        if isinstance(module := node.get("__module__"), str):
            node["__module__"] = _FORMER.get(module, module)
    return schema


def _nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Return everything in a schema that stands for an object."""
    waiting = [schema]
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, dict):
            waiting.extend(entry.values())
            if "__loader__" in entry:
                yield entry
        elif isinstance(entry, list):
            waiting.extend(entry)


def _check_array(name: str, content: bytes) -> None:
    """Refuse an array that declares another size than it has: room would be made for what it declares."""
    file = BytesIO(content)
    try:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError("it has another version than 1.0")
        shape, _, kind = np.lib.format.read_array_header_1_0(file)
    except Exception as error:
        raise ValueError(f"{name} is no array: {error}") from error
    if kind.hasobject or prod(shape) * kind.itemsize != len(content) - file.tell():
        raise ValueError(f"{name} declares shape {shape} of {kind} in {len(content):,} bytes")


def _object_from(node: Node, arrays: Mapping[str, bytes]) -> Any:
    """Return the object that a node of a skops schema stands for, its types imported as the node names them.

    Only the kinds of node in the table below are known, and the whole schema was checked before. It is read without
    skops, which would import all of scikit-learn (and torch, where it is) for it.
    """
    return _MAKERS[node["__loader__"]](node, arrays)


def _json(node: Node, arrays: Mapping[str, bytes]) -> Any:
    return json.loads(node["content"])


def _list(node: Node, arrays: Mapping[str, bytes]) -> list[Any]:
    return [_object_from(entry, arrays) for entry in node["content"]]


def _dict(node: Node, arrays: Mapping[str, bytes]) -> dict[str, Any]:
    return {key: _object_from(entry, arrays) for key, entry in node["content"].items()}


def _tuple(node: Node, arrays: Mapping[str, bytes]) -> Any:
    entries = _list(node, arrays)
    return tuple(entries) if node["__class__"] == "tuple" else _type(node)(*entries)


def _array(node: Node, arrays: Mapping[str, bytes]) -> Any:
    if node["type"] == "numpy":
        return np.load(BytesIO(arrays[node["file"]]), allow_pickle=False)
    array = np.empty(len(node["content"]), dtype=object)
    array[:] = _list(node, arrays)
    return array.reshape(_object_from(node["shape"], arrays))


def _object(node: Node, arrays: Mapping[str, bytes]) -> Any:
    kind = _type(node)
    new, state = kind.__new__(kind), _dict(node["content"], arrays)
    if hasattr(new, "__setstate__"):
        new.__setstate__(state)
    else:
        vars(new).update(state)
    return new


def _type(node: Node) -> Any:
    return getattr(import_module(node["__module__"]), node["__class__"])


_MAKERS: dict[str, Callable[[Node, Mapping[str, bytes]], Any]] = {
    "DictNode": _dict,
    "JsonNode": _json,
    "ListNode": _list,
    "NdArrayNode": _array,
    "ObjectNode": _object,
    "TupleNode": _tuple,
}
