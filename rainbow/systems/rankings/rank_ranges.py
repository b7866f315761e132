"""Rank ranges of systems, and clusters of systems that do not differ."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import IntArray
from rainbow.base.lazy import scipy

# Strengths that differ by less differ by rounding alone.
DECIMALS = 9


class RankRanges(NamedTuple):
    """Rank ranges of systems, 1 being the best, each of shape (systems,)."""

    rank_from: IntArray  # the best and the worst rank of a system over the runs, the rarest left out
    rank_to: IntArray  # the best and the worst rank of a system over the runs, the rarest left out


def compute_rank_ranges(strengths: ArrayLike, *, confidence: float = 0.95) -> RankRanges:
    """Return the range of ranks of each system over most runs."""
    table = np.asarray(strengths, dtype=float).round(DECIMALS)
    if table.ndim != 2 or not len(table):
        raise ValueError(f"strengths of shape {table.shape}: use a row per run and a column per system")
    if not 0 < confidence <= 1:
        raise ValueError(f"a confidence of {confidence}: use a number above 0 and at most 1, e.g. .95")
    ranks = scipy.stats.rankdata(-table, method="min", axis=1).astype(np.int64)
    tail = (1 - confidence) / 2
    # The mean of two neighbouring ranks would be no rank.
    low, high = np.quantile(ranks, [tail, 1 - tail], axis=0, method="inverted_cdf")
    return RankRanges(low.astype(np.int64), high.astype(np.int64))


def rank_clusters(ranges: RankRanges) -> IntArray:
    """Return the cluster of each system, 1 being the best; ranges never cross clusters.

    Source: Bojar, O. et al. (2014). Findings of the 2014 workshop on statistical machine translation. WMT.
    """
    order = np.lexsort((ranges.rank_to, ranges.rank_from))
    reach = np.maximum.accumulate(ranges.rank_to[order])
    begins = np.ones(len(order), dtype=np.int64)
    begins[1:] = ranges.rank_from[order][1:] > reach[:-1]
    clusters = np.empty_like(begins)
    clusters[order] = begins.cumsum()
    return clusters
