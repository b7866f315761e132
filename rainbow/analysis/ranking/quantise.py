"""Scores on the scale of the ratings: 1, 1.5, 2 ... 6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.arrays import FloatArray

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["quantise"]


# Medians of an even number of judges lie halfway between two marks, so a scale from 1 to 6 has 11 values.
LOWEST = 1.0
STEP = 0.5
VALUES = 11

# The one column that the authors of 2017 turned round.
TURNED_ROUND_IN_2017 = "TER"


def quantise(
    scores: pd.DataFrame, higher_is_better: Mapping[str, bool | None], as_published: bool = False
) -> pd.DataFrame:
    """Return every column on the scale of the ratings, from 1 (the worst score of the column) to 6 (the best).

    A score x of a column becomes ``1 + min(10, floor(11 v)) / 2``, where ``v = (x - min) / (max - min)`` over all rows
    of the table, and ``1 - v`` takes the place of v where lower is better. In what comes out lower is better
    nowhere: where a later step asks for directions, such a column is now True.

    Parameters
    ----------
    scores
        A number per output and metric, shape (n, k); NaN stays NaN.
    higher_is_better
        For every column True, False, or None where neither direction is better (left as it is).
    as_published
        Turn TER round and nothing else, as Novikova et al. (2017) did, whatever `higher_is_better` says.

    Returns
    -------
    DataFrame
        Shape (n, k), index and columns as given. A column that cannot be quantised is NaN; ``attrs["missing"]`` says
        why, as for :func:`rainbow.score_corpus`.

    Raises
    ------
    ValueError
        If a column is not numeric, or its direction is not given.

    Notes
    -----
    The scale of a column depends on its extremes, and so on the rows that are there: quantise the whole table, not
    parts of it.

    References
    ----------
    Novikova, Dušek, Cercas Curry and Rieser (2017), Why We Need New Evaluation Metrics for NLG, section 7.2.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"BLEU4": [0, 0.5, 0.7, 1], "TER": [0, 0.5, 0.7, 1], "NIST": [2, 2, 2, 2]})
    >>> quantised = quantise(scores, {"BLEU4": True, "TER": False, "NIST": True})
    >>> quantised
       BLEU4  TER  NIST
    0    1.0  6.0   NaN
    1    3.5  3.5   NaN
    2    4.5  2.5   NaN
    3    6.0  1.0   NaN
    >>> quantised.attrs["missing"]
    {'NIST': {'it is constant': 'all'}}
    """
    import pandas as pd

    _check(scores, higher_is_better, as_published)
    values = scores.to_numpy(dtype=float, na_value=np.nan)
    missing: dict[str, dict[str, list[int] | str]] = {}
    result = np.full(values.shape, np.nan)
    for place, name in enumerate(map(str, scores)):
        reason = _why_not(values[:, place])
        if reason is not None:
            missing[name] = {reason: "all"}
            continue
        lower_is_better = name == TURNED_ROUND_IN_2017 if as_published else higher_is_better[name] is False
        result[:, place] = _quantised(values[:, place], lower_is_better)
        if (gaps := np.flatnonzero(np.isnan(values[:, place]))).size:
            missing[name] = {"there is no score": gaps.tolist()}
    table = pd.DataFrame(result, index=scores.index, columns=scores.columns)
    table.attrs["missing"] = missing
    return table


def _check(scores: pd.DataFrame, higher_is_better: Mapping[str, bool | None], as_published: bool) -> None:
    from pandas.api.types import is_numeric_dtype

    for name, dtype in zip(map(str, scores), scores.dtypes, strict=True):
        if not is_numeric_dtype(dtype):
            raise ValueError(f"the column {name!r} holds no numbers: give columns of scores only")
        if not as_published and name not in higher_is_better:
            raise ValueError(f"there is no direction for {name!r}: say in higher_is_better whether higher is better")


def _why_not(column: FloatArray) -> str | None:
    known = column[~np.isnan(column)]
    if not known.size:
        return "there is no score"
    if not np.isfinite(known).all():
        return "it has infinite values"
    return "it is constant" if known.min() == known.max() else None


def _quantised(column: FloatArray, lower_is_better: bool) -> FloatArray:
    share = (column - np.nanmin(column)) / (np.nanmax(column) - np.nanmin(column))
    if lower_is_better:
        share = 1 - share
    marks: FloatArray = np.minimum(VALUES - 1, np.floor(VALUES * share))
    return LOWEST + STEP * marks
