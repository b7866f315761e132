"""General scores adapted to a corpus, plus a kernel for the residual differences."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Self

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray, IntArray
from rainbow.learned.learner.contract import array_check, check_fields
from rainbow.learned.learner.kernel_ridge import RankKernelRidge, Texts
from rainbow.learned.learner.standardised import Standardised, make_rank_targets, weighted_columns

# The kernel is weighted by the familiarity to this power: fully if all words are known, by two thirds at .9, by a
# quarter at .7.
POWER = 4.0
# Prior on the general scores before any rating is seen: this correlation, weighted like this number of rated outputs.
TOLD, ROWS = 0.4, 30.0
REACH = 4.0


class Started:
    """A learner of ratings that starts from general scores and fits a kernel to the residuals.

    Shapes: start (k,), seen (ratings, k), powers (ratings,).
    Source: Rasmussen, C. E. and Williams, C. K. I. (2006). Gaussian processes for machine learning, section 2.7: a mean
    that is known. MIT Press.
    """

    def __init__(
        self,
        scores: FloatArray,
        texts: Texts,
        ratings: FloatArray,
        weights: FloatArray,
        start: IntArray,
        seen: BoolArray | None = None,
        powers: FloatArray | None = None,
    ) -> None:
        targets = make_rank_targets(ratings, weights)
        self._start = start
        self._columns = Standardised.from_scores(scores[:, start], weights)
        steps = self._columns(scores[:, start], REACH)
        every = np.ones((ratings.shape[1], len(start)), dtype=bool) if seen is None else seen
        self._coefficients = np.zeros(every.shape)
        for place, (looked, aims) in enumerate(zip(every, targets.targets.T, strict=True)):
            self._coefficients[place, looked] = _fit_coefficients(steps[:, looked], aims, weights)
        base = weighted_columns(steps, self._coefficients)
        self._kernel = RankKernelRidge(self._other_columns(scores), texts, ratings, weights, base)
        self._mean, self._slope = weights @ ratings / weights.sum(), targets.slope
        self._powers = np.full(ratings.shape[1], POWER) if powers is None else powers

    def predict(self, scores: FloatArray, texts: Texts) -> FloatArray:
        """Return the expected ratings, shape (rows, ratings), each row independently."""
        steps = self._columns(scores[:, self._start], REACH)
        predicted: FloatArray = self._mean + self._slope * weighted_columns(steps, self._coefficients)
        familiar = self.familiarity(texts, len(scores))
        say = np.where(np.isnan(familiar), 1.0, familiar)[:, None] ** self._powers
        known = np.flatnonzero(familiar != 0).tolist()  # of others it says nothing
        if len(known):
            columns = {name: [column[row] for row in known] for name, column in texts.items()}
            predicted[known] += say[known] * self._kernel.predict(self._other_columns(scores[known]), columns)
        return predicted

    def familiarity(self, texts: Texts, rows: int) -> FloatArray:
        """Return the share of each text and its input seen in training, 0 to 1, shape (rows,)."""
        return self._kernel.familiarity(texts, rows)

    @property
    def median(self) -> FloatArray:
        """The value of each score that replaces a missing one, shape (columns,)."""
        median = np.zeros(len(self._start) + len(self._kernel.median))
        median[self._start] = self._columns.median
        median[np.delete(np.arange(len(median)), self._start)] = self._kernel.median
        return median

    def check(self, columns: int, texts: Sequence[str]) -> None:
        """Raise ValueError unless fitted on one rating with this many columns and these texts."""
        starts = np.size(getattr(self, "_start", ()))
        check_fields(
            self,
            Started,
            _start=array_check(starts, minimum=0, maximum=columns - 1, kind=np.int64),
            _columns=lambda own, _: Standardised.check(own, starts),
            _coefficients=array_check(1, starts),
            _kernel=lambda own, _: RankKernelRidge.check(own, columns - starts, texts),
            _mean=array_check(1),
            _slope=array_check(1),
            _powers=array_check(1, minimum=0),
        )
        if len(np.unique(self._start)) < starts:
            raise ValueError("a start column is listed twice")

    def select_rating(self, place: int) -> Self:
        """Return the learner of a single rating."""
        one, chosen = copy(self), slice(place, place + 1)
        one._coefficients, one._kernel = self._coefficients[chosen], self._kernel.select_rating(place)
        one._mean, one._slope, one._powers = self._mean[chosen], self._slope[chosen], self._powers[chosen]
        return one

    def _other_columns(self, scores: FloatArray) -> FloatArray:
        others: FloatArray = np.delete(scores, self._start, axis=1)
        return others


def _fit_coefficients(steps: FloatArray, targets: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the change of the target per step of each general score, shape (k,)."""
    from scipy.optimize import nnls

    centred = targets - weights @ targets / weights.sum()
    deviation = np.sqrt(weights @ centred**2 / weights.sum())
    before = TOLD * deviation / steps.shape[1]
    root = np.sqrt(weights)
    rows = np.vstack([steps * root[:, None], np.sqrt(ROWS) * np.eye(steps.shape[1])])
    values: FloatArray = nnls(rows, np.concatenate([centred * root, np.full(steps.shape[1], np.sqrt(ROWS) * before)]))[
        0
    ]
    return values
