"""Agreement of a judge's labels with those of people: over all labels, and for each label."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.stats.agreement.class_agreement import confusion_matrices

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
