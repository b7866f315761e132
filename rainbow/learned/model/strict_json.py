"""Strict JSON, extended to plain Python values that JSON lacks."""

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
    """Return data as compact ASCII JSON, which preserves any string, even lone surrogates."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).encode()


def parse_json(data: bytes, description: str) -> Any:
    """Return the data of a JSON file, rejecting NaN and infinity."""
    try:
        return json.loads(data.decode(), parse_constant=_reject_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{description} is not valid JSON: {error}") from error


def _reject_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


def check_object(data: Any, description: str, kinds: Mapping[str, type | UnionType]) -> dict[str, Any]:
    """Return the data if it has exactly these fields with these types, else raise ValueError."""
    if not isinstance(data, dict) or data.keys() != kinds.keys():
        raise ValueError(f"the fields of {description} must be {', '.join(kinds)}")
    for name, kind in kinds.items():
        # JSON's true is no number, though Python's True is one.
        if not isinstance(data[name], kind) or (isinstance(data[name], bool) and kind is not bool):
            expected = getattr(kind, "__name__", str(kind))
            raise ValueError(f"{name} in {description} has type {type(data[name]).__name__}, not {expected}")
    return data


def encode_value(value: Any) -> Any:
    """Return a plain value as JSON data that :func:`decode_value` restores with its type."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {_FLOAT: repr(value)}
    if type(value) is list:
        return [encode_value(entry) for entry in value]
    for tag, kind in _SEQUENCES.items():
        if type(value) is kind:
            return {tag: [encode_value(entry) for entry in value]}
    if isinstance(value, Mapping) and all(isinstance(key, str) and not key.startswith("$") for key in value):
        return {key: encode_value(entry) for key, entry in value.items()}
    raise ValueError(
        f"{value!r} has type {type(value).__name__}, which a model file cannot store: use numbers, strings, "
        "lists, tuples, sets, and dictionaries with string keys"
    )


def decode_value(data: Any) -> Any:
    """Return the value that :func:`encode_value` turned into this data."""
    if isinstance(data, list):
        return [decode_value(entry) for entry in data]
    if not isinstance(data, dict):
        return data
    if len(data) == 1:
        [(tag, content)] = data.items()
        if tag == _FLOAT and content in ("nan", "inf", "-inf"):
            return float(content)
        if tag in _SEQUENCES and isinstance(content, list):
            try:
                return _SEQUENCES[tag](map(decode_value, content))
            except TypeError as error:
                raise ValueError(f"{data} is not a set: {error}") from error
    if any(key.startswith("$") for key in data):
        raise ValueError(f"{data} is not a valid value in a model file")
    return {key: decode_value(entry) for key, entry in data.items()}
