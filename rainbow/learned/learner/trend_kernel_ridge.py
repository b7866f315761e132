"""A linear trend that holds anywhere, and a kernel that knows better where texts are familiar."""

from __future__ import annotations

from copy import copy
from typing import Self

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.learned.learner.kernel_ridge import RankKernelRidge, Texts
from rainbow.learned.learner.linear_trend import LinearTrend
from rainbow.learned.learner.rank_targets import RankTargets, rank_targets
from rainbow.learned.learner.vectors import Vectors

__all__ = ["TrendKernelRidge"]

# How much of the trend the kernel builds on where a text is familiar; what is left to explain is its to learn.
TREND = 0.5
# The kernel counts as the familiarity to this power: half of it is gone where one word in six is not known.
POWER = 4


class TrendKernelRidge:
    """The ranks of ratings as a linear trend over scores, and by familiarity a kernel regression of what is left.

    With T the trend (:class:`LinearTrend`), K a :class:`RankKernelRidge` of the targets less half of T, and f the
    :meth:`familiarity` of a text, the expected rank is ``g (T / 2 + K) + (1 - g) T`` with ``g = f ** 4``. Of an
    unfamiliar text, such as those of another domain, the trend alone is believed: which texts, systems and values were
    met in training tells nothing there.

    Parameters
    ----------
    scores, texts, ratings, weights, vectors
        As for :class:`RankKernelRidge`, with at least one column of scores.
    groups
        As for :class:`LinearTrend`.

    References
    ----------
    A trend with a kernel on its residuals is known as regression kriging: Hengl, T., Heuvelink, G. and Rossiter, D.
    (2007). About regression-kriging: from equations to case studies. Computers & Geosciences 33(10).
    """

    def __init__(
        self,
        scores: FloatArray,
        texts: Texts,
        ratings: FloatArray,
        weights: FloatArray,
        vectors: Vectors | None = None,
        groups: IntArray | None = None,
    ) -> None:
        targets = rank_targets(ratings, weights)
        self._trend = LinearTrend(scores, targets.targets, weights, groups)
        left = targets.targets - TREND * self._trend.predict(scores)
        same = RankTargets(left, np.zeros(left.shape[1]), np.ones(left.shape[1]))
        self._kernel = RankKernelRidge(scores, texts, same, weights, vectors)
        self._mean, self._slope = targets.mean, targets.slope

    def predict(self, scores: FloatArray, texts: Texts) -> FloatArray:
        """Return the expected ratings of these rows, shape (rows, ratings), each row by itself."""
        trend, known = self._trend.predict(scores), self.familiarity(texts, len(scores))
        # Where no text is read there is nothing to tell a foreign one by.
        familiar = np.where(np.isnan(known), 1.0, known)[:, None] ** POWER
        local = TREND * trend + self._kernel.predict(scores, texts)
        predicted: FloatArray = self._mean + self._slope * (familiar * local + (1 - familiar) * trend)
        return predicted

    def familiarity(self, texts: Texts, rows: int) -> FloatArray:
        """Return the share of every text's words that were met in training, shape (rows,); NaN where none is read."""
        return self._kernel.familiarity(texts, rows)

    @property
    def median(self) -> FloatArray:
        """What a missing score of each column counts as, shape (columns,)."""
        return self._trend.columns.median

    def of_rating(self, place: int) -> Self:
        """Return the regression of one of the ratings."""
        one, chosen = copy(self), slice(place, place + 1)
        one._trend, one._kernel = self._trend.of_rating(place), self._kernel.of_rating(place)
        one._mean, one._slope = self._mean[chosen], self._slope[chosen]
        return one
