"""Conversion of ratings to relative ranks and back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray


class RankTargets(NamedTuple):
    """Ratings as relative ranks, with the line that maps them back."""

    # shape (n, ratings), each between 0 and 1: the weight of the ratings of its column that are lower, and half that of
    # its equals, as a share of all (the mean of the targets is one half)
    targets: FloatArray
    # shape (ratings,): ``mean + slope * target`` is the least-squares line from the targets to the ratings
    mean: FloatArray
    slope: FloatArray


def make_rank_targets(ratings: FloatArray, weights: FloatArray) -> RankTargets:
    """Convert ratings to relative ranks (ridits), the fitting target of rank-based learners.

    Shapes: ratings (n, ratings), weights (n,).
    Source: Bross, I. D. J. (1958). How to use ridit analysis. Biometrics 14(1).
    """
    targets = np.column_stack([_shares_below(column, weights) for column in ratings.T])
    total = weights.sum()
    mean, centre = weights @ ratings / total, weights @ targets / total
    deviations = targets - centre
    variance = weights @ deviations**2
    slope = np.divide(weights @ (deviations * (ratings - mean)), variance, where=variance > 0, out=np.zeros_like(mean))
    return RankTargets(targets, mean - slope * centre, slope)


def _shares_below(column: FloatArray, weights: FloatArray) -> FloatArray:
    """Return for each value the weight share of smaller values plus half that of equal values."""
    _, position = np.unique(column, return_inverse=True)
    equal = np.bincount(position, weights)
    shares: FloatArray = ((np.cumsum(equal) - equal / 2) / equal.sum())[position]
    return shares
