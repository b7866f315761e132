"""Pairs of outputs of one item: which is better, and the score difference below which they count as tied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray

# A spreadsheet writes a fraction with more decimals in scientific notation.
DECIMALS = 9


def spreadsheet_text(number: float) -> str:
    """Return a number as written in the public 2017 file: small fractions as ``4.28E-009``."""
    text = np.format_float_positional(number, trim="-")
    if abs(number) >= 1 or len(text.partition(".")[2]) <= DECIMALS:
        return text
    mantissa, exponent = np.format_float_scientific(number, trim="-").split("e")
    return f"{mantissa}E{int(exponent):+04d}"


def text_ranks(column: FloatArray) -> FloatArray:
    """Return the dense rank of every number of a column compared as text, from 0; NaN stays."""
    ranks = np.full(len(column), np.nan)
    known = ~np.isnan(column)
    texts = np.array([spreadsheet_text(number) for number in column[known]], dtype=str)
    ranks[known] = np.unique(texts, return_inverse=True)[1]
    return ranks


# An array for each block of pairs, of shape (items, pairs, columns): 1 where the first output is better, -1 or 0.
Signs = list[NDArray[np.int8]]


class PairBlock(NamedTuple):
    """Pairs of all items with the same number of outputs.

    Shapes: first, second (items, pairs of an item).
    """

    first: NDArray[np.intp]  # row positions of the two outputs of each pair, shape (items, pairs of an item)
    second: NDArray[np.intp]  # row positions of the two outputs of each pair, shape (items, pairs of an item)


def item_pairs(items: ArrayLike, systems: ArrayLike, one_per_item: bool = False) -> tuple[PairBlock, ...]:
    """Return every pair of outputs of one item, grouped by the number of outputs per item."""
    numbers, places = (np.unique(np.asarray(names), return_inverse=True)[1] for names in (items, systems))
    order = np.lexsort((np.arange(len(numbers)), places, numbers))
    _, starts, sizes = np.unique(numbers[order], return_index=True, return_counts=True)
    if one_per_item:
        pair = order[starts[sizes >= 2, None] + np.arange(2)]
        pair = pair[places[pair[:, 0]] != places[pair[:, 1]]]
        return (PairBlock(pair[:, :1], pair[:, 1:]),) if len(pair) else ()
    return tuple(_pair_block(order, starts[sizes == size], int(size)) for size in np.unique(sizes) if size > 1)


def pair_signs(values: FloatArray, pairs: Sequence[PairBlock]) -> Signs:
    """Return, for every pair and column, 1 if the first output is higher, -1 if the second, 0 if tied.

    Shapes: values (rows, columns).
    """
    return [
        (values[block.first] > values[block.second]).astype(np.int8) - (values[block.first] < values[block.second])
        for block in pairs
    ]


def _pair_block(order: NDArray[np.intp], starts: NDArray[np.intp], size: int) -> PairBlock:
    """Return the pairs of the items with one number of outputs."""
    rows = order[starts[:, None] + np.arange(size)]
    first, second = np.triu_indices(size, 1)
    return PairBlock(rows[:, first], rows[:, second])


# Accuracies are sums of weights: those nearer than this differ by rounding alone.
ROUNDING = 1e-12


class Calibration(NamedTuple):
    """A tie threshold and the pairwise accuracy with and without it."""

    epsilon: float  # scores that differ by no more count as tied; at least 0, in the units of the scores
    accuracy: float  # the accuracy with it, 0 to 1
    uncalibrated: float  # the accuracy with an epsilon of 0


def calibrate_ties(gaps: FloatArray, human: FloatArray, weights: FloatArray) -> Calibration:
    """Find the tie threshold of score differences that maximises weighted pairwise accuracy, ties included.

    Shapes: gaps, human, weights (pairs,).

    Source: Deutsch, Foster and Freitag (2023), Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and
    Tie Calibration.
    """
    if not len(gaps):
        return Calibration(np.nan, np.nan, np.nan)
    thresholds, accuracies = _accuracies(gaps, np.sign(human), weights)
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
