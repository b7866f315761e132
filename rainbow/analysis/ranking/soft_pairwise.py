"""Soft pairwise accuracy: agreement of metrics and people on system confidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.lazy import pd
from rainbow.scoring.table_cells import By, measure_cells, orient_metrics

NO_SYSTEMS = "no two systems have a score and a rating for the same item"

# Sums of the same numbers in another order differ by rounding: this much of the sum of their sizes is no difference.
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
    by: By = "dataset",
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
    return measure_cells(table, metrics, ratings, by, measure)


def _soft_accuracy_rows(
    part: pd.DataFrame, metrics: list[str], ratings: list[str], *, permutations: int, rng: np.random.Generator
) -> dict[str, NDArray[Any]]:
    values = _system_item_means(part, metrics + ratings)
    swaps = rng.choice([-1.0, 1.0], size=(permutations, values.shape[1]))
    pairs = list(_confidences(values, swaps))
    if not pairs:
        nan = np.array(np.nan)
        return {
            "system_pairs": np.array(0),
            "soft_accuracy": nan,
            "pairwise_accuracy": nan,
            "reason": np.array(NO_SYSTEMS, dtype=object),
        }
    better, worse, sign = (_split_columns(np.array(side), len(metrics)) for side in zip(*pairs, strict=True))
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


def _split_columns(side: FloatArray, metrics: int) -> tuple[FloatArray, FloatArray]:
    """Split values of shape (pairs, columns) into metrics and ratings."""
    return side[:, :metrics, None], side[:, None, metrics:]
