"""Numbers ordered as text, as the 2017 scores were compared."""

from __future__ import annotations

import numpy as np

from rainbow.base.arrays import FloatArray

# A spreadsheet writes a fraction with more decimals in scientific notation.
DECIMALS = 9


def spreadsheet_text(number: float) -> str:
    """Return a number as written in the public 2017 file: small fractions as ``4.28E-009``."""
    text = np.format_float_positional(number, trim="-")
    if abs(number) >= 1 or len(text.partition(".")[2]) <= DECIMALS:
        return text
    mantissa, exponent = np.format_float_scientific(number, trim="-").split("e")
    return f"{mantissa}E{int(exponent):+04d}"


def text_ranks(column: FloatArray) -> FloatArray:
    """Return the dense rank of every number of a column compared as text, from 0; NaN stays."""
    ranks = np.full(len(column), np.nan)
    known = ~np.isnan(column)
    texts = np.array([spreadsheet_text(number) for number in column[known]], dtype=str)
    ranks[known] = np.unique(texts, return_inverse=True)[1]
    return ranks
