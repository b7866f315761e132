"""Pairwise accuracy that is fair to ties: calibrated, or without the pairs that people tie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import Random
from rainbow.scoring.cells import By, measure_cells, oriented
from rainbow.stats.order.chance import binomial_p
from rainbow.stats.order.pairs import PairBlock, item_pairs, pair_signs
from rainbow.stats.order.tie_calibration import Calibration, calibrate_ties

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Grouping", "tie_calibrated_accuracy", "two_way_accuracy"]

Grouping = Literal["item", "pooled"]

NO_PAIRS = "no item has two outputs with a score and a rating"
NO_ROWS = "fewer than two rows have a score and a rating"
NO_UNTIED = "people tie every pair"

MOST_PAIRS = 10_000_000


def tie_calibrated_accuracy(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    higher_is_better: Mapping[str, bool | None],
    *,
    by: By = "dataset",
    grouping: Grouping = "item",
    epsilon: Mapping[str, float] | None = None,
    sample: int | None = None,
    rng: Random = None,
) -> pd.DataFrame:
    """Return the pairwise accuracy with the best epsilon for ties (acc_eq) of every metric.

    Parameters
    ----------
    frame
        A row per output: `dataset`, `system`, `item`, metrics and ratings. Rows without score or rating are left out.
    metrics, ratings
        Columns of the table.
    higher_is_better
        For every metric True, False (negated), or None (left as it is).
    by
        Which rows make a cell.
    grouping
        ``item`` compares outputs of one item and gives the mean of the items' accuracies; ``pooled`` compares
        every output with every other.
    epsilon
        For every metric an epsilon found on other data; by default the best one here.
    sample
        When pooled, draw so many pairs at random instead of taking all.
    rng
        A numpy Generator or a seed; for `sample`.

    Returns
    -------
    DataFrame
        A row per cell, rating and metric: `dataset`, `system`, `rating`, `metric`, `pairs`, `accuracy` (0 to 1),
        `epsilon`, `uncalibrated` (the accuracy with an epsilon of 0), `rating_ties` (the accuracy of a metric that ties
        every pair; no calibrated one is below it), `reason` (why numbers are NaN, else None).

    Raises
    ------
    ValueError
        If a column, a direction or an epsilon is missing, or the pairs are too many to be pooled without `sample`.

    References
    ----------
    Deutsch, Foster and Freitag (2023), Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie
    Calibration.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"dataset": "inns", "item": 1, "system": list("ABCD")})
    >>> frame = frame.assign(BLEU4=[0, 2, 6, 8], quality=[1, 1, 1, 4])
    >>> table = tie_calibrated_accuracy(frame, ["BLEU4"], ["quality"], {"BLEU4": True})
    >>> table[["pairs", "accuracy", "epsilon", "uncalibrated"]].round(3)
       pairs  accuracy  epsilon  uncalibrated
    0      6     0.667      4.0           0.5
    """
    if grouping not in get_args(Grouping):
        raise ValueError(f"there is no grouping {grouping!r}: choose from {', '.join(get_args(Grouping))}")
    if epsilon is not None and (missing := [name for name in metrics if name not in epsilon]):
        raise ValueError(f"there is no epsilon for {missing[0]!r}")
    table = oriented(frame, metrics, higher_is_better)
    measure = partial(_calibrated, grouping=grouping, epsilon=epsilon, sample=sample, rng=np.random.default_rng(rng))
    return measure_cells(table, metrics, ratings, by, measure)


def two_way_accuracy(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    higher_is_better: Mapping[str, bool | None],
    *,
    by: By = "dataset",
) -> pd.DataFrame:
    """Return the share of pairs with a better output in which metrics find it; a metric's tie counts one half.

    Pairs of one item that people tie are left out, so that a random score has 0.5.

    Parameters
    ----------
    frame, metrics, ratings, higher_is_better, by
        As for :func:`tie_calibrated_accuracy`.

    Returns
    -------
    DataFrame
        A row per cell, rating and metric: `dataset`, `system`, `rating`, `metric`, `pairs`, `accuracy` (0 to 1),
        `metric_ties` (share of the pairs), `p` (sign test, one-sided: the metric finds the better output of the pairs
        that it does not tie no more often than the other), `reason` (why numbers are NaN, else None).

    Raises
    ------
    ValueError
        If a column or a direction is missing.

    References
    ----------
    Vedantam, Zitnick and Parikh (2015), CIDEr: Consensus-based Image Description Evaluation, section 6.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"dataset": "inns", "item": 1, "system": list("ABC")})
    >>> frame = frame.assign(BLEU4=[0.2, 0.2, 0.4], quality=[1, 2, 3])
    >>> table = two_way_accuracy(frame, ["BLEU4"], ["quality"], {"BLEU4": True})
    >>> table[["pairs", "accuracy", "metric_ties", "p"]].round(3)
       pairs  accuracy  metric_ties     p
    0      3     0.833        0.333  0.25
    """
    return measure_cells(oriented(frame, metrics, higher_is_better), metrics, ratings, by, _two_way)


def _calibrated(
    part: pd.DataFrame,
    metrics: list[str],
    ratings: list[str],
    *,
    grouping: Grouping,
    epsilon: Mapping[str, float] | None,
    sample: int | None,
    rng: np.random.Generator,
) -> dict[str, NDArray[Any]]:
    blocks = item_pairs(part) if grouping == "item" else _all_pairs(len(part), sample, rng)
    first, second = (_joined(side) for side in zip(*blocks, strict=True)) if blocks else (np.arange(0), np.arange(0))
    weights = _joined(np.full(block.first.shape, 1 / block.first.shape[1]) for block in blocks)
    scores, human = (part[names].to_numpy(dtype=float) for names in (metrics, ratings))
    found = [
        [
            calibrate_ties(
                scores[first, column] - scores[second, column],
                human[first, place] - human[second, place],
                weights,
                None if epsilon is None else epsilon[name],
            )
            for place in range(len(ratings))
        ]
        for column, name in enumerate(metrics)
    ]
    table = np.array(found).reshape(len(metrics), len(ratings), len(Calibration._fields))
    ties = weights @ (human[first] == human[second]) / weights.sum() if blocks else np.full(len(ratings), np.nan)
    return {
        "pairs": np.array(len(first)),
        "accuracy": table[:, :, 1],
        "epsilon": table[:, :, 0],
        "uncalibrated": table[:, :, 2],
        "rating_ties": ties[None, :],
        "reason": np.array(None if blocks else NO_PAIRS if grouping == "item" else NO_ROWS, dtype=object),
    }


def _joined(arrays: Iterable[NDArray[Any]]) -> NDArray[Any]:
    flat = [array.ravel() for array in arrays]
    return np.concatenate(flat) if flat else np.empty(0)


def _all_pairs(rows: int, sample: int | None, rng: np.random.Generator) -> tuple[PairBlock, ...]:
    """Return all pairs of rows, or a sample of them, as those of one item."""
    pairs = rows * (rows - 1) // 2
    if pairs == 0:
        return ()
    if sample is not None and sample < pairs:
        if sample < 1:
            raise ValueError(f"a sample of {sample} pairs: give a number of at least 1")
        first = rng.integers(rows, size=(1, sample))
        return (PairBlock(first, (first + rng.integers(1, rows, size=(1, sample))) % rows),)
    if pairs > MOST_PAIRS:
        raise ValueError(f"{rows:,} rows make {pairs:,} pairs: give sample=1_000_000 to draw so many of them")
    upper = np.triu_indices(rows, 1)
    return (PairBlock(upper[0][None, :], upper[1][None, :]),)


def _two_way(part: pd.DataFrame, metrics: list[str], ratings: list[str]) -> dict[str, NDArray[Any]]:
    pairs = item_pairs(part)
    metric = _signs(part[metrics], pairs)[:, :, None]
    human = _signs(part[ratings], pairs)[:, None, :]
    untied = (human != 0).sum(axis=0)
    right = ((metric == human) & (human != 0)).sum(axis=0)
    ties = ((metric == 0) & (human != 0)).sum(axis=0)
    defined = np.where(untied > 0, untied, np.nan)
    p = binomial_p(right, untied - ties, 0.5)
    return {
        "pairs": untied,
        "accuracy": (right + ties / 2) / defined,
        "metric_ties": ties / defined,
        "p": np.where(untied > 0, p, np.nan),
        "reason": np.where(untied > 0, np.array(None), NO_UNTIED if pairs else NO_PAIRS),
    }


def _signs(columns: pd.DataFrame, pairs: Sequence[PairBlock]) -> NDArray[np.int8]:
    """Return the signs of all pairs, shape (pairs, columns)."""
    blocks = [block.reshape(-1, block.shape[-1]) for block in pair_signs(columns.to_numpy(dtype=float), pairs)]
    return np.concatenate([np.empty((0, columns.shape[1]), dtype=np.int8), *blocks])
