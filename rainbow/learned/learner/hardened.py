"""A score that falls to the bottom where a text is no sentence for its input, whatever its columns say."""

from __future__ import annotations

from copy import copy
from typing import Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.kernel_ridge import RankKernelRidge, Texts
from rainbow.learned.learner.linear_trend import LinearTrend
from rainbow.learned.learner.trend_kernel_ridge import POWER, TrendKernelRidge

__all__ = ["Hardened"]

# Where the guard of each is half open, and how sharply it closes: outputs that people rated nearly all pass.
SENSE_MIDDLE, SENSE_WIDTH = 0.45, 0.05
ANYWHERE_MIDDLE, ANYWHERE_WIDTH = 0.3, 0.1


class Hardened:
    """What a learner expects, times how far the text is taken for a sentence about its input and not for word salad.

    Ratings of what systems say tell little of texts that no system says, and a search finds among those some that a
    smooth learner puts high. So a kernel learns to tell sentences (1) from salad (0), and a guard
    ``g = 1 / (1 + exp((.45 - s) / .05))`` of its answer s scales what the rating is above the lowest:
    ``low + g * (rating - low)``. What it takes for sentences are those of one domain. So it speaks only where every
    word of the input (act and slots) was met in training, which no text can change, however odd its words. For other
    inputs a linear trend over general columns tells sentences about the input from other texts, with a guard h
    likewise; where inputs are not read, the two count as the kernel and the trend of the rating do: ``f ** 4 * g +
    (1 - f ** 4) * h`` for a familiarity f. Both are open for nearly all that people and systems say, so that their
    order stays.

    Parameters
    ----------
    learner
        What expects ratings.
    sense
        What tells sentences from salad of familiar words, fitted on 1 and 0.
    anywhere
        What tells sentences about their input from other texts in any domain, fitted on 1 and 0.
    low
        The lowest rating of each kind, shape (ratings,).
    """

    def __init__(
        self, learner: TrendKernelRidge, sense: RankKernelRidge, anywhere: LinearTrend, low: FloatArray
    ) -> None:
        self._learner, self._sense, self._anywhere, self._low = learner, sense, anywhere, low

    def predict(self, scores: FloatArray, texts: Texts) -> FloatArray:
        """Return the expected ratings of these rows, shape (rows, ratings), each row by itself."""
        say = self._say(texts, len(scores))[:, None]
        sense = _open(self._sense.predict(scores, texts), SENSE_MIDDLE, SENSE_WIDTH)
        anywhere = _open(self._anywhere.predict(scores), ANYWHERE_MIDDLE, ANYWHERE_WIDTH)
        above = self._learner.predict(scores, texts) - self._low
        predicted: FloatArray = self._low + (say * sense + (1 - say) * anywhere) * above
        return predicted

    def _say(self, texts: Texts, rows: int) -> FloatArray:
        """Return how far the kernel guards, and not the trend, 0 to 1, shape (rows,)."""
        known = self._learner.input_familiarity(texts, rows)
        say: FloatArray = np.where(np.isnan(known), self.familiarity(texts, rows) ** POWER, known == 1)
        return say

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


def _open(told: FloatArray, middle: float, width: float) -> FloatArray:
    """Return how far a guard is open, 0 to 1, for what tells sentences (1) from other texts (0)."""
    return 1 / (1 + np.exp((middle - told) / width))
