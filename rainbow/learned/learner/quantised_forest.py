"""The learner of the 2017 paper: a random forest over scores, on the rating scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.contract import array_check, check_fields
from rainbow.learned.learner.regression_trees import Trees

TREES, SPLIT_COLUMNS, NODE = 100, 2, 5
STEPS = 11  # values of a scale from 1 to 6 with halves


class QuantisedForest:
    """A random forest of 100 trees on scores quantised to 11 steps per column.

    Source: Novikova, Dušek, Cercas Curry and Rieser (2017), Why We Need New Evaluation Metrics for NLG, section 7.2.
    Breiman, L. (2001). Random forests. Machine Learning 45.
    """

    def __init__(self, scores: FloatArray, ratings: FloatArray, weights: FloatArray, seed: int) -> None:
        from sklearn.ensemble import RandomForestRegressor

        if not scores.shape[1]:
            raise ValueError("the preset 'paper' does not use texts: pass columns of scores")
        known = np.isfinite(scores).any(axis=0)
        self.median, self.low, span = (np.zeros(scores.shape[1]) for _ in range(3))
        self.median[known] = np.nanmedian(scores[:, known], axis=0)
        self.low[known] = np.nanmin(scores[:, known], axis=0)
        span[known] = np.nanmax(scores[:, known], axis=0) - self.low[known]
        self.steps = np.divide(STEPS, span, where=span > 0, out=np.zeros_like(span))
        forest = RandomForestRegressor(
            TREES, max_features=min(SPLIT_COLUMNS, scores.shape[1]), min_samples_split=NODE + 1, random_state=seed
        )
        forest.fit(self._quantised(scores), ratings[:, 0] if ratings.shape[1] == 1 else ratings, weights)
        self.trees = Trees.from_forest(forest)

    def predict(self, scores: FloatArray, texts: object = None) -> FloatArray:
        """Return the expected ratings, shape (rows, ratings)."""
        return self.trees.predict(self._quantised(scores))

    def familiarity(self, texts: object, rows: int) -> FloatArray:
        """Return NaN for every row, as no text is read."""
        return np.full(rows, np.nan)

    def check(self, columns: int, texts: Sequence[str]) -> None:
        """Raise ValueError unless the forest has valid fields for this many columns and one rating."""
        each = array_check(columns)
        check_fields(
            self, QuantisedForest, median=each, low=each, steps=each, trees=lambda trees, _: Trees.check(trees, columns)
        )

    def _quantised(self, scores: FloatArray) -> FloatArray:
        filled = np.where(np.isnan(scores), self.median, scores)
        quantised: FloatArray = np.floor((filled - self.low) * self.steps).clip(0, STEPS - 1) / 2 + 1
        return quantised
