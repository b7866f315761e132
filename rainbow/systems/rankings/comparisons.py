"""Judgements of several outputs as pairwise comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd, scipy
from rainbow.corpus.judgements import require_complete, validate_judgements
from rainbow.stats.order.pairs import item_pairs


class Comparisons(NamedTuple):
    """Pairwise comparisons of two systems' outputs for one input.

    Shapes: first, second (comparisons,).
    """

    systems: tuple[str, ...]  # names, in alphabetical order
    first: IntArray  # places of the two systems among them, shape (comparisons,); they differ
    second: IntArray  # places of the two systems among them, shape (comparisons,); they differ
    outcome: NDArray[np.int8]  # 1 where the first was better, -1 where the second was, 0 for a draw
    unit: IntArray  # the item of each comparison, numbered from 0: the resampling unit


def system_comparisons(judgements: pd.DataFrame, *, within: Sequence[str] = ("judgement",)) -> Comparisons:
    """Return every pair of outputs judged together for one input; equal values are draws."""
    table = validate_judgements(judgements)
    if table["criterion"].nunique() > 1:
        raise ValueError(f"there are several criteria: choose one of {', '.join(sorted(set(table['criterion'])))}")
    names = list(dict.fromkeys(["item", *within]))
    require_complete(table, names)
    numbers = table.groupby(names, sort=False, observed=True).ngroup()
    blocks = item_pairs(numbers, table["system"].to_numpy(dtype=str))
    rows = [np.concatenate([np.arange(0), *(side.ravel() for side in sides)]) for sides in _split_sides(blocks)]
    systems, codes = np.unique(table["system"].to_numpy(dtype=str), return_inverse=True)
    rows = [side[codes[rows[0]] != codes[rows[1]]] for side in rows]
    value = table["value"].to_numpy(dtype=float)
    units = table.groupby("item", sort=False, observed=True).ngroup().to_numpy()
    return Comparisons(
        tuple(map(str, systems)),
        codes[rows[0]],
        codes[rows[1]],
        np.sign(value[rows[0]] - value[rows[1]]).astype(np.int8),
        np.unique(units[rows[0]], return_inverse=True)[1],
    )


def count_outcomes(comparisons: Comparisons, weights: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
    """Count the wins and draws of each pair of systems.

    Shapes: weights (resamples, units).
    """
    systems, first, second, outcome, unit = comparisons
    k, units = len(systems), int(unit.max(initial=-1)) + 1
    times = np.ones((1, units)) if weights is None else np.asarray(weights, dtype=float)
    better, worse = np.where(outcome >= 0, first, second), np.where(outcome >= 0, second, first)
    cell = (better * k + worse) + k * k * (outcome == 0)
    counts = scipy.sparse.csr_array((np.ones(len(cell)), (unit, cell)), shape=(units, 2 * k * k))
    wins, draws = np.moveaxis((times @ counts).reshape(len(times), 2, k, k), 1, 0)
    return wins, draws + draws.transpose(0, 2, 1)


def linked_systems(comparisons: Comparisons) -> NDArray[np.bool_]:
    """Return which systems belong to the largest connected group of compared systems."""
    systems, first, second, *_ = comparisons
    if not len(first):
        return np.ones(len(systems), dtype=bool)
    graph = scipy.sparse.csr_array((np.ones(len(first)), (first, second)), shape=(len(systems), len(systems)))
    group = scipy.sparse.csgraph.connected_components(graph, directed=False)[1]
    return np.asarray(group == np.bincount(group).argmax())


def select_comparisons(comparisons: Comparisons, mask: NDArray[np.bool_]) -> Comparisons:
    """Return the comparisons among some of the systems.

    Shapes: kept (k,).
    """
    systems, first, second, outcome, unit = comparisons
    both, place = mask[first] & mask[second], mask.cumsum() - 1
    return Comparisons(
        tuple(name for name, keep in zip(systems, mask, strict=True) if keep),
        place[first[both]],
        place[second[both]],
        outcome[both],
        np.unique(unit[both], return_inverse=True)[1],
    )


def _split_sides(blocks: Sequence[tuple[IntArray, IntArray]]) -> list[list[IntArray]]:
    return [[block[place] for block in blocks] for place in (0, 1)]
