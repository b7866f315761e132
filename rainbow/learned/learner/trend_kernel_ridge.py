"""A kernel that knows best where texts are familiar, and a linear trend that holds anywhere."""

from __future__ import annotations

from copy import copy
from typing import Self

from rainbow.base.arrays import BoolArray, FloatArray, IntArray
from rainbow.learned.learner.kernel_ridge import RankKernelRidge, Texts
from rainbow.learned.learner.linear_trend import LinearTrend
from rainbow.learned.learner.rank_targets import rank_targets
from rainbow.learned.learner.vectors import Vectors

__all__ = ["TrendKernelRidge"]

# The kernel counts as the familiarity to this power: half of its say is gone where a sixth is not known.
POWER = 4


class TrendKernelRidge:
    """Kernel ridge regression, which gives way to a linear trend over scores as far as a text is unfamiliar.

    With K what :class:`RankKernelRidge` expects, T the rating that :class:`LinearTrend` expects from the same scores,
    and f the :meth:`familiarity` of a text, the expected rating is ``f ** 4 * K + (1 - f ** 4) * T``. Which texts,
    systems and values were met in training tells much of texts like those, and nothing of those of another domain.

    Parameters
    ----------
    scores, texts, ratings, weights, vectors
        As for :class:`RankKernelRidge`, with at least one column of scores and one of texts.
    groups, counted, unseen
        As for :class:`LinearTrend`.
    """

    def __init__(
        self,
        scores: FloatArray,
        texts: Texts,
        ratings: FloatArray,
        weights: FloatArray,
        vectors: Vectors | None = None,
        groups: IntArray | None = None,
        counted: BoolArray | None = None,
        unseen: BoolArray | None = None,
    ) -> None:
        targets = rank_targets(ratings, weights)
        self._kernel = RankKernelRidge(scores, texts, ratings, weights, vectors)
        self._trend = LinearTrend(scores, targets.targets, weights, groups, counted=counted, unseen=unseen)
        self._mean, self._slope = targets.mean, targets.slope

    def predict(self, scores: FloatArray, texts: Texts) -> FloatArray:
        """Return the expected ratings of these rows, shape (rows, ratings), each row by itself."""
        return self.weighed(scores, texts, self.familiarity(texts, len(scores))[:, None] ** POWER)

    def weighed(self, scores: FloatArray, texts: Texts, say: FloatArray) -> FloatArray:
        """Return the same, where the say of the kernel is known for every row, shape (rows, 1)."""
        trend = self._mean + self._slope * self._trend.predict(scores)
        predicted: FloatArray = say * self._kernel.predict(scores, texts) + (1 - say) * trend
        return predicted

    def familiarity(self, texts: Texts, rows: int) -> FloatArray:
        """Return how much of every text and of its input was met in training, 0 to 1, shape (rows,)."""
        return self._kernel.familiarity(texts, rows)

    def adapted(self) -> Self:
        """Return the regression for a domain whose texts are counted: its trend looks at counted columns in full."""
        one = copy(self)
        one._trend = self._trend.in_full()
        return one

    @property
    def median(self) -> FloatArray:
        """What a missing score of each column counts as, shape (columns,)."""
        return self._kernel.median

    def of_rating(self, place: int) -> Self:
        """Return the regression of one of the ratings."""
        one, chosen = copy(self), slice(place, place + 1)
        one._trend, one._kernel = self._trend.of_rating(place), self._kernel.of_rating(place)
        one._mean, one._slope = self._mean[chosen], self._slope[chosen]
        return one
