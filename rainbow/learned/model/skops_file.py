"""Read a skops file without skops, which would import all of scikit-learn (and torch, where it is) for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from io import BytesIO
from typing import Any

import numpy as np

__all__ = ["object_from"]

Node = Mapping[str, Any]


def object_from(node: Node, arrays: Mapping[str, bytes]) -> Any:
    """Return the object that a node of a skops schema stands for.

    Only the kinds of node that stand in the table below are known. Types are imported as the node names them:
    :func:`rainbow.learned.model.saved_learner.check_types` must have seen the whole schema before.

    Parameters
    ----------
    node
        Of the file's ``schema.json``.
    arrays
        The other entries of the file by their names, as numpy saves arrays.

    Raises
    ------
    Exception
        Of any kind, if the node does not say what its kind must say.

    Examples
    --------
    >>> text = {"__loader__": "JsonNode", "content": '"inn"'}
    >>> object_from({"__loader__": "ListNode", "content": [text, text]}, {})
    ['inn', 'inn']
    """
    return _MAKERS[node["__loader__"]](node, arrays)


def _json(node: Node, arrays: Mapping[str, bytes]) -> Any:
    return json.loads(node["content"])


def _list(node: Node, arrays: Mapping[str, bytes]) -> list[Any]:
    return [object_from(entry, arrays) for entry in node["content"]]


def _dict(node: Node, arrays: Mapping[str, bytes]) -> dict[str, Any]:
    return {key: object_from(entry, arrays) for key, entry in node["content"].items()}


def _tuple(node: Node, arrays: Mapping[str, bytes]) -> Any:
    entries = _list(node, arrays)
    return tuple(entries) if node["__class__"] == "tuple" else _type(node)(*entries)


def _array(node: Node, arrays: Mapping[str, bytes]) -> Any:
    if node["type"] == "numpy":
        return np.load(BytesIO(arrays[node["file"]]), allow_pickle=False)
    array = np.empty(len(node["content"]), dtype=object)
    array[:] = _list(node, arrays)
    return array.reshape(object_from(node["shape"], arrays))


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
