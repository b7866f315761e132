"""Prediction intervals of ratings, and their coverage."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.stats.tidy_tables import require_columns, tidy_table

_NEEDED = ("rating", "id", "fold", "rated", "predicted")
_COVERAGE = ("rating", "level", "n", "coverage", "low", "high", "width", "reason")
_CONFIDENCE = 0.95


def interval_half_width(rated: ArrayLike, predicted: ArrayLike, level: float = 0.9) -> float:
    """Return the half-width of the prediction interval at this level.

    Shapes: rated, predicted (n,).
    Source: Papadopoulos, H., Proedrou, K., Vovk, V. and Gammerman, A. (2002). Inductive confidence machines for
    regression. ECML. Lei, J., G'Sell, M., Rinaldo, A., Tibshirani, R. and Wasserman, L. (2018). Distribution-free
    predictive inference for regression. Journal of the American Statistical Association 113.
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}: use a number between 0 and 1, such as 0.9")
    errors = np.sort(_absolute_errors(np.asarray(rated, dtype=float), np.asarray(predicted, dtype=float)))
    # The level as it is written: as floats, (n + 1) level may come out just above a whole number.
    place = math.ceil((len(errors) + 1) * Fraction(str(level)))
    return float(errors[place - 1]) if place <= len(errors) else math.nan


def interval_coverage(predictions: pd.DataFrame, level: float = 0.9) -> pd.DataFrame:
    """Return the interval coverage of held-out ratings, with widths from the other folds.

    Source: Vovk, V. (2015). Cross-conformal predictors. Annals of Mathematics and Artificial Intelligence 74. Wilson,
    E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22.
    """
    require_columns(predictions, _NEEDED)
    if (twice := predictions.duplicated(["rating", "id"])).any():
        rating, identity = predictions.loc[twice, ["rating", "id"]].iloc[0]
        raise ValueError(f"row {identity} has two predictions of {rating}: give those of one protocol")
    parts = predictions.groupby("rating", sort=False)
    return tidy_table(
        ({"rating": rating, "level": level, **_coverage_fields(part, level)} for rating, part in parts), _COVERAGE
    )


def _coverage_fields(rows: pd.DataFrame, level: float) -> dict[str, Any]:
    from scipy.stats import binomtest

    inside, widths = (np.concatenate(arrays) for arrays in zip(*_fold_coverage(rows, level), strict=True))
    if not len(inside):
        return {"n": 0, "reason": "the other folds never have enough rated rows to estimate a width"}
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


def _fold_coverage(rows: pd.DataFrame, level: float) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield for every fold whether ratings lie inside the interval, and the half-width."""
    rated, predicted = rows["rated"].to_numpy(dtype=float), rows["predicted"].to_numpy(dtype=float)
    folds = rows["fold"].to_numpy()
    for fold in np.unique(folds):
        own = folds == fold
        width = interval_half_width(rated[~own], predicted[~own], level)
        errors = _absolute_errors(rated[own], predicted[own]) if not math.isnan(width) else np.zeros(0)
        yield (errors <= width).astype(float), np.full(len(errors), width)


def _absolute_errors(rated: FloatArray, predicted: FloatArray) -> FloatArray:
    if rated.shape != predicted.shape or rated.ndim != 1:
        raise ValueError(f"{rated.shape} ratings and {predicted.shape} predictions: give one of each per row")
    known = ~np.isnan(rated)
    errors: FloatArray = np.abs(rated[known] - predicted[known])
    if not np.isfinite(errors).all():
        raise ValueError("a rated row has no finite prediction: give a finite number for every row")
    return errors
