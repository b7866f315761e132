"""Outputs on which a metric and people disagree most."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.lazy import pd


def percentiles(values: ArrayLike) -> NDArray[np.float64]:
    """Return the percentile of every value, 100 (rank - 1/2) / n; ties share one, NaN stays NaN.

    Shapes: values (n,).
    """
    numbers = pd.Series(np.asarray(values, dtype=float))
    return np.asarray(100 * (numbers.rank() - 0.5) / max(1, numbers.count()), dtype=np.float64)


def disagreements(scores: pd.DataFrame, metric: str, rating: str, higher_is_better: bool | None) -> pd.DataFrame:
    """Return for every output the percentiles of its score and rating, and their difference."""
    both = scores[[metric, rating]].astype(float)
    both = both.where(both.notna().all(axis=1))
    turn = -1.0 if higher_is_better is False else 1.0
    table = pd.DataFrame(
        {"metric": percentiles(turn * both[metric]), "rating": percentiles(both[rating])}, scores.index
    )
    return table.assign(difference=table["metric"] - table["rating"])
