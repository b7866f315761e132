"""Bradley-Terry model with ties: system strengths from pairwise comparisons."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import scipy

# Prior on strengths, in nats: e^10 wins to one loss. It moves strengths by less than 1e-4 if systems have hundreds of
# comparisons, and keeps the strength of a system that always wins finite.
PRIOR_SD = 10.0

_MAX_STEPS = 200
_CONVERGED = 1e-10
# A longer step of Newton's method may overshoot where the likelihood is flat.
_MAX_STEP_SIZE = 2.0


class Strengths(NamedTuple):
    """Parameters of a fitted Bradley-Terry model.

    Shapes: strength (resamples, k), tie (resamples,).
    """

    strength: FloatArray  # of each system, in nats (odds of winning are ``exp(difference)``)
    tie: FloatArray  # the logarithm of Davidson's nu


def fit_bradley_terry(wins: ArrayLike, draws: ArrayLike, *, prior_sd: float = PRIOR_SD) -> Strengths:
    """Return the strengths of k systems from pairwise counts of wins and draws.

    Shapes: wins (k, k).
    Source: Davidson, R. R. (1970). On extending the Bradley-Terry model to accommodate ties in paired comparison
    experiments. Journal of the American Statistical Association 65. Bradley, R. A. and Terry, M. E. (1952). Rank
    analysis of incomplete block designs. Biometrika 39.
    """
    won, drawn = _check_counts(wins, draws)
    if not prior_sd > 0:
        raise ValueError(f"a prior with standard deviation {prior_sd}: use a positive number, or inf for no prior")
    if math.isinf(prior_sd):
        _check_maximum(won, drawn)
    resamples, k = won.shape[:2]
    total = (drawn.sum(axis=(1, 2)) / 2, won.sum(axis=(1, 2)))
    never = total[0] == 0
    parameters = np.zeros((resamples, k + 1))
    parameters[:, k] = np.log((2 * total[0] + 1) / (total[1] + 1))
    if math.isinf(prior_sd):
        parameters[never, k] = -np.inf
    precision = 0.0 if math.isinf(prior_sd) else prior_sd**-2
    for _ in range(_MAX_STEPS):
        gradient, curvature = _derivatives(parameters, won, drawn, precision)
        step = np.linalg.solve(curvature, gradient[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        parameters += step * np.minimum(1, _MAX_STEP_SIZE / np.maximum(longest, _MAX_STEP_SIZE))
        if longest.max(initial=0.0) < _CONVERGED:
            break
    strength = parameters[:, :k]
    return Strengths(strength - strength.mean(axis=1, keepdims=True), parameters[:, k])


def _derivatives(
    parameters: FloatArray, wins: FloatArray, draws: FloatArray, precision: float
) -> tuple[FloatArray, FloatArray]:
    """Return the gradient and the negative Hessian of the log posterior."""
    k = wins.shape[1]
    n = wins + wins.transpose(0, 2, 1) + draws
    win, draw = _probabilities(parameters)
    half = win + draw / 2
    # Half of the sum over ordered pairs is that over pairs.
    gradient = np.empty_like(parameters)
    gradient[:, :k] = (wins + draws / 2 - n * half).sum(axis=2)
    gradient[:, k] = (draws - n * draw).sum(axis=(1, 2)) / 2
    variance = n * (win + draw / 4 - half**2)
    covariance = n * (draw / 2 - half * draw)
    curvature = np.empty((len(wins), k + 1, k + 1))
    curvature[:, :k, :k] = -variance
    curvature[:, range(k), range(k)] = variance.sum(axis=2)
    curvature[:, :k, k] = curvature[:, k, :k] = covariance.sum(axis=2)
    curvature[:, k, k] = (n * draw * (1 - draw)).sum(axis=(1, 2)) / 2
    never = np.isneginf(parameters[:, k])
    curvature[never, k, k] = 1.0
    gradient -= precision * np.where(never[:, None], 0.0, parameters)
    curvature[:, range(k + 1), range(k + 1)] += precision
    # Strengths are known up to a constant: this one keeps their mean at 0.
    curvature[:, :k, :k] += 1 / k
    return gradient, curvature


def _probabilities(parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities that i beats j, and that they draw, at [resample, i, j]."""
    strength, tie = parameters[:, :-1], parameters[:, -1]
    difference = strength[:, :, None] - strength[:, None, :]
    logits = np.stack([difference / 2, -difference / 2, np.broadcast_to(tie[:, None, None], difference.shape)])
    weights = np.exp(logits - logits.max(axis=0))
    shares = weights / weights.sum(axis=0)
    return shares[0], shares[2]


def _check_counts(wins: ArrayLike, draws: ArrayLike) -> tuple[FloatArray, FloatArray]:
    won, drawn = (np.array(table, dtype=float, ndmin=3) for table in (wins, draws))
    if won.ndim != 3 or won.shape[1] != won.shape[2] or won.shape != drawn.shape:
        raise ValueError(f"tables of shapes {won.shape} and {drawn.shape}: use (k, k) or (resamples, k, k) for both")
    if not (np.isfinite(won).all() and np.isfinite(drawn).all() and (won >= 0).all() and (drawn >= 0).all()):
        raise ValueError("the tables must hold counts of wins and draws")
    if not np.array_equal(drawn, drawn.transpose(0, 2, 1)):
        raise ValueError("the table of draws must be symmetric")
    own = np.arange(won.shape[1])
    won[:, own, own] = drawn[:, own, own] = 0
    return won, drawn


def _check_maximum(wins: FloatArray, draws: FloatArray) -> None:
    """Raise ValueError if the likelihood has no maximum."""
    for won, drawn in zip(wins, draws, strict=True):
        if scipy.sparse.csgraph.connected_components(won + drawn, directed=True, connection="strong")[0] > 1:
            raise ValueError("some systems never lost to or drew with another: set a prior_sd, e.g. 10")
        if not won.any():
            raise ValueError("all comparisons are draws, so nu is infinite: set a prior_sd, e.g. 10")
