"""Quantisation of scores to the rating scale: 1, 1.5, 2, ..., 6."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd

# Medians of an even number of judges lie halfway between two marks, so a scale from 1 to 6 has 11 values.
LOWEST = 1.0
STEP = 0.5
VALUES = 11

# The one column that the authors of 2017 turned round.
TURNED_ROUND_IN_2017 = "TER"


def quantise(
    scores: pd.DataFrame, higher_is_better: Mapping[str, bool | None], as_published: bool = False
) -> pd.DataFrame:
    """Return every column on the rating scale from 1 (worst score of the column) to 6 (best).

    Shapes: scores (n, k), returns (n, k).
    Source: Novikova, Dušek, Cercas Curry and Rieser (2017), Why We Need New Evaluation Metrics for NLG, section 7.2.
    """
    _check(scores, higher_is_better, as_published)
    values = scores.to_numpy(dtype=float, na_value=np.nan)
    missing: dict[str, dict[str, list[int] | str]] = {}
    result = np.full(values.shape, np.nan)
    for place, name in enumerate(map(str, scores)):
        reason = _undefined_reason(values[:, place])
        if reason is not None:
            missing[name] = {reason: "all"}
            continue
        lower_is_better = name == TURNED_ROUND_IN_2017 if as_published else higher_is_better[name] is False
        result[:, place] = _quantise_column(values[:, place], lower_is_better)
        if (gaps := np.flatnonzero(np.isnan(values[:, place]))).size:
            missing[name] = {"there is no score": gaps.tolist()}
    table = pd.DataFrame(result, index=scores.index, columns=scores.columns)
    table.attrs["missing"] = missing
    return table


def _check(scores: pd.DataFrame, higher_is_better: Mapping[str, bool | None], as_published: bool) -> None:
    from pandas.api.types import is_numeric_dtype

    for name, dtype in zip(map(str, scores), scores.dtypes, strict=True):
        if not is_numeric_dtype(dtype):
            raise ValueError(f"the column {name!r} has no numbers: give score columns only")
        if not as_published and name not in higher_is_better:
            raise ValueError(f"the direction of {name!r} is unknown: set it in higher_is_better")


def _undefined_reason(column: FloatArray) -> str | None:
    known = column[~np.isnan(column)]
    if not known.size:
        return "there is no score"
    if not np.isfinite(known).all():
        return "it has infinite values"
    return "it is constant" if known.min() == known.max() else None


def _quantise_column(column: FloatArray, lower_is_better: bool) -> FloatArray:
    share = (column - np.nanmin(column)) / (np.nanmax(column) - np.nanmin(column))
    if lower_is_better:
        share = 1 - share
    marks: FloatArray = np.minimum(VALUES - 1, np.floor(VALUES * share))
    return LOWEST + STEP * marks
