"""A score that falls to the bottom where a text says nothing of its input, or is no sentence, in any domain."""

from __future__ import annotations

from copy import copy
from typing import Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.kernel_ridge import Texts
from rainbow.learned.learner.linear_trend import LinearTrend
from rainbow.learned.learner.trend_kernel_ridge import POWER, TrendKernelRidge

__all__ = ["Guarded"]

# Where the guard is half open, and how sharply it closes: of outputs that people rated nearly all pass.
MIDDLE, WIDTH = 0.3, 0.1


class Guarded:
    """What a learner expects, times how far the text is taken for an output and not for one that says nothing.

    Ratings of what systems say tell little of texts that no system says: shuffled, made of no words, about something
    else. In another domain such a text may get more than a good one. So a linear trend over columns that mean the same
    anywhere learns to tell outputs (1) from those (0), and a guard ``g = 1 / (1 + exp((.3 - t) / .1))`` of its answer t
    scales what the rating is above the lowest, as far as the text is not familiar (f), which the kernel of the learner
    knows best: ``low + (f ** 4 + (1 - f ** 4) * g) * (rating - low)``.

    Parameters
    ----------
    learner
        What expects ratings.
    told
        What tells outputs from worthless texts, fitted on 1 and 0.
    low
        The lowest rating of each kind, shape (ratings,).
    """

    def __init__(self, learner: TrendKernelRidge, told: LinearTrend, low: FloatArray) -> None:
        self._learner, self._told, self._low = learner, told, low

    def predict(self, scores: FloatArray, texts: Texts) -> FloatArray:
        """Return the expected ratings of these rows, shape (rows, ratings), each row by itself."""
        known = self.familiarity(texts, len(scores))[:, None] ** POWER
        guard = known + (1 - known) / (1 + np.exp((MIDDLE - self._told.predict(scores)) / WIDTH))
        predicted: FloatArray = self._low + guard * (self._learner.weighed(scores, texts, known) - self._low)
        return predicted

    def familiarity(self, texts: Texts, rows: int) -> FloatArray:
        """Return how much of every text and of its input was met in training, 0 to 1, shape (rows,)."""
        return self._learner.familiarity(texts, rows)

    @property
    def median(self) -> FloatArray:
        """What a missing score of each column counts as, shape (columns,)."""
        return self._learner.median

    def adapted(self) -> Self:
        """Return the same for a domain whose texts are counted, see :meth:`TrendKernelRidge.adapted`."""
        one = copy(self)
        one._learner = self._learner.adapted()
        return one

    def of_rating(self, place: int) -> Self:
        """Return the learner of one of the ratings."""
        one = copy(self)
        one._learner, one._low = self._learner.of_rating(place), self._low[place : place + 1]
        return one
