"""A linear combination of at most five scores, for few ratings."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray, IntArray
from rainbow.learned.learner.contract import array_check, check_fields
from rainbow.learned.learner.kernel_ridge import Texts
from rainbow.learned.learner.standardised import Standardised, make_rank_targets, weighted_columns
from rainbow.learned.learner.started import REACH, ROWS, TOLD
from rainbow.stats.estimation.signed_ridge import signed_ridge

# Columns of a combination, at most.
MOST = 5
# Ridge penalty of a score, in rated outputs. From 50 to 200 nothing changes (`python -m benchmarks.recommended`).
PENALTY = 100.0


class Combination:
    """Ridge regression of rating ranks on a few scores, each in its known direction, shrunk to the general score.

    Shapes: scores (n, columns), directions (columns,), general (ratings, columns).
    """

    def __init__(
        self, scores: FloatArray, ratings: FloatArray, weights: FloatArray, directions: IntArray, general: BoolArray
    ) -> None:
        targets = make_rank_targets(ratings, weights)
        self._columns = Standardised.from_scores(scores, weights)
        steps = self._columns(scores, REACH)
        self._coefficients = np.zeros((ratings.shape[1], steps.shape[1]))
        for own, aims, seen in zip(self._coefficients, targets.targets.T, general, strict=True):
            sizes = np.abs(_coefficients(steps, aims, weights, directions, seen))
            kept = np.sort(np.argsort(-sizes, kind="stable")[:MOST])  # 0 for all but the largest
            own[kept] = _coefficients(steps[:, kept], aims, weights, directions[kept], seen[kept])
        self._mean, self._slope = weights @ ratings / weights.sum(), targets.slope

    @property
    def used(self) -> IntArray:
        """Places of the columns with a coefficient, those that change the prediction most first."""
        sizes = np.abs(self._coefficients).max(axis=0)
        order: IntArray = np.argsort(-sizes, kind="stable")
        used: IntArray = order[sizes[order] > 0]
        return used

    def predict(self, scores: FloatArray, texts: Texts) -> FloatArray:
        """Return the expected ratings, shape (rows, ratings), each row independently."""
        total = weighted_columns(self._columns(scores, REACH), self._coefficients)
        predicted: FloatArray = self._mean + self._slope * total
        return predicted

    def familiarity(self, texts: Texts, rows: int) -> FloatArray:
        """Return NaN for each row, shape (rows,): no text is read."""
        return np.full(rows, np.nan)

    @property
    def median(self) -> FloatArray:
        """The value of each score that replaces a missing one, shape (columns,)."""
        return self._columns.median

    def check(self, columns: int, texts: Sequence[str]) -> None:
        """Raise ValueError unless fitted on one rating with this many columns; texts are not read."""
        check_fields(
            self,
            Combination,
            _columns=lambda own, _: Standardised.check(own, columns),
            _coefficients=array_check(1, columns),
            _mean=array_check(1),
            _slope=array_check(1),
        )

    def select_rating(self, place: int) -> Self:
        """Return the combination of a single rating."""
        one, chosen = copy(self), slice(place, place + 1)
        one._coefficients, one._mean, one._slope = self._coefficients[chosen], self._mean[chosen], self._slope[chosen]
        return one


def _coefficients(
    steps: FloatArray, targets: FloatArray, weights: FloatArray, directions: IntArray, general: BoolArray
) -> FloatArray:
    """Return the change of the target per step of each score, shape (columns,)."""
    centred = targets - weights @ targets / weights.sum()
    deviation = np.sqrt(weights @ centred**2 / weights.sum())
    prior = np.where(general, TOLD * deviation / max(1, general.sum()), 0.0)
    return signed_ridge(steps, centred, weights, directions, np.where(general, ROWS, PENALTY), prior)
