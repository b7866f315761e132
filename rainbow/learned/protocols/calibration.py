"""Calibration on held-out rows: intervals of predictions, and ratings as classes with probabilities."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.learned.protocols.groups import row_groups, row_positions
from rainbow.stats.agreement.label_agreement import FIGURES, class_agreement, reliability
from rainbow.stats.estimation.ordinal_regression import CumulativeLogit, fit_cumulative_logit
from rainbow.stats.resampling.bootstrap import bootstrap
from rainbow.stats.tidy_tables import require_columns, tidy_table

MAX_POINTS = 20  # a scale of more, such as 0 to 100, is not one of classes
CUTS = ("most probable", "training shares")

_NEEDED = ("protocol", "seed", "rating", "id", "fold", "rated", "predicted")
_CLASSES = (
    *("protocol", "rating", "cut", "classes", "n", "items"),
    *(f"{figure}{end}" for figure in FIGURES for end in ("", "_low", "_high")),
    *("majority_accuracy", "calibration_error", "seed", "reason"),
)
_NO_CLASSES_REASON = "the other folds never have ratings with 2 to 20 points"
_RELIABILITY = ("protocol", "rating", "from", "to", "n", "probability", "share", "seed")


def rating_points(ratings: ArrayLike) -> FloatArray:
    """Round ratings to whole points of the scale, halves to even; NaN stays."""
    points: FloatArray = np.rint(np.asarray(ratings, dtype=float))
    return points


class RatingClasses(NamedTuple):
    """Mapping from predictions of a rating to the points of its scale.

    Shapes: shares (k - 1,).
    """

    points: FloatArray  # those that were given to rows, as :func:`rating_points` has them, rising; k of them
    logit: CumulativeLogit  # how probable each point is for a prediction
    shares: FloatArray

    @classmethod
    def fit(cls, rated: ArrayLike, predicted: ArrayLike) -> Self | None:
        """Fit the classes to ratings and predictions of held-out rows, each of shape (n,)."""
        given = np.asarray(rated, dtype=float)
        if not len(given):
            return None
        # Within the scale, as model predictions are.
        scores = np.asarray(predicted, dtype=float).clip(given.min(), given.max())
        points, places = np.unique(rating_points(given), return_inverse=True)
        if not 2 <= len(points) <= MAX_POINTS:
            return None
        below = np.cumsum(np.bincount(places))[:-1] / len(given)
        return cls(points, fit_cumulative_logit(scores, places), np.quantile(scores, below))

    def probabilities(self, scores: ArrayLike) -> FloatArray:
        """Return the probability of every point, shape (n, k); NaN for a missing score."""
        return self.logit.probabilities(scores)

    def most_probable(self, scores: ArrayLike) -> FloatArray:
        """Return the most probable point for every score, shape (n,), for the best accuracy."""
        probabilities = self.probabilities(scores)
        return np.where(np.isnan(probabilities[:, 0]), np.nan, self.points[probabilities.argmax(1)])

    def as_frequent(self, scores: ArrayLike) -> FloatArray:
        """Return the points with the frequencies of the ratings, shape (n,), so rare points occur too."""
        numbers = np.asarray(scores, dtype=float)
        places = np.searchsorted(self.shares, numbers, "right")  # NaN comes last
        return np.where(np.isnan(numbers), np.nan, self.points[places])


def class_tables(
    frame: pd.DataFrame, predictions: pd.DataFrame, *, resamples: int = 1000, seed: int = 2017
) -> dict[str, pd.DataFrame]:
    """Return the accuracy of predicted classes and the calibration of their probabilities."""
    require_columns(predictions, _NEEDED)
    items = row_groups(frame, "by-item")
    lines: list[dict[str, Any]] = []
    bins: list[dict[str, Any]] = []
    for key, part in predictions[predictions["rated"].notna()].groupby(["protocol", "seed", "rating"], sort=False):
        named = dict(zip(("protocol", "seed", "rating"), key, strict=True))
        rows = classify_rows(part)
        if rows is None:
            lines += [{**named, "cut": cut, "n": 0, "reason": _NO_CLASSES_REASON} for cut in CUTS]
            continue
        own = items[row_positions(frame, rows.id.tolist())]
        calibrated = reliability(rows.probability, rows.given == rows.most_probable)
        common = {**named, **_common_fields(rows, own), "calibration_error": calibrated.error}
        for cut, predicted_class in zip(CUTS, (rows.most_probable, rows.as_frequent), strict=True):
            agreement = partial(class_agreement, rows.given, predicted_class)
            low, high, _ = bootstrap(agreement, own, "percentile", resamples=resamples, rng=seed)
            ends = {"": agreement()[0, 0], "_low": low[0], "_high": high[0]}
            figures = {f"{n}{end}": float(v[place]) for place, n in enumerate(FIGURES) for end, v in ends.items()}
            lines.append({**common, "cut": cut, **figures})
        edges = np.linspace(0, 1, len(calibrated.n) + 1).round(3)
        for place in np.flatnonzero(calibrated.n):
            values = {name: getattr(calibrated, name)[place] for name in ("n", "probability", "share")}
            bins.append({**named, "from": edges[place], "to": edges[place + 1], **values})
    return {"learned_classes": tidy_table(lines, _CLASSES), "learned_reliability": tidy_table(bins, _RELIABILITY)}


class ClassifiedRows(NamedTuple):
    """Rows with rated points, predicted points and the highest predicted probability."""

    id: NDArray[np.object_]
    given: FloatArray
    most_probable: FloatArray
    as_frequent: FloatArray
    probability: FloatArray


def classify_rows(rows: pd.DataFrame) -> ClassifiedRows | None:
    """Return the rows of one protocol and rating as classes, each fold fitted on the others."""
    results = []
    folds = rows["fold"].to_numpy()
    rated, predicted = rows["rated"].to_numpy(float), rows["predicted"].to_numpy(float)
    for fold in np.unique(folds):
        own = folds == fold
        if (classes := RatingClasses.fit(rated[~own], predicted[~own])) is not None:
            scores = predicted[own].clip(rated[~own].min(), rated[~own].max())
            predicted_classes = classes.most_probable(scores), classes.as_frequent(scores)
            given = rows["id"].to_numpy(object)[own], rating_points(rated[own])
            results.append((*given, *predicted_classes, classes.probabilities(scores).max(1)))
    return ClassifiedRows(*(np.concatenate(column) for column in zip(*results, strict=True))) if results else None


def _common_fields(rows: ClassifiedRows, items: IntArray) -> dict[str, Any]:
    counts = np.unique(rows.given, return_counts=True)[1]
    majority = counts.max() / len(rows.given)
    return {
        "classes": len(counts),
        "n": len(rows.given),
        "items": len(np.unique(items)),
        "majority_accuracy": majority,
        "reason": None,
    }


_INTERVAL_COLUMNS = ("rating", "id", "fold", "rated", "predicted")
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
    require_columns(predictions, _INTERVAL_COLUMNS)
    if (twice := predictions.duplicated(["rating", "id"])).any():
        rating, identity = predictions.loc[twice, ["rating", "id"]].iloc[0]
        raise ValueError(f"row {identity} has two predictions of {rating}: give those of one protocol")
    parts = predictions.groupby("rating", sort=False)
    lines = ({"rating": rating, "level": level, **_coverage_fields(part, level)} for rating, part in parts)
    return tidy_table(lines, _COVERAGE)


def _coverage_fields(rows: pd.DataFrame, level: float) -> dict[str, Any]:
    from scipy.stats import binomtest

    rated, predicted, folds = (rows[name].to_numpy(dtype=float) for name in ("rated", "predicted", "fold"))
    inside, widths = np.zeros(0), np.zeros(0)
    for own in (folds == fold for fold in np.unique(folds)):
        width = interval_half_width(rated[~own], predicted[~own], level)
        if not math.isnan(width):
            errors = _absolute_errors(rated[own], predicted[own])
            inside = np.concatenate([inside, errors <= width])
            widths = np.concatenate([widths, np.full(len(errors), width)])
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


def _absolute_errors(rated: FloatArray, predicted: FloatArray) -> FloatArray:
    if rated.shape != predicted.shape or rated.ndim != 1:
        raise ValueError(f"{rated.shape} ratings and {predicted.shape} predictions: give one of each per row")
    known = ~np.isnan(rated)
    errors: FloatArray = np.abs(rated[known] - predicted[known])
    if not np.isfinite(errors).all():
        raise ValueError("a rated row has no finite prediction: give a finite number for every row")
    return errors
