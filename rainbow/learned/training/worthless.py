"""Outputs and texts that say nothing of their inputs, to be told from one another in any domain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.arrays import BoolArray
from rainbow.learned.learner.linear_trend import LinearTrend
from rainbow.learned.training.column_kinds import compared_columns, general_columns
from rainbow.learned.training.corruption import UNRELATED, WORTHLESS

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["worthless_told"]

# How many standard deviations a column may tell an output from other texts.
REACH = 4.0


def worthless_told(outputs: pd.DataFrame, copies: pd.DataFrame, kinds: Sequence[str]) -> LinearTrend | None:
    """Learn to tell outputs (1) from corrupted copies that say nothing of their inputs (0).

    Where columns compare outputs with references, these alone tell them, from unrelated sentences: a text that shares
    next to nothing with its references is about something else in any domain, while what another order of words costs
    differs from one to the next. Elsewhere all general columns tell them, from every kind of copy that says nothing.

    Parameters
    ----------
    outputs, copies
        A column for every score, in one order; those that do not tell count for nothing, and both tables weigh the
        same.
    kinds
        What was done to each copy.

    Returns
    -------
    LinearTrend or None
        None if there is no such copy.
    """
    compared = compared_columns() & set(outputs)
    columns, worthless = (compared, {UNRELATED}) if compared else (general_columns(), WORTHLESS)
    told_from: BoolArray = np.array([kind in worthless for kind in kinds], dtype=bool)
    if not told_from.any():
        return None
    tells = [name in columns for name in outputs]
    parts = [np.where(tells, part.to_numpy(float), 0.0) for part in (outputs, copies[told_from])]
    sizes = [len(part) for part in parts]
    told, weights = np.repeat([1.0, 0.0], sizes), np.repeat([0.5 * sum(sizes) / size for size in sizes], sizes)
    return LinearTrend(np.concatenate(parts), told[:, None], weights, reach=REACH)
