"""Outputs over which a metric and people disagree most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["disagreements", "percentiles"]


def percentiles(values: ArrayLike) -> NDArray[np.float64]:
    """Return the percentile of every value among all, 0 to 100: 100 (rank - 1/2) / n; ties share one, NaN stays NaN.

    Parameters
    ----------
    values
        Shape (n,).

    Examples
    --------
    >>> percentiles([3, 1, 3, float("nan"), 2]).tolist()
    [75.0, 12.5, 75.0, nan, 37.5]
    """
    import pandas as pd

    numbers = pd.Series(np.asarray(values, dtype=float))
    return np.asarray(100 * (numbers.rank() - 0.5) / max(1, numbers.count()), dtype=np.float64)


def disagreements(scores: pd.DataFrame, metric: str, rating: str, higher_is_better: bool | None) -> pd.DataFrame:
    """Return for every output the percentile of its score, that of its rating, and the difference.

    Percentiles are among the outputs that have both; a metric for which lower is better is turned round.

    Returns
    -------
    DataFrame
        Columns metric, rating, difference (metric - rating), in the order and with the labels of `scores`.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"TER": [0.1, 0.5, 0.9], "quality": [1, 5, 6]})
    >>> disagreements(scores, "TER", "quality", higher_is_better=False).round(1).values.tolist()
    [[83.3, 16.7, 66.7], [50.0, 50.0, 0.0], [16.7, 83.3, -66.7]]
    """
    import pandas as pd

    both = scores[[metric, rating]].astype(float)
    both = both.where(both.notna().all(axis=1))
    turn = -1.0 if higher_is_better is False else 1.0
    table = pd.DataFrame(
        {"metric": percentiles(turn * both[metric]), "rating": percentiles(both[rating])}, scores.index
    )
    return table.assign(difference=table["metric"] - table["rating"])
