"""Ratings as normal scores of their ranks, and back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rainbow.metrics.base import FloatArray

__all__ = ["RankTargets", "rank_targets"]


class RankTargets(NamedTuple):
    """Ratings turned into normal scores, with the line that leads back.

    Attributes
    ----------
    targets
        Shape (n, ratings): the standard normal quantile of the rank of each rating among those of its column, the
        ranks of equal ratings being their mean.
    mean, slope
        Shape (ratings,): ``mean + slope * target`` is the least-squares line from the targets to the ratings.
    """

    targets: FloatArray
    mean: FloatArray
    slope: FloatArray


def rank_targets(ratings: FloatArray, weights: FloatArray) -> RankTargets:
    """Turn ratings into normal scores: what a learner of order should be fitted on.

    Ratings are ordinal and pile up at the upper end of their scale; on their ranks a squared error does not
    mostly count the few low ones. A linear smoother fitted on the targets is, by the same line, one fitted
    on the part of the ratings that the targets explain, so predictions come back to the scale of the ratings.

    Parameters
    ----------
    ratings
        Shape (n, ratings), without NaN.
    weights
        Shape (n,), positive: a rating of weight two counts as two equal ones.

    References
    ----------
    van der Waerden, B. L. (1952). Order tests for the two-sample problem and their power. Indagationes Mathematicae 14.

    Examples
    --------
    >>> import numpy as np
    >>> targets, mean, slope = rank_targets(np.array([[1.0], [6.0], [6.0], [6.0]]), np.ones(4))
    >>> targets.ravel().round(2).tolist(), mean.round(2).tolist(), slope.round(2).tolist()
    ([-1.15, 0.32, 0.32, 0.32], [4.92], [3.4])
    """
    from scipy.special import ndtri

    targets = np.column_stack([ndtri(_shares_below(column, weights)) for column in ratings.T])
    total = weights.sum()
    mean, centre = weights @ ratings / total, weights @ targets / total
    deviations = targets - centre
    variance = weights @ deviations**2
    slope = np.divide(weights @ (deviations * (ratings - mean)), variance, where=variance > 0, out=np.zeros_like(mean))
    return RankTargets(targets, mean - slope * centre, slope)


def _shares_below(column: FloatArray, weights: FloatArray) -> FloatArray:
    """Give for every value the weight of the smaller ones and half that of its equals, as a share of all."""
    _, position = np.unique(column, return_inverse=True)
    equal = np.bincount(position, weights)
    shares: FloatArray = ((np.cumsum(equal) - equal / 2) / equal.sum())[position]
    return shares
