"""Judgements of several outputs as comparisons of two: which system was better, or neither."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.corpus.judgements import check_judgements, require_full
from rainbow.stats.order.pairs import item_pairs

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparisons", "comparisons_among", "linked_systems", "system_comparisons", "tallies"]


class Comparisons(NamedTuple):
    """Comparisons of two systems' outputs for one input.

    Attributes
    ----------
    systems
        Names, in alphabetical order.
    first, second
        Places of the two systems among them, shape (comparisons,); they differ.
    outcome
        1 where the first was better, -1 where the second was, 0 for a draw.
    unit
        The item of each comparison, a number from 0 on: what is drawn when comparisons are resampled.
    """

    systems: tuple[str, ...]
    first: IntArray
    second: IntArray
    outcome: NDArray[np.int8]
    unit: IntArray


def system_comparisons(judgements: pd.DataFrame, *, within: Sequence[str] = ("judgement",)) -> Comparisons:
    """Return every pair of outputs for one input that were judged together; equal values are draws.

    Only the order of two values counts, not how far apart they are: five outputs that a person rated make ten
    comparisons, whether the ratings are magnitudes, marks or preferences.

    Parameters
    ----------
    judgements
        As for :func:`~rainbow.corpus.judgements.check_judgements`, of one criterion.
    within
        Columns that values must share to be compared, besides the item: by default they are of one judgement. Where
        people saw one output at a time, ``("rater",)``; ``()`` compares the values of different people, which adds
        what they differ by.

    Returns
    -------
    Comparisons
        Empty arrays if no two systems were judged together.

    Raises
    ------
    ValueError
        As :func:`~rainbow.corpus.judgements.check_judgements`, if there are several criteria, or a
        column is missing or has gaps.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"judgement": 1, "item": "a", "system": [*"ABC"], "criterion": "quality"})
    >>> found = system_comparisons(table.assign(kind="magnitude", value=[100, 100, 5]))
    >>> [(found.systems[i], found.systems[j], int(sign)) for i, j, sign in zip(*found[1:4])]
    [('A', 'B', 0), ('A', 'C', 1), ('B', 'C', 1)]
    """
    table = check_judgements(judgements)
    if table["criterion"].nunique() > 1:
        raise ValueError(f"there are several criteria: choose one of {', '.join(sorted(set(table['criterion'])))}")
    names = list(dict.fromkeys(["item", *within]))
    require_full(table, names)
    numbers = table.groupby(names, sort=False, observed=True).ngroup()
    blocks = item_pairs(numbers, table["system"].to_numpy(dtype=str))
    rows = [np.concatenate([np.arange(0), *(side.ravel() for side in sides)]) for sides in _sides(blocks)]
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


def tallies(comparisons: Comparisons, weights: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
    """Count how often each system was better than each other, and how often neither was.

    Parameters
    ----------
    comparisons
        What is counted, of k systems.
    weights
        How often each unit counts, shape (resamples, units); by default once.

    Returns
    -------
    wins, draws
        Shapes (resamples, k, k): at [r, i, j] how often i was better than j, and how often both were equal (the same
        at [r, j, i]). One resample where there are no weights.

    Examples
    --------
    >>> found = Comparisons(("A", "B"), np.array([0, 0]), np.array([1, 1]), np.array([1, 0], np.int8), np.array([0, 1]))
    >>> wins, draws = tallies(found, np.array([[2.0, 1.0]]))
    >>> wins.tolist(), draws.tolist()
    ([[[0.0, 2.0], [0.0, 0.0]]], [[[0.0, 1.0], [1.0, 0.0]]])
    """
    from scipy.sparse import csr_array

    systems, first, second, outcome, unit = comparisons
    k, units = len(systems), int(unit.max(initial=-1)) + 1
    times = np.ones((1, units)) if weights is None else np.asarray(weights, dtype=float)
    better, worse = np.where(outcome >= 0, first, second), np.where(outcome >= 0, second, first)
    cell = (better * k + worse) + k * k * (outcome == 0)
    counts = csr_array((np.ones(len(cell)), (unit, cell)), shape=(units, 2 * k * k))
    wins, draws = np.moveaxis((times @ counts).reshape(len(times), 2, k, k), 1, 0)
    return wins, draws + draws.transpose(0, 2, 1)


def linked_systems(comparisons: Comparisons) -> NDArray[np.bool_]:
    """Say which systems belong to the largest group that comparisons link, directly or through others.

    Systems of different groups cannot be ranked against each other. Of equally large groups it is that of the first
    system. Where nothing was compared, all do: none is set apart.

    Examples
    --------
    >>> found = Comparisons((*"ABC",), np.array([0]), np.array([1]), np.array([1], np.int8), np.array([0]))
    >>> linked_systems(found).tolist()
    [True, True, False]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    systems, first, second, *_ = comparisons
    if not len(first):
        return np.ones(len(systems), dtype=bool)
    graph = csr_array((np.ones(len(first)), (first, second)), shape=(len(systems), len(systems)))
    group = connected_components(graph, directed=False)[1]
    return np.asarray(group == np.bincount(group).argmax())


def comparisons_among(comparisons: Comparisons, kept: NDArray[np.bool_]) -> Comparisons:
    """Return the comparisons of some of the systems with each other.

    Parameters
    ----------
    comparisons
        Of k systems.
    kept
        Which of them, shape (k,).

    Examples
    --------
    >>> found = Comparisons((*"ABC",), np.array([0]), np.array([2]), np.array([1], np.int8), np.array([0]))
    >>> comparisons_among(found, np.array([True, False, True]))[:3]
    (('A', 'C'), array([0]), array([1]))
    """
    systems, first, second, outcome, unit = comparisons
    both, place = kept[first] & kept[second], kept.cumsum() - 1
    return Comparisons(
        tuple(name for name, keep in zip(systems, kept, strict=True) if keep),
        place[first[both]],
        place[second[both]],
        outcome[both],
        np.unique(unit[both], return_inverse=True)[1],
    )


def _sides(blocks: Sequence[tuple[IntArray, IntArray]]) -> list[list[IntArray]]:
    return [[block[place] for block in blocks] for place in (0, 1)]
