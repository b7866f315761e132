"""The highest correlation of a metric with several raters: if ratings are normal, and by latent classes of items."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations_with_replacement
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import scipy

Aggregate = Literal["mean", "median"]
CeilingMethod = Literal["pearson", "spearman"]
AGGREGATES: tuple[Aggregate, ...] = get_args(Aggregate)
CEILING_METHODS: tuple[CeilingMethod, ...] = get_args(CeilingMethod)

# Where the standard normal density times x squared falls below float precision.
_TAIL = 9.0
_NODES = 1000


def expected_ceiling(
    reliability: float, n_raters: int | ArrayLike, aggregate: Aggregate = "median", method: CeilingMethod = "spearman"
) -> float:
    """Return the highest correlation with the mean or median of raters, for normal ratings.

    Source: Lord, F. M. and Novick, M. R. (1968). Statistical Theories of Mental Test Scores, chapter 3. Kruskal, W. H.
    (1958). Ordinal measures of association. JASA 53.
    """
    if reliability == 0:
        return 0.0
    sizes, shares = np.unique(n_raters, return_counts=True)
    noise = [1 / int(size) if aggregate == "mean" else median_variance(int(size)) for size in sizes]
    r = reliability / (reliability + (1 - reliability) * float(np.average(noise, weights=shares)))
    return math.sqrt(6 / math.pi * math.asin(r / 2) if method == "spearman" else r)


@cache
def median_variance(n: int) -> float:
    """Return the variance of the median of n independent standard normal values.

    Source: David, H. A. and Nagaraja, H. N. (2003). Order Statistics, 3rd edition, chapter 2.
    """
    below, log_ndtr = (n - 1) // 2, scipy.special.log_ndtr
    constant = scipy.special.gammaln(n + 1) - 2 * scipy.special.gammaln(below + 1)
    # Trapezoids: for a smooth function that dies away at both ends they are exact to the last digits.
    median, step = np.linspace(-_TAIL, _TAIL, _NODES, retstep=True)
    if n % 2:
        log_density = constant + below * (log_ndtr(median) + log_ndtr(-median)) + _log_normal_density(median)
        return float((median**2 * np.exp(log_density)).sum() * step)
    # The middle two values lie as far below the median as above it, by `half` of their distance.
    nodes, weights = np.polynomial.legendre.leggauss(200)
    half = (nodes[:, None] + 1) * _TAIL / 2
    log_density = constant + math.log(2) + _log_normal_density(median - half) + _log_normal_density(median + half)
    log_density = log_density + below * (log_ndtr(median - half) + log_ndtr(-median - half))
    return float(weights @ np.exp(log_density) @ median**2 * step * _TAIL / 2)


def _log_normal_density(x: FloatArray) -> FloatArray:
    """Return the log density of the standard normal distribution."""
    return -0.5 * x**2 - 0.5 * math.log(2 * math.pi)


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
