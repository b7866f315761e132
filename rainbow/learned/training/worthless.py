"""Outputs and texts that say nothing of their inputs, to be told from one another in any domain."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from rainbow.learned.learner.linear_trend import LinearTrend
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.registry import all_metrics

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["general_columns", "worthless_told"]

# How many standard deviations a column may tell an output from other texts.
REACH = 4.0


def worthless_told(outputs: pd.DataFrame, worthless: pd.DataFrame) -> LinearTrend:
    """Learn to tell outputs (1) from corrupted copies that say nothing of their inputs (0), by general columns.

    Both tables have a column for every score, in one order; those that are not general count for nothing, and both
    tables weigh the same.
    """
    general = [name in general_columns() for name in outputs]
    scores = np.concatenate([np.where(general, part.to_numpy(float), 0.0) for part in (outputs, worthless)])
    told = np.repeat([1.0, 0.0], [len(outputs), len(worthless)])
    weights = np.repeat([0.5 / len(outputs), 0.5 / len(worthless)], [len(outputs), len(worthless)]) * len(told)
    return LinearTrend(scores, told[:, None], weights, reach=REACH)


@cache
def general_columns() -> frozenset[str]:
    """Return the columns with a direction, but for those of a language model that was counted on a corpus.

    Examples
    --------
    >>> sorted({"slots_missing", "class_slor", "slor", "len"} & general_columns())
    ['class_slor', 'slots_missing']
    """
    metrics = (one for one in all_metrics().values() if not (one.group == "language-model" and _is_counted(one)))
    return frozenset(column.name for one in metrics for column in one.columns if column.higher_is_better is not None)


def _is_counted(metric: type[Metric]) -> bool:
    return hasattr(metric, "statistics")
