"""How far a prediction may be from the rating: intervals that hold a given share of ratings, and whether they do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray
from rainbow.stats.tidy import require, tidy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["coverage", "half_width"]

_NEEDED = ("rating", "id", "fold", "rated", "predicted")
_COVERAGE = ("rating", "level", "n", "coverage", "low", "high", "width", "reason")
_CONFIDENCE = 0.95


def half_width(rated: ArrayLike, predicted: ArrayLike, level: float = 0.9) -> float:
    """Return how far to either side of a prediction the interval reaches that holds this share of ratings.

    It is the ``ceil((n + 1) level)``-th smallest of the absolute errors of n predictions. If a new row is exchangeable
    with those rows, and its model is theirs and learned from none of them, its rating lies in the interval with a
    probability of at least `level`, whatever the distribution.

    Parameters
    ----------
    rated, predicted
        Shape (n,): ratings of held-out rows and the predictions for them; rows without a rating (NaN) do not count.
    level
        Between 0 and 1.

    Returns
    -------
    float
        In marks of the rating's scale. NaN where n is too small for any finite interval to promise as much: for 90 %
        there must be 9 rows. The caller cuts the interval at the ends of the scale.

    Raises
    ------
    ValueError
        If the level is out of range, the lengths differ, or a rated row has no finite prediction.

    References
    ----------
    Papadopoulos, H., Proedrou, K., Vovk, V. and Gammerman, A. (2002). Inductive confidence machines for regression.
    ECML.
    Lei, J., G'Sell, M., Rinaldo, A., Tibshirani, R. and Wasserman, L. (2018). Distribution-free predictive inference
    for regression. Journal of the American Statistical Association 113.

    Examples
    --------
    >>> half_width([1, 2, 3, 4, 5, 6, 6, 6, 6], [2, 2, 3, 5, 5, 6, 5.5, 6, 3.8])
    2.2
    >>> half_width([1, 2], [1, 2])
    nan
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}: give a number between 0 and 1, such as 0.9")
    errors = np.sort(_errors(np.asarray(rated, dtype=float), np.asarray(predicted, dtype=float)))
    # The level as it is written: as floats, (n + 1) level may come out just above a whole number.
    place = math.ceil((len(errors) + 1) * Fraction(str(level)))
    return float(errors[place - 1]) if place <= len(errors) else math.nan


def coverage(predictions: pd.DataFrame, level: float = 0.9) -> pd.DataFrame:
    """Say what share of held-out ratings lies in the intervals, each fold's width being measured on the other folds.

    Parameters
    ----------
    predictions
        Held-out predictions of one protocol: columns `rating`, `id`, `fold`, `rated`, `predicted`, as from
        :func:`~rainbow.learned.protocols.held_out.held_out_predictions`. Rows without a rating do not count.
    level
        The share that is promised.

    Returns
    -------
    DataFrame
        A row for every rating: `rating`, `level`, `n` (ratings for which there is an interval), `coverage` (share of
        them that lie inside, ends included), `low` and `high` (95 % Wilson interval of that share, taking the rows as
        independent), `width` (mean width of the interval, before it is cut at the ends of the scale), `reason` (why
        numbers are NaN, else None).

    Raises
    ------
    ValueError
        If a column is missing, a row of a rating is there twice (several protocols or seeds, say), or as in
        :func:`half_width`.

    Notes
    -----
    Errors on the other folds are those of models that learned from the fold itself, so that the promise of
    :func:`half_width` holds up to the little that one fold changes a model.

    References
    ----------
    Vovk, V. (2015). Cross-conformal predictors. Annals of Mathematics and Artificial Intelligence 74.
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"rating": "quality", "id": range(40), "fold": [0, 1] * 20, "predicted": 4.0})
    >>> coverage(table.assign(rated=[4, 5, 3, 4] * 9 + [4, 4, 1, 4])).round(2)
        rating  level   n  coverage   low  high  width reason
    0  quality    0.9  40      0.98  0.87   1.0    2.0   None
    """
    require(predictions, _NEEDED)
    if (twice := predictions.duplicated(["rating", "id"])).any():
        rating, identity = predictions.loc[twice, ["rating", "id"]].iloc[0]
        raise ValueError(f"there are two predictions of {rating} for row {identity}: give those of one protocol")
    parts = predictions.groupby("rating", sort=False)
    return tidy(({"rating": rating, "level": level, **_covered(part, level)} for rating, part in parts), _COVERAGE)


def _covered(rows: pd.DataFrame, level: float) -> dict[str, Any]:
    from scipy.stats import binomtest

    inside, widths = (np.concatenate(arrays) for arrays in zip(*_folds(rows, level), strict=True))
    if not len(inside):
        return {"n": 0, "reason": "no fold has enough rated rows beside it to measure a width on"}
    covered = binomtest(int(inside.sum()), len(inside))
    interval = covered.proportion_ci(_CONFIDENCE, "wilson")
    return {
        "n": len(inside),
        "coverage": covered.statistic,
        "low": interval.low,
        "high": interval.high,
        "width": 2 * widths.mean(),
        "reason": None,
    }


def _folds(rows: pd.DataFrame, level: float) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield for every fold whether each of its ratings lies inside, and half the width; nothing where there is none."""
    rated, predicted = rows["rated"].to_numpy(dtype=float), rows["predicted"].to_numpy(dtype=float)
    folds = rows["fold"].to_numpy()
    for fold in np.unique(folds):
        own = folds == fold
        width = half_width(rated[~own], predicted[~own], level)
        errors = _errors(rated[own], predicted[own]) if not math.isnan(width) else np.zeros(0)
        yield (errors <= width).astype(float), np.full(len(errors), width)


def _errors(rated: FloatArray, predicted: FloatArray) -> FloatArray:
    if rated.shape != predicted.shape or rated.ndim != 1:
        raise ValueError(f"there are {rated.shape} ratings and {predicted.shape} predictions: give one of each per row")
    known = ~np.isnan(rated)
    errors: FloatArray = np.abs(rated[known] - predicted[known])
    if not np.isfinite(errors).all():
        raise ValueError("a rated row has no finite prediction: give a number for every row")
    return errors
