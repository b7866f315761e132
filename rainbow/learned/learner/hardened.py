"""A score that falls to the bottom where a text is no sentence at all, whatever its columns say."""

from __future__ import annotations

from copy import copy
from typing import Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.kernel_ridge import RankKernelRidge, Texts
from rainbow.learned.learner.trend_kernel_ridge import POWER, TrendKernelRidge

__all__ = ["Hardened"]

# Where the guard is half open, and how sharply it closes: of outputs that people rated it lets nearly all pass.
MIDDLE, WIDTH = 0.45, 0.05


class Hardened:
    """What a learner expects, times how far a second one takes the text for a sentence and not for word salad.

    Ratings of what systems say tell little of texts that no system says, and a search finds among those some that a
    smooth learner puts high. So another kernel learns to tell sentences (1) from salad (0), and a guard
    ``g = 1 / (1 + exp((.45 - s) / .05))`` of its answer s scales what the rating is above the lowest:
    ``low + g ** f ** 4 * (rating - low)``. It is open for nearly all that people and systems say, so that their order
    stays, and as the kernel it has no say where a text is not familiar (f).

    Parameters
    ----------
    learner
        What expects ratings.
    sense
        What tells sentences from salad, fitted on 1 and 0.
    low
        The lowest rating of each kind, shape (ratings,).
    """

    def __init__(self, learner: TrendKernelRidge, sense: RankKernelRidge, low: FloatArray) -> None:
        self._learner, self._sense, self._low = learner, sense, low

    def predict(self, scores: FloatArray, texts: Texts) -> FloatArray:
        """Return the expected ratings of these rows, shape (rows, ratings), each row by itself."""
        say = self.familiarity(texts, len(scores))[:, None] ** POWER
        open_ = 1 / (1 + np.exp((MIDDLE - self._sense.predict(scores, texts)) / WIDTH))
        predicted: FloatArray = self._low + open_**say * (self._learner.predict(scores, texts) - self._low)
        return predicted

    def familiarity(self, texts: Texts, rows: int) -> FloatArray:
        """Return how much of every text and of its input was met in training, 0 to 1, shape (rows,)."""
        return self._learner.familiarity(texts, rows)

    @property
    def median(self) -> FloatArray:
        """What a missing score of each column counts as, shape (columns,)."""
        return self._learner.median

    def of_rating(self, place: int) -> Self:
        """Return the learner of one of the ratings."""
        one = copy(self)
        one._learner, one._low = self._learner.of_rating(place), self._low[place : place + 1]
        return one
