"""The gamma coefficient of Mathet et al. (2015): agreement on where spans are and on their categories."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.stats.agreement.marked_spans import (
    MarkedSpans,
    SpanAgreement,
    annotation_pairs,
    ratio_agreement,
    undefined_reason,
    undefined_span_agreement,
)

SHUFFLES = 30  # random annotations for the expected disorder, as in the paper
_UNALIGNED = 1.0  # cost of a span without a counterpart
_REACH = 2**0.5  # in lengths of both spans: further apart, two spans without a counterpart cost less


class Units(NamedTuple):
    """The spans of one side of all pairs, in order of their starts.

    Shapes: starts, ends, labels, pairs (units,).
    """

    starts: FloatArray
    ends: FloatArray
    labels: IntArray
    pairs: IntArray

    def shifted(self, distance: float, end: float) -> Units:
        """Return the units moved to the right, from the end of the texts to their start."""
        starts = (self.starts + distance) % end
        moved = Units(starts, starts + (self.ends - self.starts), self.labels, self.pairs)
        order = np.argsort(starts, kind="stable")
        return Units(*(values[order] for values in moved))


def gamma(spans: MarkedSpans, *, resamples: int = 1000, rng: Random = None) -> SpanAgreement:
    """Return gamma over all pairs of annotations, as if each pair annotated one long text.

    The best alignment of two annotations is exact, as an assignment problem. For more than two annotators, the paper
    aligns all at once; here every pair is aligned. Chance is 0 by definition: the disorder of shifted annotations.
    Source: Mathet, Widlöcher and Métivier (2015). The unified and holistic method gamma. Computational Linguistics 41.
    """
    if reason := undefined_reason(spans):
        return undefined_span_agreement(reason)
    left, right = annotation_pairs(spans.texts)
    sides = [_units(spans, side) for side in (left, right)]
    lengths = spans.lengths[left].astype(float)
    far = 2 * _REACH * lengths.max() * 2
    apart = [_laid_out(side, np.arange(len(left)) * far) for side in sides]
    disorders = _disorders(*apart, len(left))
    units = sum(np.bincount(side.pairs, minlength=len(left)) for side in sides).astype(float)
    texts = spans.texts[left]
    if not units.any():
        return undefined_span_agreement("no annotator of these outputs marked a span")
    joined = [_laid_out(side, np.cumsum(lengths) - lengths) for side in sides]
    expected = _expected_disorder(joined, float(lengths.sum()), np.random.default_rng(rng))
    return ratio_agreement(
        2 * disorders, units, texts, lambda mean: 1 - mean / expected, 0.0, resamples=resamples, rng=rng
    )


def _units(spans: MarkedSpans, side: IntArray) -> Units:
    """Return the spans of the annotation on one side of each pair."""
    order = np.argsort(spans.owners, kind="stable")
    counts = np.bincount(spans.owners, minlength=len(spans.texts))
    first = np.cumsum(counts) - counts
    pairs = np.repeat(np.arange(len(side)), counts[side])
    within = np.arange(len(pairs)) - np.repeat(np.cumsum(counts[side]) - counts[side], counts[side])
    own = order[first[side][pairs] + within]
    return Units(spans.starts[own].astype(float), spans.ends[own].astype(float), spans.labels[own], pairs)


def _laid_out(units: Units, offsets: FloatArray) -> Units:
    """Return the units with the text of each pair at its offset."""
    base = offsets[units.pairs]
    moved = units._replace(starts=units.starts + base, ends=units.ends + base)
    order = np.argsort(moved.starts, kind="stable")
    return Units(*(values[order] for values in moved))


def _expected_disorder(sides: list[Units], end: float, rng: np.random.Generator) -> float:
    """Return the mean disorder of random annotations: those of an annotator, shifted by a random distance."""
    sides = [side for side in sides if len(side.starts)]
    least = np.mean(np.concatenate([side.ends - side.starts for side in sides])) / 2
    found = []
    for _ in range(SHUFFLES):
        first, second = (sides[place] for place in rng.integers(0, len(sides), 2))
        shifted = second.shifted(rng.uniform(least, max(end - least, least)), end)
        total = _disorders(first, shifted, int(first.pairs.max(initial=0)) + 1, False).sum()
        found.append(2 * total / (len(first.starts) + len(shifted.starts)))
    return float(np.mean(found))


def _disorders(first: Units, second: Units, n_pairs: int, per_pair: bool = True) -> FloatArray:
    """Return the disorder of the best alignment of two annotations, per pair or in sum."""
    rows, columns, costs = _best_alignment(first, second)
    if not per_pair:
        return costs
    n, m = len(first.starts), len(second.starts)
    pairs = np.concatenate([first.pairs, second.pairs])
    own = np.where(rows < n, rows, np.minimum(n + columns, n + m - 1))
    return np.bincount(pairs[own], costs, n_pairs)


def _best_alignment(first: Units, second: Units) -> tuple[IntArray, IntArray, FloatArray]:
    """Return row, column and cost of the cheapest full matching of units, each of which may remain unaligned."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    n, m = len(first.starts), len(second.starts)
    one, other, costs = _candidates(first, second)
    rows = np.concatenate([one, np.arange(n), n + np.arange(m), n + other])
    columns = np.concatenate([other, m + np.arange(n), np.arange(m), m + one])
    values = np.concatenate([costs, np.full(n + m, _UNALIGNED), np.zeros(len(one))])
    shape = (n + m, n + m)  # a unit without a counterpart is aligned with a place of its own
    graph = csr_matrix((values + 1, (rows, columns)), shape=shape)  # a weight of 0 would be no edge
    taken, given = min_weight_full_bipartite_matching(graph)
    return taken, given, np.asarray(graph[taken, given]).ravel() - 1


def _candidates(first: Units, second: Units) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the pairs of units that are closer than two units without a counterpart, and their dissimilarity."""
    sizes = [side.ends - side.starts for side in (first, second)]
    reach = _REACH * (sizes[0] + sizes[1].max(initial=0))
    low, high = (np.searchsorted(second.starts, first.starts + sign * reach) for sign in (-1, 1))
    one = np.repeat(np.arange(len(first.starts)), high - low)
    other = np.arange(len(one)) - np.repeat(np.cumsum(high - low) - (high - low), high - low) + low[one]
    apart = np.abs(first.starts[one] - second.starts[other]) + np.abs(first.ends[one] - second.ends[other])
    position = (apart / (sizes[0][one] + sizes[1][other])) ** 2
    costs = position + (first.labels[one] != second.labels[other])
    near = costs < 2 * _UNALIGNED
    return one[near], other[near], costs[near]
