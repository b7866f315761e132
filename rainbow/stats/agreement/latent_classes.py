"""Latent classes of items: kinds of items that raters mark alike, without a shape assumed for the true scores."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray

__all__ = ["N_CLASSES", "LatentClasses", "fit_latent_classes"]

# With fewer classes ceilings come out too low; more add noise and change nothing (simulated scales of six marks).
N_CLASSES = 4
_MOST_STEPS = 1000
_TOLERANCE = 1e-7
_NEVER = 1e-9


class LatentClasses(NamedTuple):
    """Kinds of items, and how raters mark each kind.

    Attributes
    ----------
    shares
        How many of the items belong to each class, shape (classes,), sum 1.
    probabilities
        How likely a rater gives an item of a class each mark, shape (classes, marks), rows sum to 1.
    """

    shares: FloatArray
    probabilities: FloatArray


def fit_latent_classes(
    counts: FloatArray, weights: FloatArray | None = None, *, start: LatentClasses | None = None
) -> LatentClasses:
    """Return the classes under which the observed marks are likeliest, by expectation maximisation.

    Raters are taken as alike, and independent given an item's class.

    Parameters
    ----------
    counts
        How often each item has each mark, marks ascending, shape (items, marks).
    weights
        How often each item counts, shape (items,); once without.
    start
        Classes to begin with; else items are put into :data:`N_CLASSES` classes by their mean mark.

    References
    ----------
    Dawid, A. P. and Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
    Applied Statistics 28(1).

    Examples
    --------
    >>> classes = fit_latent_classes(np.array([[3.0, 0.0], [3.0, 0.0], [3.0, 0.0], [0.0, 3.0]]))
    >>> (classes.shares @ classes.probabilities).round(2).tolist()
    [0.75, 0.25]
    """
    weights = np.ones(len(counts)) if weights is None else weights
    membership = _first_guess(counts, weights) if start is None else _membership(counts, start)[0]
    likelihood = -math.inf
    for _ in range(_MOST_STEPS):
        classes = _maximise(counts, weights, membership)
        membership, item_likelihoods = _membership(counts, classes)
        before, likelihood = likelihood, float(weights @ item_likelihoods)
        if likelihood - before < _TOLERANCE * abs(likelihood):
            break
    return classes


def _first_guess(counts: FloatArray, weights: FloatArray) -> FloatArray:
    means = counts @ np.arange(counts.shape[1]) / counts.sum(axis=1)
    order = np.argsort(means, kind="stable")
    middles = np.cumsum(weights[order]) - weights[order] / 2
    membership = np.full((len(counts), N_CLASSES), 0.1 / N_CLASSES)
    membership[order, (middles / weights.sum() * N_CLASSES).astype(int)] += 0.9
    return membership


def _maximise(counts: FloatArray, weights: FloatArray, membership: FloatArray) -> LatentClasses:
    weighted = membership * weights[:, None]
    marks = weighted.T @ counts + _NEVER
    return LatentClasses(weighted.sum(axis=0) / weights.sum(), marks / marks.sum(axis=1, keepdims=True))


def _membership(counts: FloatArray, classes: LatentClasses) -> tuple[FloatArray, FloatArray]:
    """Return how likely each item belongs to each class, and the logarithm of how likely its marks are."""
    logs = counts @ np.log(classes.probabilities).T + np.log(classes.shares + _NEVER)
    top = logs.max(axis=1, keepdims=True)
    shares = np.exp(logs - top)
    sums = shares.sum(axis=1, keepdims=True)
    return shares / sums, (np.log(sums) + top)[:, 0]
