"""Numbers as a report prints them, each with the place it was read from."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from rainbow.base import printed

__all__ = [
    "MINUS",
    "Number",
    "NumberFormat",
    "between",
    "count",
    "fixed",
    "interval",
    "p_value",
    "percent",
    "precise",
    "signed",
    "six",
]

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
    """Return a number with its first six digits, all of a whole number: what nobody reads need not stand in a page.

    Examples
    --------
    >>> six(0.25229508530974737), six(12345678.0), six(1.23456789e-12), six(float("inf"))
    (0.252295, 12345678, 1.23457e-12, inf)
    """
    if float(value).is_integer() and abs(value) < 1e15:
        return int(value)
    return float(f"{value:.6g}")


def fixed(value: float, digits: int = 2) -> str:
    """Return a number with so many digits after the point, a dash for NaN; what rounds to zero has no sign.

    Examples
    --------
    >>> fixed(0.456), fixed(-0.004), fixed(-1.25, 1), fixed(float("nan"))
    ('0.46', '0.00', '−1.2', '–')
    """
    if not math.isfinite(value):
        return MISSING if math.isnan(value) else ("" if value > 0 else MINUS) + "∞"
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", MINUS)


def signed(value: float) -> str:
    """Return a number with two digits and its sign.

    Examples
    --------
    >>> signed(0.456), signed(-0.456), signed(0.001)
    ('+0.46', '−0.46', '0.00')
    """
    text = fixed(value)
    return "+" + text if value > 0 and text != "0.00" else text


def precise(value: float) -> str:
    """Return a number of any size with three significant digits, or all digits of a whole number.

    Examples
    --------
    >>> precise(0.012345), precise(69.902), precise(1038.0), precise(-0.5), precise(1234.5), precise(1e-9)
    ('0.0123', '69.9', '1,038', '−0.500', '1,234', '0.00')
    """
    if not math.isfinite(value):
        return fixed(value)
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", MINUS)
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return fixed(value, min(6, digits)) if round(value, 6) else fixed(value)


def percent(value: float) -> str:
    r"""Return a share in percent.

    Examples
    --------
    >>> percent(0.4537), percent(float("nan"))
    ('45\xa0%', '–')
    """
    return MISSING if math.isnan(value) else f"{fixed(100 * value, 0)}\N{NO-BREAK SPACE}%"


def count(value: float) -> str:
    """Return a whole number with commas between thousands.

    Examples
    --------
    >>> count(2460)
    '2,460'
    """
    return MISSING if math.isnan(value) else f"{round(value):,}"


def between(low: float, high: float, form: NumberFormat = fixed) -> str:
    """Return the ends of an interval, or a dash where there is none.

    Examples
    --------
    >>> between(-0.1, 0.25), between(float("nan"), float("nan"))
    ('−0.10 to 0.25', '–')
    """
    return printed.between(low, high, form, MISSING)


def interval(low: float, high: float, form: NumberFormat = fixed) -> str:
    r"""Return a 95 % interval in words.

    Examples
    --------
    >>> interval(-0.1, 0.25), interval(float("nan"), float("nan"))
    ('95\xa0% interval −0.10 to 0.25', 'no interval')
    """
    ends = between(low, high, form)
    return "no interval" if ends == MISSING else f"95\N{NO-BREAK SPACE}% interval {ends}"


def p_value(value: float) -> str:
    r"""Return a p with as many digits as it deserves, never as 0.

    Examples
    --------
    >>> p_value(0.0312), p_value(0.2), p_value(1e-9), p_value(float("nan"))
    ('0.031', '0.20', '<\xa00.001', '–')
    """
    if math.isnan(value):
        return MISSING
    if value < 0.001:
        return "<\N{NO-BREAK SPACE}0.001"
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}"
