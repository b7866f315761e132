"""Agreement of predicted and true classes or labels, and calibration of predicted probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, IntArray

# Results of :func:`class_agreement`, in order.
FIGURES = ("accuracy", "macro_f1", "macro_recall", "macro_precision", "quadratic_kappa")


class PerClass(NamedTuple):
    """Recall, precision and F1 of each class, each of shape (..., classes); 0 where undefined."""

    recall: FloatArray
    precision: FloatArray
    f1: FloatArray


class Reliability(NamedTuple):
    """Calibration of predicted probabilities in equal-width bins, ignoring missing predictions.

    Shapes: n (bins,).
    """

    n: IntArray  # predictions in each bin, shape (bins,)
    probability: FloatArray  # their mean probability
    share: FloatArray  # how many of them came true, from 0 to 1
    error: float  # expected calibration error: how far share and probability are apart, on average over all predictions


def class_agreement(given: ArrayLike, predicted: ArrayLike, weights: ArrayLike | None = None) -> FloatArray:
    """Return the :data:`FIGURES` of predicted classes, shape (resamples, 1, figures).

    Shapes: given, predicted (n,), weights (resamples, n).
    """
    values, tables = confusion_matrices(given, predicted, weights)
    of_class = per_class(tables)
    squares = (values[:, None] - values) ** 2
    totals = tables.sum((1, 2))
    by_chance = np.einsum("ri,rj,ij->r", tables.sum(2), tables.sum(1), squares)
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy = np.trace(tables, axis1=1, axis2=2) / totals
        kappa = 1 - totals * np.einsum("rij,ij->r", tables, squares) / by_chance
    figures = [accuracy, of_class.f1.mean(1), of_class.recall.mean(1), of_class.precision.mean(1), kappa]
    return np.stack(figures, axis=1)[:, None]


def per_class(tables: FloatArray) -> PerClass:
    """Return recall, precision and F1 from confusion matrices, shape (..., true, predicted)."""
    right, given, predicted = np.diagonal(tables, axis1=-2, axis2=-1), tables.sum(-1), tables.sum(-2)
    return PerClass(*(_ratio_or_zero(right, whole) for whole in (given, predicted, (given + predicted) / 2)))


def reliability(probabilities: ArrayLike, came_true: ArrayLike, bins: int = 10) -> Reliability:
    """Return the observed frequency per predicted probability, in equal-width bins from 0 to 1.

    Source: Guo, C., Pleiss, G., Sun, Y. and Weinberger, K. (2017). On calibration of modern neural networks. ICML.
    """
    predicted, happened = np.asarray(probabilities, dtype=float), np.asarray(came_true, dtype=float)
    places = np.minimum((predicted * bins).astype(int), bins - 1)
    counts = np.bincount(places, minlength=bins)
    sums = [np.bincount(places, numbers, bins) for numbers in (predicted, happened)]
    with np.errstate(invalid="ignore"):
        probability, share = (total / counts for total in sums)
    error = np.abs(sums[0] - sums[1]).sum() / len(predicted) if len(predicted) else np.nan
    return Reliability(counts, probability, share, float(error))


def confusion_matrices(
    given: ArrayLike, predicted: ArrayLike, weights: ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """Return the class values and the confusion matrices, shape (resamples, k, k)."""
    rows = len(np.asarray(given))
    values, codes = np.unique(np.concatenate([given, predicted]).astype(float), return_inverse=True)
    size = len(values)
    pairs = size * codes[:rows] + codes[rows:]
    counts = np.ones((1, rows)) if weights is None else np.asarray(weights, dtype=float)
    return values, (counts @ np.eye(size**2)[pairs]).reshape(-1, size, size)


def _ratio_or_zero(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Return the ratio, or 0 where the denominator is 0."""
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


# Measures of all labels together, and of each label, in order.
OVERALL = ("accuracy", "over_constant", "kappa", "balanced_accuracy", "macro_f1")
PER_LABEL = ("share_people", "share_judge", "share_difference", "recall", "precision", "f1")


class LeftOutLabels(NamedTuple):
    """Labels of single raters, each twice: with the lower and with the upper median of the other raters.

    Shapes: outputs, labels, others (n,).
    """

    outputs: IntArray
    labels: FloatArray
    others: FloatArray


def median_labels(ratings: ArrayLike) -> FloatArray:
    """Return the median label of each output, of two labels the majority; NaN without one or between two.

    Shapes: ratings (outputs, raters), returns (outputs,).
    """
    lower, upper = _middle_labels(np.asarray(ratings, dtype=float))
    return np.where(lower == upper, lower, np.nan)


def left_out_labels(ratings: ArrayLike) -> LeftOutLabels:
    """Return each label of a rater with the medians of the others.

    Shapes: ratings (outputs, raters).
    """
    matrix = np.asarray(ratings, dtype=float)
    parts = []
    for rater, own in enumerate(matrix.T):
        for others in _middle_labels(np.delete(matrix, rater, axis=1)):
            outputs = np.flatnonzero(~np.isnan(own) & ~np.isnan(others))
            parts.append((outputs, own[outputs], others[outputs]))
    return LeftOutLabels(*map(np.concatenate, zip(*parts, strict=True)))


def _middle_labels(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the lower and the upper median of each row, each of shape (outputs,)."""
    ordered, counts = np.sort(matrix, axis=1), (~np.isnan(matrix)).sum(axis=1)  # NaN come last
    rows, last = np.arange(len(matrix)), np.maximum(counts - 1, 0)
    return ordered[rows, last // 2], ordered[rows, (last + 1) // 2]


def label_agreement(people: ArrayLike, judge: ArrayLike, weights: ArrayLike | None = None) -> FloatArray:
    """Return the :data:`OVERALL` measures, then the :data:`PER_LABEL` measures of each label, ascending.

    Shapes: people, judge (n,), weights (resamples, n), returns (resamples, 1, measures).
    Source: Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement
    20(1).
    """
    _, tables = confusion_matrices(people, judge, weights)
    totals, right = tables.sum((1, 2)), np.diagonal(tables, axis1=1, axis2=2)
    given, predicted = tables.sum(2), tables.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy, shares, predicted_shares = right.sum(1) / totals, given / totals[:, None], predicted / totals[:, None]
        chance = (shares * predicted_shares).sum(1)
        kappa = (accuracy - chance) / np.where(chance < 1, 1 - chance, np.nan)
        recall, precision, f1 = right / given, right / predicted, 2 * right / (given + predicted)
    overall = accuracy, accuracy - shares.max(1), kappa, _mean_defined(recall), _mean_defined(f1)
    of_label = shares, predicted_shares, predicted_shares - shares, recall, precision, f1
    return np.concatenate([np.stack(overall, 1), np.stack(of_label, 2).reshape(len(tables), -1)], axis=1)[:, None]


def _mean_defined(values: FloatArray) -> FloatArray:
    """Return the mean over the labels of which the measure is defined."""
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        mean: FloatArray = np.where(known, values, 0).sum(1) / known.sum(1)
    return mean
