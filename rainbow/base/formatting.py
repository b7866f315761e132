"""Formatting of numbers and text shared by the console, pages and verdict cards."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
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


class RowFormatter(Formatter):
    """Fills templates whose fields are columns of a row with names of number formats: ``{n:count}``."""

    # {range:fixed} stands for the columns low and high, {range[ceiling]:fixed} for ceiling_low and ceiling_high.
    def __init__(self, forms: Mapping[str, Callable[[float], str]], **ends: Callable[..., str]) -> None:
        self.forms, self.ends = forms, {"range": format_interval, **ends}

    def fill(self, template: str, row: Any, **names: Any) -> str:
        """Return a template with columns of a mapping or named tuple filled in, and with `names`."""
        return self.vformat(template, (row,), names) if "{" in template else template

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        name, _, prefix = field_name.rstrip("]").partition("[")
        if name in kwargs:
            return kwargs[name], name
        row: Any = args[0]
        value = row.__getitem__ if isinstance(row, Mapping) else lambda column: getattr(row, column)
        if name not in self.ends:
            return value(name), name
        low, high = (value(f"{prefix}_{end}".lstrip("_")) for end in ("low", "high"))
        return (self.ends[name], low, high), name

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec not in self.forms:
            return format(value, format_spec)
        form = self.forms[format_spec]
        return str(value[0](*value[1:], form) if isinstance(value, tuple) else form(value))


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


def format_p(value: float) -> str:
    """Return a p-value with two significant digits, or a dash for NaN."""
    return "-" if math.isnan(value) else f"{value:.2g}"


def format_share(value: float) -> str:
    """Return a share in percent with one decimal, or a dash for NaN."""
    return "-" if math.isnan(value) else f"{100 * value:.1f} %"


def safe_line(text: str) -> str:
    r"""Return foreign text as one line without control characters or terminal escapes."""
    shown = _ORDER.sub(" ", text)
    seen = (" " if unicodedata.category(character)[0] == "C" else character for character in shown)
    return " ".join("".join(seen).split())
