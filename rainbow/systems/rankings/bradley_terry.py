"""Bradley-Terry model with ties: system strengths from pairwise comparisons."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray

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


def fit_bradley_terry(wins: ArrayLike, draws: ArrayLike) -> Strengths:
    """Return the strengths of k systems from pairwise counts of wins and draws.

    Shapes: wins, draws (k, k) or (resamples, k, k).
    Source: Davidson, R. R. (1970). On extending the Bradley-Terry model to accommodate ties in paired comparison
    experiments. Journal of the American Statistical Association 65. Bradley, R. A. and Terry, M. E. (1952). Rank
    analysis of incomplete block designs. Biometrika 39.
    """
    won, drawn = (np.array(table, dtype=float, ndmin=3) for table in (wins, draws))
    resamples, k = won.shape[:2]
    parameters = np.zeros((resamples, k + 1))
    parameters[:, k] = np.log((drawn.sum(axis=(1, 2)) + 1) / (won.sum(axis=(1, 2)) + 1))
    for _ in range(_MAX_STEPS):
        gradient, curvature = _derivatives(parameters, won, drawn)
        step = np.linalg.solve(curvature, gradient[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        parameters += step * np.minimum(1, _MAX_STEP_SIZE / np.maximum(longest, _MAX_STEP_SIZE))
        if longest.max(initial=0.0) < _CONVERGED:
            break
    strength = parameters[:, :k]
    return Strengths(strength - strength.mean(axis=1, keepdims=True), parameters[:, k])


def _derivatives(parameters: FloatArray, wins: FloatArray, draws: FloatArray) -> tuple[FloatArray, FloatArray]:
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
    gradient -= PRIOR_SD**-2 * parameters
    curvature[:, range(k + 1), range(k + 1)] += PRIOR_SD**-2
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
