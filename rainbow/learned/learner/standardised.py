"""Scores and ratings on scales that learners share: standardised columns, and ranks of ratings."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.contract import FieldCheck, array_check, check_fields


class Standardised(NamedTuple):
    """Parameters that standardise columns; each array has shape (columns,)."""

    median: FloatArray
    mean: FloatArray
    scale: FloatArray  # one over the standard deviation; 0 where the column is constant

    @classmethod
    def from_scores(cls, scores: FloatArray, weights: FloatArray) -> Self:
        """Return the parameters from rows of shape (n, columns) with weights of shape (n,)."""
        median = np.array([_weighted_median(column, weights) for column in scores.T])
        filled = np.where(np.isnan(scores), median, scores)
        mean = weights @ filled / weights.sum()
        deviation = np.sqrt(weights @ (filled - mean) ** 2 / weights.sum())
        # Rounding may leave a deviation where all values are equal.
        constant = deviation <= 1e-12 * np.maximum(1, np.abs(mean))
        return cls(median, mean, np.divide(1, deviation, where=~constant, out=np.zeros_like(deviation)))

    def check(self, columns: int) -> None:
        """Raise ValueError unless the parameters are valid for this many columns."""
        check_fields(self, Standardised, **standardisation_checks(columns))

    def __call__(self, scores: FloatArray, reach: float) -> FloatArray:
        """Return rows (m, columns) standardised and clipped to `reach` standard deviations."""
        filled = np.where(np.isnan(scores), self.median, scores)
        rows: FloatArray = np.minimum(np.maximum((filled - self.mean) * self.scale, -reach), reach)
        return rows


def standardisation_checks(columns: int) -> dict[str, FieldCheck]:
    """Return the field checks of standardisation parameters for this many columns."""
    return {"median": array_check(columns), "mean": array_check(columns), "scale": array_check(columns, minimum=0)}


def _weighted_median(column: FloatArray, weights: FloatArray) -> float:
    """Return the lower weighted median of the values that are not NaN; 0 if there are none."""
    known = ~np.isnan(column)
    if not known.any():
        return 0.0
    order = np.argsort(column[known], kind="stable")
    reached = np.cumsum(weights[known][order])
    return float(column[known][order][np.searchsorted(reached, reached[-1] / 2)])


def weighted_columns(steps: FloatArray, coefficients: FloatArray) -> FloatArray:
    """Return the sums of columns (rows, columns) weighted by coefficients (ratings, columns), shape (rows, ratings)."""
    # Column by column: the result for a row must not depend on other rows.
    total = np.zeros((len(steps), len(coefficients)))
    for place, column in enumerate(steps.T):
        total += column[:, None] * coefficients[:, place]
    return total


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
    targets = np.empty(ratings.shape)
    for place, column in enumerate(ratings.T):  # the weight share of smaller values plus half that of equal values
        _, position = np.unique(column, return_inverse=True)
        equal = np.bincount(position, weights)
        targets[:, place] = ((np.cumsum(equal) - equal / 2) / equal.sum())[position]
    total = weights.sum()
    mean, centre = weights @ ratings / total, weights @ targets / total
    deviations = targets - centre
    variance = weights @ deviations**2
    slope = np.divide(weights @ (deviations * (ratings - mean)), variance, where=variance > 0, out=np.zeros_like(mean))
    return RankTargets(targets, mean - slope * centre, slope)
