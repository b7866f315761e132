"""Validation of the fields of a learner read from a file."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

# Refuses a value, which its error calls by the name.
FieldCheck = Callable[[Any, str], None]


def check_fields(value: Any, kind: type, /, **fields: FieldCheck) -> None:
    """Raise ValueError unless the value has this type and exactly these fields, each valid."""
    if type(value) is not kind:
        raise ValueError(f"it has a {type(value).__name__} instead of a {kind.__name__}")
    own = value._asdict() if isinstance(value, tuple) else vars(value)  # type: ignore[attr-defined]  # a NamedTuple
    if odd := sorted(map(str, own.keys() ^ fields.keys())):
        raise ValueError(f"the field {odd[0]!r} of its {kind.__name__} is missing or unexpected")
    for name, check in fields.items():
        check(own[name], name.lstrip("_"))


def array_check(
    *shape: int | None, minimum: float = -math.inf, maximum: float = math.inf, kind: type = np.float64
) -> FieldCheck:
    """Return a check for a finite array with this shape (None: any length) and these bounds."""

    def check(array: Any, name: str) -> None:
        if type(array) is not np.ndarray:
            raise ValueError(f"{name} is a {type(array).__name__}, not an array")
        fits = len(array.shape) == len(shape) and all(
            size in (None, own) for size, own in zip(shape, array.shape, strict=True)
        )
        if array.dtype != kind or not fits:
            raise ValueError(f"{name} has the type {array.dtype} and shape {array.shape}, not {kind.__name__} {shape}")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} contains a number that is not finite")
        if array.size and not minimum <= array.min() <= array.max() <= maximum:
            raise ValueError(f"{name} contains numbers outside the range {minimum} to {maximum}")

    return check


def check_positive(value: Any, name: str) -> None:
    """Raise ValueError if the value is not a number above 0."""
    if type(value) is not float or not 0 < value < math.inf:
        raise ValueError(f"{name} is {value!r}: it must be a number above 0")
