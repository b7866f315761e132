"""Strict JSON, and the plain Python values that JSON has no word for."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from types import UnionType
from typing import Any

import numpy as np

_SEQUENCES: dict[str, Callable[[Iterable[Any]], Any]] = {"$tuple": tuple, "$set": set, "$frozenset": frozenset}
_FLOAT = "$float"


def json_bytes(data: Any) -> bytes:
    """Return data as JSON without blanks, in ASCII, so that any string comes back, lone surrogates among them."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).encode()


def json_data(data: bytes, what: str) -> Any:
    """Return what JSON says."""
    try:
        return json.loads(data.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{what} is not JSON: {error}") from error


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def checked(data: Any, what: str, kinds: Mapping[str, type | UnionType]) -> dict[str, Any]:
    """Return data that have these fields and no others, each of its type."""
    if not isinstance(data, dict) or data.keys() != kinds.keys():
        raise ValueError(f"{what} has not the fields {', '.join(kinds)}")
    for name, kind in kinds.items():
        # JSON's true is no number, though Python's True is one.
        if not isinstance(data[name], kind) or (isinstance(data[name], bool) and kind is not bool):
            expected = getattr(kind, "__name__", str(kind))
            raise ValueError(f"{name} in {what} is of type {type(data[name]).__name__}, not {expected}")
    return data


def encoded(value: Any) -> Any:
    """Return a plain value as JSON data from which :func:`decoded` makes an equal value of the same type."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {_FLOAT: repr(value)}
    if type(value) is list:
        return [encoded(entry) for entry in value]
    for tag, kind in _SEQUENCES.items():
        if type(value) is kind:
            return {tag: [encoded(entry) for entry in value]}
    if isinstance(value, Mapping) and all(isinstance(key, str) and not key.startswith("$") for key in value):
        return {key: encoded(entry) for key, entry in value.items()}
    raise ValueError(
        f"{value!r} is of type {type(value).__name__}, which a model file cannot hold: use numbers, strings, lists, "
        "tuples, sets and dictionaries with names as keys"
    )


def decoded(data: Any) -> Any:
    """Return the value that :func:`encoded` made these data of."""
    if isinstance(data, list):
        return [decoded(entry) for entry in data]
    if not isinstance(data, dict):
        return data
    if len(data) == 1:
        [(tag, content)] = data.items()
        if tag == _FLOAT and content in ("nan", "inf", "-inf"):
            return float(content)
        if tag in _SEQUENCES and isinstance(content, list):
            try:
                return _SEQUENCES[tag](map(decoded, content))
            except TypeError as error:
                raise ValueError(f"{data} is no set: {error}") from error
    if any(key.startswith("$") for key in data):
        raise ValueError(f"{data} is no value of a model file")
    return {key: decoded(entry) for key, entry in data.items()}
