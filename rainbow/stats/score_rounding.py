"""Rounding of scores to remove numerical noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.lazy import pd

DIGITS = 9  # significant digits of a score that mean something


def round_significant(values: ArrayLike) -> NDArray[np.float64]:
    """Round values to nine significant digits; NaN, infinities and 0 stay unchanged."""
    given = np.asarray(values, dtype=float)
    result = given.copy()
    regular = np.isfinite(given) & (given != 0)
    mantissa, exponent = np.frexp(given[regular])
    scale = 10.0 ** (DIGITS - np.ceil(np.log10(np.abs(mantissa)) + exponent * np.log10(2)))
    result[regular] = np.round(given[regular] * scale) / scale
    return result


def round_scores(frame: pd.DataFrame, metrics: Sequence[str]) -> pd.DataFrame:
    """Round the metrics of a table to nine significant digits, so that equal scores tie."""
    rounded = frame.assign(**{name: round_significant(frame[name]) for name in metrics})
    rounded.attrs = {}  # what a table of scores says of its columns, pandas would copy whenever one is looked at
    return rounded
