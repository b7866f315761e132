"""Tie calibration: the score difference below which two outputs count as tied."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray

# Accuracies are sums of weights: those nearer than this differ by rounding alone.
ROUNDING = 1e-12


class Calibration(NamedTuple):
    """A tie threshold and the pairwise accuracy with and without it."""

    epsilon: float  # scores that differ by no more count as tied; at least 0, in the units of the scores
    accuracy: float  # the accuracy with it, 0 to 1
    uncalibrated: float  # the accuracy with an epsilon of 0


def calibrate_ties(differences: ArrayLike, human: ArrayLike, weights: ArrayLike | None = None) -> Calibration:
    """Find the tie threshold that maximises pairwise accuracy, ties included.

    Source: Deutsch, Foster and Freitag (2023), Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and
    Tie Calibration.
    """
    gaps, signs = np.asarray(differences, dtype=float), np.sign(np.asarray(human, dtype=float))
    share = np.ones(len(gaps)) if weights is None else np.asarray(weights, dtype=float)
    if not gaps.shape == signs.shape == share.shape:
        raise ValueError(
            f"{len(gaps)} differences, {len(signs)} differences of ratings, {len(share)} weights: give the same "
            "number of each"
        )
    if not len(gaps):
        return Calibration(np.nan, np.nan, np.nan)
    thresholds, accuracies = _accuracies(gaps, signs, share)
    best = int(np.argmax(accuracies >= accuracies.max() - ROUNDING))
    return Calibration(float(thresholds[best]), float(accuracies[best]), float(accuracies[0]))


def _accuracies(gaps: FloatArray, signs: FloatArray, share: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return all distinct thresholds, ascending from 0, and the accuracy at each."""
    sizes = np.abs(gaps)
    order = np.argsort(sizes, kind="stable")
    # With an epsilon of at least its size a pair is right if people tie it, with a smaller one if the signs agree.
    as_tie = share * (signs == 0)
    as_order = share * (np.sign(gaps) == signs)
    gain = np.cumsum((as_tie - as_order)[order])
    last = np.flatnonzero(np.append(np.diff(sizes[order]) > 0, True))
    accuracies = as_order.sum() + np.append(0.0, gain[last])
    return np.append(0.0, sizes[order][last]), np.clip(accuracies / share.sum(), 0, 1)
