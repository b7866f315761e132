"""JSON as plain data, whatever it holds."""

from __future__ import annotations

import json
from typing import Any


def json_value(text: str) -> Any:
    """Return what a JSON object or list holds, numbers as they are written; None if the text is neither."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text, parse_int=str, parse_float=str, object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        return None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object whose keys are given once; ValueError otherwise, lest a value is lost."""
    if len(made := dict(pairs)) < len(pairs):
        raise ValueError("a key stands there twice")
    return made


def as_text(value: Any) -> str | None:
    """Return a single value as it would be written in a slot; None for a list or an object."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else value.strip() if isinstance(value, str) else None
