"""Formatting of numbers and text shared by the console, pages and verdict cards."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable
from typing import Any

WIDEST = 5  # characters: four digits and a decimal point
# Terminal escape sequences: CSI, then OSC and similar with their content, then remaining control characters.
_ORDER = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b.?",
    re.DOTALL,
)


def format_interval(low: float | None, high: float | None, form: Callable[[float], str], missing: str = "-") -> str:
    """Return an interval as text; `missing` replaces a bound that is NaN or None."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return missing
    return f"{form(low)} to {form(high)}"


def plain(value: Any) -> Any:
    """Return a value for JSON: NaN and infinities become null, NumPy numbers become Python numbers."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return value


def format_count(number: int, one: str, plural: str = "") -> str:
    """Return a count with its noun in the singular or plural; the default plural adds an s."""
    shown = f"{number:,}" if number >= 10_000 else str(number)
    return f"{shown} {one if number == 1 else plural or one + 's'}"


def format_number(value: float) -> str:
    """Return a number with three decimals, four significant digits from 10 on, or a dash for NaN."""
    if math.isnan(value):
        return "-"
    decimals = 3
    while decimals and len(f"{abs(value):.{decimals}f}") > WIDEST:
        decimals -= 1
    return f"{value:.{decimals}f}"


def format_signed(value: float) -> str:
    """Return a number as :func:`format_number` does, with its sign."""
    return f"+{format_number(value)}" if value >= 0 else format_number(value)


def safe_line(text: str) -> str:
    r"""Return foreign text as one line without control characters or terminal escapes."""
    shown = _ORDER.sub(" ", text)
    seen = (" " if unicodedata.category(character)[0] == "C" else character for character in shown)
    return " ".join("".join(seen).split())
