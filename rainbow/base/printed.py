"""Numbers as consoles, pages and cards alike print them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

__all__ = ["between", "plain", "three"]


def between(low: float | None, high: float | None, form: Callable[[float], str], missing: str = "-") -> str:
    """Return the ends of an interval in words; what stands for a missing number where one is NaN or None.

    Examples
    --------
    >>> between(0.123, 0.456, "{:.2f}".format), between(math.nan, math.nan, str)
    ('0.12 to 0.46', '-')
    """
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return missing
    return f"{form(low)} to {form(high)}"


def plain(value: Any) -> Any:
    """Return a value as JSON has it: NaN and the infinities are null, numpy's numbers are numbers.

    Examples
    --------
    >>> plain({"r": math.nan, "n": (1, 2)})
    {'r': None, 'n': [1, 2]}
    """
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return value


def three(value: float) -> str:
    """Return a number with three decimals, or a dash for NaN.

    Examples
    --------
    >>> three(0.5), three(math.nan)
    ('0.500', '-')
    """
    return "-" if math.isnan(value) else f"{value:.3f}"
