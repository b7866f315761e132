"""Pairwise accuracy with calibrated ties, without human ties, and of systems with confidence (soft)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.lazy import pd
from rainbow.scoring.table_cells import By, measure_cells, orient_metrics, output_pairs
from rainbow.stats.order.chance_agreement import binomial_p
from rainbow.stats.order.pairs import Calibration, PairBlock, calibrate_ties, pair_signs

NO_PAIRS = "no item has two outputs with a score and a rating"
NO_UNTIED = "people tie every pair"


def tie_calibrated_accuracy(
    frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str], higher_is_better: Mapping[str, bool | None]
) -> pd.DataFrame:
    """Return the pairwise accuracy of every metric with its best tie threshold (acc_eq).

    Source: Deutsch, Foster and Freitag (2023), Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and
    Tie Calibration.
    """
    table = orient_metrics(frame, metrics, higher_is_better)
    return measure_cells(table, metrics, ratings, "dataset", _calibrated_rows)


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
    none = np.empty((2, 0), dtype=np.intp)
    first, second = np.hstack([none, *([side.ravel() for side in block] for block in blocks)])
    weights = np.concatenate([none[0], *(np.full(block.first.size, 1 / block.first.shape[1]) for block in blocks)])
    scores, human = (
        values[first] - values[second] for values in (part[names].to_numpy(dtype=float) for names in (metrics, ratings))
    )
    results = [[calibrate_ties(score, rated, weights) for rated in human.T] for score in scores.T]
    table = np.array(results).reshape(len(metrics), len(ratings), len(Calibration._fields))
    ties = weights @ (human == 0) / weights.sum() if blocks else np.full(len(ratings), np.nan)
    return {
        "pairs": np.array(len(first)),
        "accuracy": table[:, :, 1],
        "epsilon": table[:, :, 0],
        "uncalibrated": table[:, :, 2],
        "rating_ties": ties[None, :],
        "reason": np.array(None if blocks else NO_PAIRS, dtype=object),
    }


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


NO_SYSTEMS = "no two systems have a score and a rating for the same item"

# The order of addition changes a sum by rounding: a smaller difference, relative to the sum of sizes, counts as a tie.
ROUNDING = 1e-12


class _Confidence(NamedTuple):
    """How each column compares two systems; arrays of shape (columns,)."""

    better: FloatArray  # p of the one-sided tests that the first system is better, and that it is worse
    worse: FloatArray  # p of the one-sided tests that the first system is better, and that it is worse
    sign: FloatArray  # which system has the higher mean


def soft_pairwise_accuracy(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    higher_is_better: Mapping[str, bool | None],
    *,
    permutations: int = 1000,
    rng: Random = None,
) -> pd.DataFrame:
    """Return the soft pairwise accuracy of every metric.

    Source: Thompson, Mathur, Deutsch and Khayrallah (2024), Improving Statistical Significance in Human Evaluation of
    Automatic Metrics via Soft Pairwise Accuracy. Kocmi, Federmann, Grundkiewicz, Junczys-Dowmunt, Matsushita and
    Menezes (2021), To Ship or Not to Ship.
    """
    if permutations < 1:
        raise ValueError(f"{permutations} permutations: use at least 1")
    table = orient_metrics(frame, metrics, higher_is_better)
    measure = partial(_soft_accuracy_rows, permutations=permutations, rng=np.random.default_rng(rng))
    return measure_cells(table, metrics, ratings, "dataset", measure)


def _soft_accuracy_rows(
    part: pd.DataFrame, metrics: list[str], ratings: list[str], *, permutations: int, rng: np.random.Generator
) -> dict[str, NDArray[Any]]:
    values = _system_item_means(part, metrics + ratings)
    swaps = rng.choice([-1.0, 1.0], size=(permutations, values.shape[1]))
    pairs = list(_confidences(values, swaps))
    if not pairs:
        nan, reason = np.array(np.nan), np.array(NO_SYSTEMS, dtype=object)
        return {"system_pairs": np.array(0), "soft_accuracy": nan, "pairwise_accuracy": nan, "reason": reason}
    sides = (np.array(side) for side in zip(*pairs, strict=True))  # of shape (pairs, columns)
    k = len(metrics)
    better, worse, sign = ((side[:, :k, None], side[:, None, k:]) for side in sides)
    apart = (np.abs(better[0] - better[1]) + np.abs(worse[0] - worse[1])) / 2
    return {
        "system_pairs": np.array(len(pairs)),
        "soft_accuracy": 1 - apart.mean(axis=0),
        "pairwise_accuracy": (sign[0] == sign[1]).mean(axis=0),
        "reason": np.array(None),
    }


def _system_item_means(part: pd.DataFrame, columns: list[str]) -> FloatArray:
    """Return each system's mean per item, shape (systems, items, columns); NaN if missing."""
    if part.empty:
        return np.empty((0, 0, len(columns)))
    table = part.groupby(["dataset", "item", "system"], observed=True)[columns].mean().unstack("system")
    return table.to_numpy(dtype=float).reshape(len(table), len(columns), -1).transpose(2, 0, 1)


def _confidences(values: FloatArray, swaps: FloatArray) -> Iterator[_Confidence]:
    """Compare every two systems with common items, from values of shape (systems, items, columns)."""
    for first, second in combinations(values, 2):
        difference = first - second
        common = ~np.isnan(difference).any(axis=1)
        if not common.any():
            continue
        difference = difference[common]
        observed = difference.sum(axis=0)
        permuted = swaps[:, common] @ difference
        margin = ROUNDING * np.abs(difference).sum(axis=0)
        yield _Confidence(
            ((permuted >= observed - margin).sum(axis=0) + 1) / (len(swaps) + 1),
            ((permuted <= observed + margin).sum(axis=0) + 1) / (len(swaps) + 1),
            np.where(np.abs(observed) <= margin, 0.0, np.sign(observed)),
        )
