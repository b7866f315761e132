"""Scores without the differences that rounding makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import pandas as pd

DIGITS = 9  # significant digits of a score that mean something


def significant(values: ArrayLike) -> NDArray[np.float64]:
    """Return the values rounded to nine significant digits; NaN, infinities and 0 as they are."""
    given = np.asarray(values, dtype=float)
    result = given.copy()
    regular = np.isfinite(given) & (given != 0)
    mantissa, exponent = np.frexp(given[regular])
    scale = 10.0 ** (DIGITS - np.ceil(np.log10(np.abs(mantissa)) + exponent * np.log10(2)))
    result[regular] = np.round(given[regular] * scale) / scale
    return result


def without_noise(frame: pd.DataFrame, metrics: Sequence[str]) -> pd.DataFrame:
    """Return the table with its metrics rounded to nine significant digits, so that equal scores are tied."""
    rounded = frame.assign(**{name: significant(frame[name]) for name in metrics})
    rounded.attrs = {}  # what a table of scores says of its columns, pandas would copy whenever one is looked at
    return rounded
