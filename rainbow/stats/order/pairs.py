"""Pairs of outputs of one item, and which output of a pair is better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray

__all__ = ["PairBlock", "Signs", "item_pairs", "pair_signs"]

# An array for each block of pairs, of shape (items, pairs, columns): 1 where the first output is better, -1 or 0.
Signs = list[NDArray[np.int8]]


class PairBlock(NamedTuple):
    """The pairs of all items that have equally many outputs.

    Attributes
    ----------
    first, second
        Row positions of the two outputs of each pair, shape (items, pairs of an item). The outputs of an item stand
        in the order of their systems' names, so that pair j compares the same systems in all items where these are
        the same.
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]


def item_pairs(items: ArrayLike, systems: ArrayLike, one_per_item: bool = False) -> tuple[PairBlock, ...]:
    """Return every pair of outputs of one item, items with equally many outputs together.

    Parameters
    ----------
    items, systems
        The item and the system of each output, numbers or names, shapes (rows,).
    one_per_item
        Give at most one pair for each item, as Novikova et al. (2017) did: its first two rows in the order of the
        systems' names, where these are of different systems. Such pairs share no output.

    Returns
    -------
    tuple of PairBlock
        Items with fewer outputs first; empty if no item has two outputs.

    Examples
    --------
    >>> for block in item_pairs([1, 2, 1, 2, 2], ["B", "A", "A", "C", "B"]):
    ...     print(block.first.tolist(), block.second.tolist())
    [[2]] [[0]]
    [[1, 1, 4]] [[4, 3, 3]]
    """
    numbers, places = (np.unique(np.asarray(names), return_inverse=True)[1] for names in (items, systems))
    order = np.lexsort((np.arange(len(numbers)), places, numbers))
    _, starts, sizes = np.unique(numbers[order], return_index=True, return_counts=True)
    if one_per_item:
        pair = order[starts[sizes >= 2, None] + np.arange(2)]
        pair = pair[places[pair[:, 0]] != places[pair[:, 1]]]
        return (PairBlock(pair[:, :1], pair[:, 1:]),) if len(pair) else ()
    return tuple(_block(order, starts[sizes == size], int(size)) for size in np.unique(sizes) if size > 1)


def pair_signs(values: FloatArray, pairs: Sequence[PairBlock]) -> Signs:
    """Say for every pair and column which output has the higher value: 1 the first, -1 the second, 0 neither.

    Parameters
    ----------
    values
        Shape (rows, columns), no NaN.
    pairs
        What :func:`item_pairs` gives for the rows.

    Examples
    --------
    >>> pairs = (PairBlock(np.array([[0], [2]]), np.array([[1], [3]])),)
    >>> [signs.tolist() for signs in pair_signs(np.array([[1.0], [2.0], [5.0], [5.0]]), pairs)]
    [[[[-1]], [[0]]]]
    """
    return [
        (values[block.first] > values[block.second]).astype(np.int8) - (values[block.first] < values[block.second])
        for block in pairs
    ]


def _block(order: NDArray[np.intp], starts: NDArray[np.intp], size: int) -> PairBlock:
    rows = order[starts[:, None] + np.arange(size)]
    first, second = np.triu_indices(size, 1)
    return PairBlock(rows[:, first], rows[:, second])
