"""Pairwise ranking accuracy of metrics within items, of scores as they are or on the rating scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.lazy import pd
from rainbow.scoring.table_cells import By, measure_cells, orient_metrics, output_pairs
from rainbow.stats.order.chance_agreement import (
    binomial_p,
    can_permute,
    count_agreements,
    expected_accuracy,
    permutation_test,
)
from rainbow.stats.order.pairs import Signs, pair_signs, text_ranks

# Medians of an even number of judges lie halfway between two marks, so a scale from 1 to 6 has 11 values.
LOWEST = 1.0
STEP = 0.5
VALUES = 11

# The one column that the authors of 2017 turned round.
TURNED_ROUND_IN_2017 = "TER"


def quantise(
    scores: pd.DataFrame, higher_is_better: Mapping[str, bool | None], as_published: bool = False
) -> pd.DataFrame:
    """Return every column on the rating scale from 1 (worst score of the column) to 6 (best).

    Shapes: scores (n, k), returns (n, k).
    Source: Novikova, Dušek, Cercas Curry and Rieser (2017), Why We Need New Evaluation Metrics for NLG, section 7.2.
    """
    values = scores.to_numpy(dtype=float, na_value=np.nan)
    missing: dict[str, dict[str, list[int] | str]] = {}
    result = np.full(values.shape, np.nan)
    for place, name in enumerate(map(str, scores)):
        reason = _undefined_reason(values[:, place])
        if reason is not None:
            missing[name] = {reason: "all"}
            continue
        lower_is_better = name == TURNED_ROUND_IN_2017 if as_published else higher_is_better[name] is False
        result[:, place] = _quantise_column(values[:, place], lower_is_better)
        if (gaps := np.flatnonzero(np.isnan(values[:, place]))).size:
            missing[name] = {"there is no score": gaps.tolist()}
    table = pd.DataFrame(result, index=scores.index, columns=scores.columns)
    table.attrs["missing"] = missing
    return table


def _undefined_reason(column: FloatArray) -> str | None:
    known = column[~np.isnan(column)]
    if not known.size:
        return "there is no score"
    if not np.isfinite(known).all():
        return "it has infinite values"
    return "it is constant" if known.min() == known.max() else None


def _quantise_column(column: FloatArray, lower_is_better: bool) -> FloatArray:
    share = (column - np.nanmin(column)) / (np.nanmax(column) - np.nanmin(column))
    if lower_is_better:
        share = 1 - share
    marks: FloatArray = np.minimum(VALUES - 1, np.floor(VALUES * share))
    return LOWEST + STEP * marks


Scores = Literal["raw", "quantised"]

NO_PAIRS = "no item has two outputs with a score and a rating"
NO_PERMUTATION = "no two items have the same number of outputs: there is nothing to permute"


def ranking_accuracy(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    higher_is_better: Mapping[str, bool | None],
    *,
    by: By = "dataset",
    scores: Scores = "raw",
    one_per_item: bool = False,
    as_published: bool = False,
    permutations: int = 1000,
    rng: Random = None,
) -> pd.DataFrame:
    """Return the share of output pairs that metrics order as people do, and its chance level.

    Source: Novikova, Dušek, Cercas Curry and Rieser (2017), Why We Need New Evaluation Metrics for NLG, section 7.2.
    """
    if scores not in get_args(Scores):
        raise ValueError(f"unknown scores {scores!r}: choose from {', '.join(get_args(Scores))}")
    if permutations < 1:
        raise ValueError(f"{permutations} permutations: use at least 1")
    table = orient_metrics(frame, metrics, higher_is_better)
    missing = {}
    if scores == "quantised":
        quantised = quantise(frame[list(metrics)], higher_is_better, as_published)
        table, missing = table.assign(**{name: quantised[name] for name in metrics}), quantised.attrs["missing"]
    elif as_published:
        table = table.assign(**{name: _published_order(frame[name], higher_is_better[name]) for name in metrics})
    measure = partial(
        _accuracy_rows,
        one_per_item=one_per_item or as_published,
        permutations=permutations,
        tests=len(metrics),
        rng=np.random.default_rng(rng),
    )
    return _add_reasons(measure_cells(table, metrics, ratings, by, measure), missing)


def _add_reasons(result: pd.DataFrame, missing: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Add the reasons of metrics that could not be quantised."""
    why = {name: reason for name, reasons in missing.items() for reason, rows in reasons.items() if rows == "all"}
    reasons = [why.get(metric, reason) for metric, reason in zip(result["metric"], result["reason"], strict=True)]
    return result.assign(reason=np.array(reasons, dtype=object))


def _published_order(column: pd.Series[Any], higher_is_better: bool | None) -> FloatArray:
    ranks = text_ranks(column.to_numpy(dtype=float, na_value=np.nan))
    return -ranks if higher_is_better is False else ranks


def _accuracy_rows(
    part: pd.DataFrame,
    metrics: list[str],
    ratings: list[str],
    *,
    one_per_item: bool,
    permutations: int,
    tests: int,
    rng: np.random.Generator,
) -> dict[str, NDArray[Any]]:
    if one_per_item:
        _check_two_systems(part)
    pairs = output_pairs(part, one_per_item)
    metric = pair_signs(part[metrics].to_numpy(dtype=float), pairs)
    human = pair_signs(part[ratings].to_numpy(dtype=float), pairs)
    result = _accuracy(metric, human) if pairs else _undefined_accuracy()
    if pairs and can_permute(human):
        chance = expected_accuracy(metric, human)
        result["chance"] = chance
        result["p_permutation"], result["permutations"] = permutation_test(metric, human, permutations, tests, rng)
        result["p_binomial"] = binomial_p(count_agreements(metric, human), result["pairs"], chance)
        result["reason"] = np.array(None)
    result["reason"] = result.pop("reason")  # the last column
    return result


def _check_two_systems(frame: pd.DataFrame) -> None:
    counts = frame.groupby("dataset", sort=False, observed=True)["system"].nunique()
    if (counts > 2).any():
        name = counts.index[counts > 2][0]
        raise ValueError(
            f"dataset {name!r} has {counts[name]} systems: one pair per item needs two systems; use all pairs"
        )


def _undefined_accuracy() -> dict[str, NDArray[Any]]:
    nan = np.array(np.nan)
    names = ("accuracy", "chance", "p_permutation", "p_binomial", "permutations", "metric_ties", "rating_ties")
    return (
        {"pairs": np.array(0)}
        | dict.fromkeys(names, nan)
        | {"permutations": np.array(0), "reason": np.array(NO_PAIRS, dtype=object)}
    )


def _accuracy(metric: Signs, human: Signs) -> dict[str, NDArray[Any]]:
    pairs = sum(block.shape[0] * block.shape[1] for block in human)
    return _undefined_accuracy() | {
        "pairs": np.array(pairs),
        "accuracy": count_agreements(metric, human) / pairs,
        "metric_ties": _tie_share(metric, pairs)[:, None],
        "rating_ties": _tie_share(human, pairs)[None, :],
        "reason": np.array(NO_PERMUTATION, dtype=object),
    }


def _tie_share(signs: Signs, pairs: int) -> FloatArray:
    ties: FloatArray = np.sum([(block == 0).sum(axis=(0, 1)) for block in signs], axis=0) / pairs
    return ties
