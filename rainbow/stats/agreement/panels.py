"""All possible panels of raters for an item, and the expected correlation of two panels."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import scipy
from rainbow.stats.agreement.expected_ceiling import Aggregate, CeilingMethod
from rainbow.stats.agreement.latent_classes import LatentClasses

MAX_PANELS = 20_000


class Panels(NamedTuple):
    """Rater panels, grouped by their rating counts.

    Shapes: marks (marks,), counts (panels, marks), shares (sizes,).
    """

    marks: FloatArray  # of the scale, ascending, shape (marks,)
    counts: list[FloatArray]  # for each size of a panel how often each panel gives each mark, shape (panels, marks)
    shares: FloatArray  # how many of the items have a panel of each size, shape (sizes,), sum 1


def can_list_panels(matrix: FloatArray) -> bool:
    """Return whether an item-by-rater matrix has few enough panels to list them all."""
    n_marks, size = len(np.unique(matrix[~np.isnan(matrix)])), int((~np.isnan(matrix)).sum(axis=1).max())
    return math.comb(n_marks + size - 1, size) <= MAX_PANELS


def list_panels(matrix: FloatArray) -> Panels:
    """Return all panels with the sizes and rating values of an item-by-rater matrix."""
    rated = ~np.isnan(matrix)
    marks = np.unique(matrix[rated])
    sizes, items = np.unique(rated.sum(axis=1), return_counts=True)
    return Panels(marks, [_panel_counts(len(marks), int(size)) for size in sizes], items / items.sum())


def panel_correlation(panels: Panels, classes: LatentClasses, aggregate: Aggregate, method: CeilingMethod) -> float:
    """Return the expected correlation of two panels on the same items; NaN if all values are equal."""
    values = np.concatenate([_aggregate_panels(panels.marks, counts, aggregate) for counts in panels.counts])
    result, places = np.unique(values.round(9), return_inverse=True)
    # A column for each size and class: how likely its items come to each value.
    likely = np.zeros((len(result), len(panels.counts), len(classes.shares)))
    sizes = np.repeat(np.arange(len(panels.counts)), [len(counts) for counts in panels.counts])
    np.add.at(likely, (places, sizes), np.concatenate([_likelihoods(counts, classes) for counts in panels.counts]))
    weights = np.outer(panels.shares, classes.shares)
    totals = (likely * weights).sum(axis=(1, 2))
    scores = np.cumsum(totals) - totals / 2 if method == "spearman" else result
    centred = scores - totals @ scores
    variance = float(totals @ centred**2)
    expected = np.tensordot(centred, likely, axes=1)
    return float((weights * expected**2).sum()) / variance if variance > 0 else math.nan


def _panel_counts(n_marks: int, size: int) -> FloatArray:
    """Return the rating counts of every panel of one size, shape (panels, ratings)."""
    panels = np.array(list(combinations_with_replacement(range(n_marks), size)))
    return np.array((panels[:, :, None] == np.arange(n_marks)).sum(axis=1), dtype=float)


def _aggregate_panels(marks: FloatArray, counts: FloatArray, aggregate: Aggregate) -> FloatArray:
    """Return the mean or median rating of each panel."""
    size = int(counts[0].sum())
    if aggregate == "mean":
        return counts @ marks / size
    up_to = np.cumsum(counts, axis=1)
    middle = [marks[(up_to <= place).sum(axis=1)] for place in ((size - 1) // 2, size // 2)]
    return np.asarray((middle[0] + middle[1]) / 2)


def _likelihoods(counts: FloatArray, classes: LatentClasses) -> FloatArray:
    """Return the multinomial probability of each panel for each class, shape (panels, classes)."""
    ways = scipy.special.gammaln(counts.sum(axis=1) + 1) - scipy.special.gammaln(counts + 1).sum(axis=1)
    return np.asarray(np.exp(ways[:, None] + counts @ np.log(classes.probabilities).T))
