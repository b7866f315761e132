"""The gamma coefficient of Mathet et al. (2015): agreement on where spans are and on their categories.

The best alignment of two annotations is exact, as an assignment problem. For more than two annotators, the paper aligns
all at once; here every pair is aligned. Chance is 0: the disorder of shifted annotations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.base.lazy import scipy
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

    def moved(self, starts: FloatArray) -> Units:
        """Return the units at other places."""
        order = np.argsort(starts, kind="stable")
        ends = starts + (self.ends - self.starts)
        return Units(starts[order], ends[order], self.labels[order], self.pairs[order])


def gamma(spans: MarkedSpans, *, resamples: int = 1000, rng: Random = None) -> SpanAgreement:
    """Return gamma over all pairs of annotations, as if both annotated one long text.

    Source: Mathet, Widlöcher and Métivier (2015). The unified and holistic method gamma. Computational Linguistics 41.
    """
    if reason := undefined_reason(spans):
        return undefined_span_agreement(reason)
    left, right = annotation_pairs(spans.texts)
    first, second = _units(spans, left), _units(spans, right)
    units = np.bincount(np.concatenate([first.pairs, second.pairs]), minlength=len(left)).astype(float)
    if not units.any():
        return undefined_span_agreement("no annotator of these outputs marked a span")
    lengths = spans.lengths[left].astype(float)
    apart = np.arange(len(left)) * 4 * lengths.max()  # no span has a counterpart in another text
    disorders = _disorders(_at_offsets(first, apart), _at_offsets(second, apart), len(left))
    joined = np.cumsum(lengths) - lengths
    drawn = np.random.default_rng(rng)
    sides = _at_offsets(first, joined), _at_offsets(second, joined)
    expected = _expected_disorder(sides, float(lengths.sum()), drawn)

    def convert(disorder: FloatArray) -> FloatArray:
        return 1 - disorder / expected

    return ratio_agreement(2 * disorders, units, spans.texts[left], convert, 0.0, resamples=resamples, rng=drawn)


def _units(spans: MarkedSpans, side: IntArray) -> Units:
    """Return the spans of the annotation on one side of each pair."""
    order = np.argsort(spans.owners, kind="stable")
    counts = np.bincount(spans.owners, minlength=len(spans.texts))
    first = np.cumsum(counts) - counts
    pairs = np.repeat(np.arange(len(side)), counts[side])
    within = np.arange(len(pairs)) - np.repeat(np.cumsum(counts[side]) - counts[side], counts[side])
    own = order[first[side][pairs] + within]
    return Units(spans.starts[own].astype(float), spans.ends[own].astype(float), spans.labels[own], pairs)


def _at_offsets(units: Units, offsets: FloatArray) -> Units:
    """Return the units with the text of each pair at its offset."""
    return units.moved(units.starts + offsets[units.pairs])


def _expected_disorder(sides: Sequence[Units], end: float, rng: np.random.Generator) -> float:
    """Return the mean disorder of random annotations: those of an annotator, shifted by a random distance."""
    sides = [side for side in sides if len(side.starts)]
    least = float(np.mean(np.concatenate([side.ends - side.starts for side in sides]))) / 2
    found = []
    for _ in range(SHUFFLES):
        first, second = (sides[place] for place in rng.integers(0, len(sides), 2))
        distance = rng.uniform(least, max(end - least, least))
        shifted = second.moved((second.starts + distance) % end)
        total = _best_alignment(first, shifted)[2].sum()
        found.append(2 * total / (len(first.starts) + len(shifted.starts)))
    return float(np.mean(found))


def _disorders(first: Units, second: Units, n_pairs: int) -> FloatArray:
    """Return the costs of the best alignment in each pair."""
    rows, columns, costs = _best_alignment(first, second)
    n, m = len(first.starts), len(second.starts)
    pairs = np.concatenate([first.pairs, second.pairs])
    units = np.where(rows < n, rows, np.minimum(n + columns, n + m - 1))
    return np.bincount(pairs[units], costs, n_pairs).astype(float)


def _best_alignment(first: Units, second: Units) -> tuple[IntArray, IntArray, FloatArray]:
    """Return row, column and cost of the cheapest full matching of units, each of which may remain unaligned."""
    n, m = len(first.starts), len(second.starts)
    one, other, costs = _candidates(first, second)
    if not n + m:
        return one, other, costs
    rows = np.concatenate([one, np.arange(n), n + np.arange(m), n + other])
    columns = np.concatenate([other, m + np.arange(n), np.arange(m), m + one])
    values = np.concatenate([costs, np.full(n + m, _UNALIGNED), np.zeros(len(one))])
    shape = (n + m, n + m)  # a unit without a counterpart is aligned with a place of its own
    graph = scipy.sparse.csr_matrix((values + 1, (rows, columns)), shape=shape)  # a weight of 0 would be no edge
    taken, given = scipy.sparse.csgraph.min_weight_full_bipartite_matching(graph)
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
