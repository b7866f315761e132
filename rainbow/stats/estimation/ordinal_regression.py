"""Cumulative logit regression: probabilities of ordered classes from a number."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import scipy

# Prior on a slope s, in standard deviations of the numbers: exp(-s² / 200). It matters only if the numbers separate the
# classes perfectly and the likelihood has no maximum.
_PENALTY = 1 / 200
# The smallest share of the logit between two cuts: classes keep their order.
_MIN_CUT_DISTANCE = 1e-6


class CumulativeLogit(NamedTuple):
    """A model in which class k or lower has probability ``1 / (1 + exp(slope * x - cuts[k]))``."""

    slope: float  # 0 or more: with higher numbers higher classes are never less likely
    cuts: FloatArray  # one less than classes, in rising order

    def probabilities(self, numbers: ArrayLike) -> FloatArray:
        """Return class probabilities, shape (n, classes), each row summing to 1; NaN inputs give NaN."""
        return np.diff(_cumulative_probabilities(self, np.asarray(numbers, dtype=float)), axis=1)


def fit_cumulative_logit(numbers: ArrayLike, classes: ArrayLike) -> CumulativeLogit:
    """Fit the model by maximum likelihood.

    Shapes: numbers (n,), classes (n,).
    Source: McCullagh, P. (1980). Regression models for ordinal data. Journal of the Royal Statistical Society B 42(2).
    """
    x, places = np.asarray(numbers, dtype=float), np.asarray(classes)
    _check_classes(x, places)
    centre, spread = x.mean(), x.std() or 1.0
    scaled = (x - centre) / spread
    below = np.cumsum(np.bincount(places))[:-1] / len(x)
    first = np.log(below / (1 - below))
    start = np.concatenate([[0.5], first[:1], np.diff(first)])
    bounds = [(0.0, None), (None, None), *[(_MIN_CUT_DISTANCE, None)] * (len(first) - 1)]
    solution = scipy.optimize.minimize(_loss, start, (scaled, places), "L-BFGS-B", jac=True, bounds=bounds).x
    slope = float(solution[0] / spread)
    return CumulativeLogit(slope, np.cumsum(solution[1:]) + slope * centre)


def _check_classes(numbers: FloatArray, classes: IntArray) -> None:
    """Raise ValueError if the numbers or classes are invalid."""
    if numbers.ndim != 1 or numbers.shape != classes.shape:
        raise ValueError(f"{numbers.shape} numbers and {classes.shape} classes: give one of each per row")
    if not np.isfinite(numbers).all():
        raise ValueError("a number is not finite: drop such rows")
    if not np.issubdtype(classes.dtype, np.integer) or len(classes) == 0 or classes.min() < 0:
        raise ValueError("classes must be whole numbers of at least 0")
    if (counts := np.bincount(classes)).min() == 0 or len(counts) < 2:
        raise ValueError("at least two classes are needed, each with at least one row")


def _cumulative_probabilities(model: CumulativeLogit, numbers: FloatArray) -> FloatArray:
    """Return the cumulative class probabilities, from 0 (before the first) to 1 (at the last)."""
    inner = scipy.special.expit(model.cuts - model.slope * numbers[:, None])
    known = np.where(np.isnan(numbers), np.nan, 0.0)[:, None]
    return np.hstack([known, inner, known + 1])


def _loss(parameters: FloatArray, numbers: FloatArray, classes: IntArray) -> tuple[float, FloatArray]:
    """Return the mean negative log likelihood and its gradient by slope, first cut and cut steps."""
    slope, n = parameters[0], len(numbers)
    at_most = _cumulative_probabilities(CumulativeLogit(slope, np.cumsum(parameters[1:])), numbers)
    rows = np.arange(n)
    own = np.maximum(at_most[rows, classes + 1] - at_most[rows, classes], 1e-300)
    density = at_most * (1 - at_most)
    by_cut = np.zeros(len(parameters) + 1)  # derivatives by each cut, with those that do not move at both ends
    upper, lower = density[rows, classes + 1] / own, density[rows, classes] / own
    np.add.at(by_cut, classes + 1, -upper)
    np.add.at(by_cut, classes, lower)
    by_slope = (upper - lower) @ numbers
    by_step = np.cumsum(by_cut[1:-1][::-1])[::-1]
    loss = -np.log(own).sum() + _PENALTY * slope**2
    gradient = np.concatenate([[by_slope + 2 * _PENALTY * slope], by_step])
    return float(loss / n), gradient / n
