"""Pairwise accuracy with calibrated ties, or without human ties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rainbow.base.lazy import pd
from rainbow.scoring.table_cells import By, measure_cells, orient_metrics, output_pairs
from rainbow.stats.order.chance_agreement import binomial_p
from rainbow.stats.order.pairs import Calibration, PairBlock, calibrate_ties, pair_signs

NO_PAIRS = "no item has two outputs with a score and a rating"
NO_UNTIED = "people tie every pair"


def tie_calibrated_accuracy(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    higher_is_better: Mapping[str, bool | None],
    *,
    by: By = "dataset",
) -> pd.DataFrame:
    """Return the pairwise accuracy of every metric with its best tie threshold (acc_eq).

    Source: Deutsch, Foster and Freitag (2023), Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and
    Tie Calibration.
    """
    return measure_cells(orient_metrics(frame, metrics, higher_is_better), metrics, ratings, by, _calibrated_rows)


def two_way_accuracy(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    higher_is_better: Mapping[str, bool | None],
    *,
    by: By = "dataset",
) -> pd.DataFrame:
    """Return the share of untied pairs that metrics order correctly; a metric's tie counts one half.

    Source: Vedantam, Zitnick and Parikh (2015), CIDEr: Consensus-based Image Description Evaluation, section 6.
    """
    return measure_cells(orient_metrics(frame, metrics, higher_is_better), metrics, ratings, by, _two_way_rows)


def _calibrated_rows(part: pd.DataFrame, metrics: list[str], ratings: list[str]) -> dict[str, NDArray[Any]]:
    blocks = output_pairs(part)
    first, second = (
        (_concatenate(side) for side in zip(*blocks, strict=True)) if blocks else (np.arange(0), np.arange(0))
    )
    weights = _concatenate(np.full(block.first.shape, 1 / block.first.shape[1]) for block in blocks)
    scores, human = (part[names].to_numpy(dtype=float) for names in (metrics, ratings))
    results = [
        [
            calibrate_ties(
                scores[first, column] - scores[second, column], human[first, place] - human[second, place], weights
            )
            for place in range(len(ratings))
        ]
        for column in range(len(metrics))
    ]
    table = np.array(results).reshape(len(metrics), len(ratings), len(Calibration._fields))
    ties = weights @ (human[first] == human[second]) / weights.sum() if blocks else np.full(len(ratings), np.nan)
    return {
        "pairs": np.array(len(first)),
        "accuracy": table[:, :, 1],
        "epsilon": table[:, :, 0],
        "uncalibrated": table[:, :, 2],
        "rating_ties": ties[None, :],
        "reason": np.array(None if blocks else NO_PAIRS, dtype=object),
    }


def _concatenate(arrays: Iterable[NDArray[Any]]) -> NDArray[Any]:
    flat = [array.ravel() for array in arrays]
    return np.concatenate(flat) if flat else np.empty(0)


def _two_way_rows(part: pd.DataFrame, metrics: list[str], ratings: list[str]) -> dict[str, NDArray[Any]]:
    pairs = output_pairs(part)
    metric = _pair_signs(part[metrics], pairs)[:, :, None]
    human = _pair_signs(part[ratings], pairs)[:, None, :]
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


def _pair_signs(columns: pd.DataFrame, pairs: Sequence[PairBlock]) -> NDArray[np.int8]:
    """Return the signs of all pairs, shape (pairs, columns)."""
    blocks = [block.reshape(-1, block.shape[-1]) for block in pair_signs(columns.to_numpy(dtype=float), pairs)]
    return np.concatenate([np.empty((0, columns.shape[1]), dtype=np.int8), *blocks])
