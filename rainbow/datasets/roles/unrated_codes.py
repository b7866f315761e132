"""Numeric codes for "not rated", such as -1 or 99."""

from __future__ import annotations

from collections.abc import Sequence

# Codes of questionnaires and annotation tools for a missing rating.
CODES = frozenset([-999.0, -99.0, -9.0, -1.0, 99.0, 999.0, 9999.0])
MIN_NUMBERS = 3  # marks that show a scale
MAX_CENTRED = 2  # a scale that reaches no further may go as far below zero
MIN_DISTANCE = 2  # a code lies above the scale by at least this many times its width


def unrated_codes(numbers: Sequence[float]) -> tuple[float, ...]:
    """Return the codes among ratings that lie outside the scale of the others."""
    marks = [number for number in numbers if number not in CODES]
    if len(marks) < MIN_NUMBERS or len(marks) * 2 < len(numbers):
        return ()
    low, high = min(marks), max(marks)
    above = high + MIN_DISTANCE * max(high - low, 1)
    result = {float(number) for number in numbers if number in CODES}
    return tuple(sorted(code for code in result if code > above or (code < 0 <= low and high > MAX_CENTRED)))
