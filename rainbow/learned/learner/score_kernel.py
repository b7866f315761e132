"""Gaussian kernel on standardised scores."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.learned.learner.contract import array_check, check_fields, check_positive
from rainbow.learned.learner.standardised import Standardised, standardisation_checks

# A score this many standard deviations from the mean counts as one that far: a few columns have long tails.
REACH = 4.0
# To this part of a standard deviation the rows that are kept are rounded: they take half the room in a file then.
STEPS = 64


class ScoreKernel:
    """``exp(-gamma |a - b|² / columns)`` of scores standardised on the training rows.

    Shapes: scores, weights (n, columns).
    """

    def __init__(self, gamma: float, scores: FloatArray, weights: FloatArray) -> None:
        self.gamma = gamma
        self.median, self.mean, self.scale = Standardised.from_scores(scores, weights)
        self.support = np.rint(self._standardised(scores) * STEPS) / STEPS

    def __call__(self, scores: FloatArray) -> FloatArray:
        """Return the similarity of these rows (m, columns) to the training rows, shape (m, n)."""
        return self._similarity(self._standardised(scores))

    def self_similarity(self) -> FloatArray:
        """Return the similarity of the stored training rows to each other, shape (n, n)."""
        return self._similarity(self.support)

    def weighted_sums(self, scores: FloatArray, coefficients: FloatArray) -> FloatArray:
        """Return similarity-weighted sums of coefficients (ratings, n), shape (m, ratings)."""
        if kernels():
            # In steps, of which the support has whole numbers: a power of two, so that no bit of a sum changes.
            gamma = self.gamma / self.support.shape[1] / STEPS**2
            return compiled.gaussian_sums(self._standardised(scores) * STEPS, self._steps, coefficients, gamma)
        # Sums along rows, not a matrix product: the result for a row must not depend on other rows.
        likeness = self(scores)
        return np.column_stack([(likeness * weights).sum(axis=1) for weights in coefficients])

    @cached_property
    def _steps(self) -> NDArray[np.int16]:
        return np.rint(self.support.T * STEPS).astype(np.int16, order="C")

    def _similarity(self, rows: FloatArray) -> FloatArray:
        from scipy.spatial.distance import cdist

        # Pair by pair, not a matrix product: the result for a row must not depend on other rows.
        distances = cdist(rows, self.support, "sqeuclidean")
        likeness: FloatArray = np.exp(-self.gamma / self.support.shape[1] * distances)
        return likeness

    def _standardised(self, scores: FloatArray) -> FloatArray:
        return Standardised(self.median, self.mean, self.scale)(scores, REACH)

    def check(self, columns: int, rows: int) -> None:
        """Raise ValueError unless the kernel is valid for this many columns and rows."""
        support = array_check(rows, columns, minimum=-REACH, maximum=REACH)
        check_fields(self, ScoreKernel, gamma=check_positive, **standardisation_checks(columns), support=support)

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in vars(self).items() if name != "_steps"}
        return state | {"support": self.support.astype(np.float16)}  # which is exact

    def __setstate__(self, state: dict[str, Any]) -> None:
        support = state["support"]
        half = getattr(support, "dtype", None) == np.float16  # what it holds else, is for others to refuse
        self.__dict__.update(state, support=support.astype(np.float64) if half else support)
