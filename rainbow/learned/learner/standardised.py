"""Columns of scores brought to one scale: what is missing filled in, the rest in standard deviations."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.declared import FieldCheck, check_fields, numbers


class Standardised(NamedTuple):
    """How the columns of some rows are standardised: each array has the shape (columns,)."""

    median: FloatArray
    mean: FloatArray
    scale: FloatArray  # one over the standard deviation; 0 where the column is constant

    @classmethod
    def of(cls, scores: FloatArray, weights: FloatArray) -> Self:
        """Return what rows of shape (n, columns) are standardised by, weights of shape (n,) counting."""
        median = np.array([_weighted_median(column, weights) for column in scores.T])
        filled = np.where(np.isnan(scores), median, scores)
        mean = weights @ filled / weights.sum()
        deviation = np.sqrt(weights @ (filled - mean) ** 2 / weights.sum())
        # Rounding may leave a deviation where all values are equal.
        constant = deviation <= 1e-12 * np.maximum(1, np.abs(mean))
        return cls(median, mean, np.divide(1, deviation, where=~constant, out=np.zeros_like(deviation)))

    def check(self, columns: int) -> None:
        """Refuse what does not standardise so many columns; ValueError says what."""
        check_fields(self, Standardised, **standardising(columns))

    def __call__(self, scores: FloatArray, reach: float) -> FloatArray:
        """Return rows (m, columns) in standard deviations from the mean, at most `reach` of them."""
        filled = np.where(np.isnan(scores), self.median, scores)
        rows: FloatArray = np.minimum(np.maximum((filled - self.mean) * self.scale, -reach), reach)
        return rows


def standardising(columns: int) -> dict[str, FieldCheck]:
    """Return what so many columns are standardised by, as declared of whatever holds it."""
    return {"median": numbers(columns), "mean": numbers(columns), "scale": numbers(columns, least=0)}


def _weighted_median(column: FloatArray, weights: FloatArray) -> float:
    """Return the lower weighted median of the values that are there; 0 where none is."""
    known = ~np.isnan(column)
    if not known.any():
        return 0.0
    order = np.argsort(column[known], kind="stable")
    reached = np.cumsum(weights[known][order])
    return float(column[known][order][np.searchsorted(reached, reached[-1] / 2)])
