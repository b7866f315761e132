"""Numbers as printed in reports, each with its source."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from rainbow.base import formatting

MINUS = "\N{MINUS SIGN}"
MISSING = "\N{EN DASH}"

NumberFormat = Callable[[float], str]


class Number(NamedTuple):
    """A number of a saved table."""

    value: float  # as the table has it; NaN where the table has none
    text: str  # as a reader sees it
    # source cell, ``table:row:column``, rows from 0 without the header; empty for values computed from
    # several numbers
    source: str = ""

    @property
    def raw(self) -> str:
        """First six digits for programs; empty without a number."""
        return "" if math.isnan(self.value) else repr(format_raw(self.value))


def format_raw(value: float) -> float | int:
    """Return a number with six significant digits, or all digits of an integer."""
    if float(value).is_integer() and abs(value) < 1e15:
        return int(value)
    return float(f"{value:.6g}")


def format_fixed(value: float, digits: int = 2) -> str:
    """Return a number with fixed decimals; a dash for NaN, no sign for zero."""
    if not math.isfinite(value):
        return MISSING if math.isnan(value) else ("" if value > 0 else MINUS) + "∞"
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", MINUS)


def format_signed(value: float) -> str:
    """Return a number with two decimals and its sign."""
    text = format_fixed(value)
    return "+" + text if value > 0 and text != "0.00" else text


def format_precise(value: float) -> str:
    """Return a number with three significant digits, or all digits of an integer."""
    if not math.isfinite(value):
        return format_fixed(value)
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", MINUS)
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return format_fixed(value, min(6, digits)) if round(value, 6) else format_fixed(value)


def format_percent(value: float) -> str:
    r"""Return a share in percent."""
    return MISSING if math.isnan(value) else f"{format_fixed(100 * value, 0)}\N{NO-BREAK SPACE}%"


def format_count(value: float) -> str:
    """Return an integer with thousands separators."""
    return MISSING if math.isnan(value) else f"{round(value):,}"


def format_range(low: float, high: float, form: NumberFormat = format_fixed) -> str:
    """Return the ends of an interval; a dash if there is none."""
    return formatting.format_interval(low, high, form, MISSING)


def format_interval(low: float, high: float, form: NumberFormat = format_fixed) -> str:
    r"""Return a 95 % interval in words."""
    ends = format_range(low, high, form)
    return "no interval" if ends == MISSING else f"95\N{NO-BREAK SPACE}% interval {ends}"


def format_p_value(value: float) -> str:
    r"""Return a p-value with suitable precision, never as 0."""
    if math.isnan(value):
        return MISSING
    if value < 0.001:
        return "<\N{NO-BREAK SPACE}0.001"
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def format_p_equation(value: float) -> str:
    """Return a p-value after its sign: ``= 0.03``, or ``< 0.001``."""
    text = format_p_value(value)
    return text if text[0] == "<" else f"= {text}"


def format_share(value: float) -> str:
    """Return a share in percent with one decimal, without the sign."""
    return format_fixed(100 * value, 1)


# By the names that templates of sentences use.
FORMATS: dict[str, NumberFormat] = {
    "fixed": format_fixed,
    **{f"fixed{digits}": partial(format_fixed, digits=digits) for digits in range(4)},
    "digits3": "{:.3g}".format,
    "signed": format_signed,
    "precise": format_precise,
    "percent": format_percent,
    "share": format_share,
    "count": format_count,
    "p": format_p_value,
    "p_equation": format_p_equation,
}
