"""JSON values with numbers kept as written."""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str) -> Any:
    """Return a JSON object or list with numbers as text; None if the text is neither."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text, parse_int=str, parse_float=str, object_pairs_hook=_unique_object)
    except (ValueError, RecursionError):
        return None


def _unique_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object with unique keys; ValueError otherwise."""
    if len(made := dict(pairs)) < len(pairs):
        raise ValueError("a key occurs twice")
    return made


def scalar_text(value: Any) -> str | None:
    """Return a scalar as slot text; None for a list or an object."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else value.strip() if isinstance(value, str) else None
