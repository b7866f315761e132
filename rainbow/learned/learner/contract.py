"""What every fitted learner offers, and the checks of its fields when it is read from a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from rainbow.base.arrays import FloatArray


class Learner(Protocol):
    """A fitted learner: predicts ratings from scores and texts."""

    @property
    def median(self) -> FloatArray:
        """The value of each score that replaces a missing one, shape (columns,)."""

    def predict(self, scores: FloatArray, texts: Mapping[str, list[str]]) -> FloatArray:
        """Return the expected ratings, shape (n, ratings), for scores (n, columns) and texts."""

    def familiarity(self, texts: Mapping[str, list[str]], rows: int) -> FloatArray:
        """Return the share of each text and input seen in training, shape (rows,); NaN if the model reads no texts."""

    def check(self, columns: int, texts: Sequence[str]) -> None:
        """Raise ValueError unless fitted on one rating with this many columns and these texts."""


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
