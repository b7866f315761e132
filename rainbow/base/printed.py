"""Numbers as consoles, pages and cards alike print them."""

from __future__ import annotations

import math
from collections.abc import Callable

__all__ = ["between", "three"]


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


def three(value: float) -> str:
    """Return a number with three decimals, or a dash for NaN.

    Examples
    --------
    >>> three(0.5), three(math.nan)
    ('0.500', '-')
    """
    return "-" if math.isnan(value) else f"{value:.3f}"
