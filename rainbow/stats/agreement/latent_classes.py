"""Latent classes of items with similar ratings, without assuming a true-score distribution."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray

# With fewer classes ceilings come out too low; more add noise and change nothing (simulated scales of six marks).
N_CLASSES = 4
_MAX_STEPS = 1000
_TOLERANCE = 1e-7
_MIN_PROBABILITY = 1e-9


class LatentClasses(NamedTuple):
    """Latent classes of items and the rating probabilities in each class.

    Shapes: shares (classes,), probabilities (classes, marks).
    """

    shares: FloatArray  # how many of the items belong to each class, shape (classes,), sum 1
    probabilities: FloatArray


def fit_latent_classes(
    counts: FloatArray, weights: FloatArray | None = None, *, start: LatentClasses | None = None
) -> LatentClasses:
    """Fit latent classes to the observed ratings by expectation maximisation.

    Shapes: counts (items, marks), weights (items,).
    Source: Dawid, A. P. and Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM
    algorithm. Applied Statistics 28(1).
    """
    given = np.ones(len(counts)) if weights is None else weights
    draws = np.atleast_2d(given)
    membership = _initial_membership(counts, draws) if start is None else _membership(counts, _add_draw_axis(start))[0]
    membership = np.broadcast_to(membership, (len(draws), *membership.shape[1:]))
    result = LatentClasses(np.empty(membership.shape[:2]), np.empty((*membership.shape[:2], counts.shape[1])))
    likelihoods, left = np.full(len(draws), -math.inf), np.arange(len(draws))
    for _ in range(_MAX_STEPS):
        classes = _maximise(counts, draws[left], membership)
        membership, of_items = _membership(counts, classes)
        before, likelihoods[left] = likelihoods[left], (draws[left] * of_items).sum(axis=1)
        result.shares[left], result.probabilities[left] = classes
        moving = likelihoods[left] - before >= _TOLERANCE * abs(likelihoods[left])
        left, membership = left[moving], membership[moving]
        if not len(left):
            break
    return result if given.ndim == 2 else LatentClasses(result.shares[0], result.probabilities[0])


def _add_draw_axis(classes: LatentClasses) -> LatentClasses:
    """Add a leading axis of length 1 for the draws."""
    return LatentClasses(classes.shares[None], classes.probabilities[None])


def _initial_membership(counts: FloatArray, draws: FloatArray) -> FloatArray:
    """Assign items to initial classes by their mean rating, shape (draws, classes, items)."""
    means = counts @ np.arange(counts.shape[1]) / counts.sum(axis=1)
    order = np.argsort(means, kind="stable")
    middles = np.cumsum(draws[:, order], axis=1) - draws[:, order] / 2
    places = (middles / draws.sum(axis=1, keepdims=True) * N_CLASSES).astype(int).clip(max=N_CLASSES - 1)
    membership = np.full((len(draws), N_CLASSES, len(counts)), 0.1 / N_CLASSES)
    membership[np.arange(len(draws))[:, None], places, order] += 0.9
    return membership


def _maximise(counts: FloatArray, draws: FloatArray, membership: FloatArray) -> LatentClasses:
    """Return the classes that maximise the expected likelihood (M step)."""
    weighted = membership * draws[:, None]
    marks = weighted @ counts + _MIN_PROBABILITY
    shares = weighted.sum(axis=2) / draws.sum(axis=1, keepdims=True)
    return LatentClasses(shares, marks / marks.sum(axis=2, keepdims=True))


def _membership(counts: FloatArray, classes: LatentClasses) -> tuple[FloatArray, FloatArray]:
    """Return the class probabilities of each item and its log likelihood (E step)."""
    logs = np.log(classes.probabilities) @ counts.T + np.log(classes.shares + _MIN_PROBABILITY)[:, :, None]
    top = logs.max(axis=1, keepdims=True)
    shares = np.exp(logs - top)
    sums = shares.sum(axis=1, keepdims=True)
    return shares / sums, (np.log(sums) + top)[:, 0]
