"""Numbers as a report prints them, each with the place it was read from."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from rainbow.base import formatting

MINUS = "\N{MINUS SIGN}"
MISSING = "\N{EN DASH}"

NumberFormat = Callable[[float], str]


class Number(NamedTuple):
    """A number of a saved table."""

    value: float  # as the table has it; NaN where the table has none
    text: str  # as a reader sees it
    # where it stands: ``table:row:column``, rows counted from 0 without the header; empty for what is worked out from
    # several numbers
    source: str = ""

    @property
    def raw(self) -> str:
        """Its first six digits, for programs; empty if there is no number."""
        return "" if math.isnan(self.value) else repr(six(self.value))


def six(value: float) -> float | int:
    """Return a number with its first six digits, all of a whole number: what nobody reads need not stand in a page."""
    if float(value).is_integer() and abs(value) < 1e15:
        return int(value)
    return float(f"{value:.6g}")


def fixed(value: float, digits: int = 2) -> str:
    """Return a number with so many digits after the point, a dash for NaN; what rounds to zero has no sign."""
    if not math.isfinite(value):
        return MISSING if math.isnan(value) else ("" if value > 0 else MINUS) + "∞"
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", MINUS)


def signed(value: float) -> str:
    """Return a number with two digits and its sign."""
    text = fixed(value)
    return "+" + text if value > 0 and text != "0.00" else text


def precise(value: float) -> str:
    """Return a number of any size with three significant digits, or all digits of a whole number."""
    if not math.isfinite(value):
        return fixed(value)
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", MINUS)
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return fixed(value, min(6, digits)) if round(value, 6) else fixed(value)


def percent(value: float) -> str:
    r"""Return a share in percent."""
    return MISSING if math.isnan(value) else f"{fixed(100 * value, 0)}\N{NO-BREAK SPACE}%"


def count(value: float) -> str:
    """Return a whole number with commas between thousands."""
    return MISSING if math.isnan(value) else f"{round(value):,}"


def between(low: float, high: float, form: NumberFormat = fixed) -> str:
    """Return the ends of an interval, or a dash where there is none."""
    return formatting.format_interval(low, high, form, MISSING)


def interval(low: float, high: float, form: NumberFormat = fixed) -> str:
    r"""Return a 95 % interval in words."""
    ends = between(low, high, form)
    return "no interval" if ends == MISSING else f"95\N{NO-BREAK SPACE}% interval {ends}"


def p_value(value: float) -> str:
    r"""Return a p with as many digits as it deserves, never as 0."""
    if math.isnan(value):
        return MISSING
    if value < 0.001:
        return "<\N{NO-BREAK SPACE}0.001"
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}"
