"""What scores tell anywhere: ridge regression of ratings on standardised columns."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray, IntArray
from rainbow.learned.learner.standardised import Standardised

__all__ = ["LinearTrend", "within_groups"]

ALPHA = 30.0
# In other domains many scores lie far from the mean.
REACH = 2.0
# What a trend that looks at counted columns too has to say, beside one that does not.
COUNTED = 0.25


class LinearTrend:
    """A ridge regression over standardised scores, learned from differences within groups of rows.

    Scores and targets are taken less the means of their group before the coefficients are computed (fixed effects), so
    that what merely tells one group from another, such as the system that wrote a text, is not learned as good or bad.

    Parameters
    ----------
    scores
        Shape (n, columns), NaN allowed.
    targets
        Shape (n, ratings).
    weights
        Shape (n,), positive.
    groups
        The number of every row's group, shape (n,), counted from 0; by default all rows are one.
    reach
        A score this many standard deviations from the mean counts as one that far.
    counted
        Which columns rest on texts of this domain that were counted, as those of a language model do, and mean
        something else in another; shape (columns,), by default none. The coefficients are a quarter of those of all
        columns and three quarters of those of the others alone.
    unseen
        Which columns the trend of each rating does not look at, shape (ratings, columns), by default none.

    References
    ----------
    Mundlak, Y. (1978). On the pooling of time series and cross section data. Econometrica 46(1): fixed effects.

    Examples
    --------
    >>> import numpy as np
    >>> scores, targets = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([[0.0], [1.0], [0.0], [1.0]])
    >>> LinearTrend(scores, targets, np.full(4, 9.0)).predict(scores).round(2).ravel().tolist()
    [0.34, 0.45, 0.55, 0.66]
    >>> LinearTrend(scores, targets, np.full(4, 9.0), np.array([0, 0, 1, 1])).predict(scores).round(2).ravel().tolist()
    [0.21, 0.4, 0.6, 0.79]
    """

    def __init__(
        self,
        scores: FloatArray,
        targets: FloatArray,
        weights: FloatArray,
        groups: IntArray | None = None,
        reach: float = REACH,
        counted: BoolArray | None = None,
        unseen: BoolArray | None = None,
    ) -> None:
        self.columns, self.reach = Standardised.of(scores, weights), reach
        rows = self.columns(scores, reach)
        groups = np.zeros(len(rows), dtype=np.intp) if groups is None else groups
        within, aims = within_groups(rows, weights, groups), within_groups(targets, weights, groups)
        unseen = np.zeros((targets.shape[1], rows.shape[1]), dtype=bool) if unseen is None else unseen
        every = self.coefficients = _coefficients(within, aims, weights, unseen)
        if counted is not None:
            general = _coefficients(within, aims, weights, unseen | counted)
            self.coefficients = COUNTED * every + (1 - COUNTED) * general
        mean, centre = weights @ targets / weights.sum(), weights @ rows / weights.sum()
        self.intercept: FloatArray = mean - self.coefficients @ centre
        # What :meth:`in_full` gives: for each rating the intercept, then the coefficients.
        self.full: FloatArray = np.column_stack([mean - every @ centre, every])

    def predict(self, scores: FloatArray) -> FloatArray:
        """Return the expected targets of rows (m, columns), shape (m, ratings), each row by itself."""
        rows = self.columns(scores, self.reach)
        # Sums along rows, not a product of matrices: what a row gets must not depend on the rows beside it.
        sums = [(rows * coefficients).sum(axis=1) for coefficients in self.coefficients]
        predicted: FloatArray = self.intercept + np.array(sums).T
        return predicted

    def in_full(self) -> Self:
        """Return the trend that looks at counted columns as at all others: where texts of the domain were counted."""
        one = copy(self)
        one.intercept, one.coefficients = self.full[:, 0].copy(), self.full[:, 1:].copy()
        return one

    def of_rating(self, place: int) -> Self:
        """Return the trend of one of the ratings."""
        one, chosen = copy(self), slice(place, place + 1)
        one.coefficients, one.intercept = self.coefficients[chosen], self.intercept[chosen]
        one.full = self.full[chosen]
        return one

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "full" not in state:  # files from before look at all columns in full
            self.full = np.column_stack([self.intercept, self.coefficients])


def _coefficients(rows: FloatArray, aims: FloatArray, weights: FloatArray, unseen: BoolArray) -> FloatArray:
    """Return those of a ridge regression of each of the aims on the columns that it sees, 0 for others."""
    from scipy.linalg import solve

    found = np.zeros(unseen.shape)
    for place, seen in enumerate(~unseen):
        weighted = rows[:, seen] * weights[:, None]
        gram = weighted.T @ rows[:, seen] + ALPHA * np.eye(seen.sum())
        found[place, seen] = solve(gram, weighted.T @ aims[:, place], assume_a="pos") if seen.any() else 0.0
    return found


def within_groups(values: FloatArray, weights: FloatArray, groups: IntArray) -> FloatArray:
    """Return values (n, columns) less the weighted means of their groups."""
    totals = np.bincount(groups, weights)
    means = np.column_stack([np.bincount(groups, weights * column) / totals for column in values.T])
    centred: FloatArray = values - means[groups]
    return centred
