"""Biases of scores that stand for a rating: length, and preference for a system."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np

from rainbow.analysis.judges.judge_baselines import Best, judge_candidates, numeric_values, word_counts
from rainbow.base.arrays import BoolArray, FloatArray, Random
from rainbow.base.lazy import pd
from rainbow.scoring.table_cells import By, iterate_cells, output_pairs
from rainbow.stats.correlation.correlation import correlate
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import WeightedStatistic, bootstrap
from rainbow.stats.tidy_tables import require_columns, tidy_table

COLUMNS = ("dataset", "rating", "metric", "kind", "bias", "value", "people", "excess", "low", "high", "n", "reason")
# The letters that begin the name of a language model: gpt of gpt-4o and gpt-3.5-turbo.
_FAMILY = re.compile(r"[^\W\d_]{3,}")
SYSTEM_COLUMNS = (
    *("dataset", "rating", "metric", "system", "mean_rating", "mean_score", "preference", "low", "high"),
    *("rank_rating", "rank_score", "order", "order_without", "n", "family", "reason"),
)


def score_biases(
    frame: pd.DataFrame,
    ratings: Sequence[str],
    stands_for: Mapping[str, str],
    best: Best,
    *,
    by: By = "all",
    resamples: int = 1000,
    rng: Random = None,
) -> pd.DataFrame:
    """Return how much scores depend on output length beyond what people's ratings do."""
    require_columns(frame, ["dataset", "system", "item", "output", *ratings, *stands_for])
    seed = int(np.random.default_rng(rng).integers(2**62))
    draw = partial(bootstrap, interval="percentile", resamples=resamples, rng=seed)
    rows = [
        {**heads, **row}
        for heads, part, values in judge_candidates(frame, ratings, stands_for, best, by)
        if heads["kind"] != "constant"
        for row in _bias_rows(values, part, heads["rating"], draw)
    ]
    return tidy_table(rows, COLUMNS)


def _bias_rows(values: FloatArray, part: pd.DataFrame, rating: str, draw: Any) -> Iterator[dict[str, Any]]:
    there = ~np.isnan(values) & ~np.isnan(numeric_values(part, rating))
    rows = part[there].assign(score=values[there])
    yield {"bias": "length", **_length_bias(rows, rating, draw)}
    yield {"bias": "verbosity", **_verbosity_bias(rows, rating, draw)}


def _length_bias(rows: pd.DataFrame, rating: str, draw: Any) -> dict[str, Any]:
    two, length = numeric_values(rows, ["score", rating]), word_counts(rows)
    score, people = (correlate(column, length) for column in two.T)
    if reason := score.reason or people.reason:
        return _undefined_row(len(rows), reason.replace("x is", "a score is").replace("y is", "the length is"))

    def excess(multiplicities: FloatArray) -> FloatArray:
        r = weighted_correlations(two, length[:, None], multiplicities)
        difference: FloatArray = r[:, :1] - r[:, 1:]
        return difference

    bounds = draw(excess, _items(rows))
    return _bias_row(score.r, people.r, bounds, len(rows))


def _verbosity_bias(rows: pd.DataFrame, rating: str, draw: Any) -> dict[str, Any]:
    """Compare pairs of outputs for an item with different lengths and equal ratings."""
    if rows.empty:
        return _undefined_row(0, "no output has a score and a rating")
    blocks = output_pairs(rows)
    pairs = np.array([pair for block in blocks for pair in zip(block.first.ravel(), block.second.ravel(), strict=True)])
    if not len(pairs):
        return _undefined_row(0, "no item has two outputs")
    score, people, length = (
        values[pairs] for values in (numeric_values(rows, "score"), numeric_values(rows, rating), word_counts(rows))
    )
    counted = (people[:, 0] == people[:, 1]) & (length[:, 0] != length[:, 1])
    if not counted.any():
        return _undefined_row(0, "no two outputs of an item have equal ratings and different lengths")
    first = np.sign(score[counted, 0] - score[counted, 1]) * np.sign(length[counted, 0] - length[counted, 1])
    longer = (first + 1) / 2

    def share(multiplicities: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):
            excess: FloatArray = multiplicities @ longer / multiplicities.sum(axis=1) - 0.5
        return excess[:, None, None]

    bounds = draw(share, _items(rows)[pairs[counted, 0]])
    return _bias_row(float(longer.mean()), 0.5, bounds, int(counted.sum()))


def _items(rows: pd.DataFrame) -> Any:
    return rows.groupby(["dataset", "item"], sort=False).ngroup().to_numpy()


def _bias_row(value: float, human: float, bounds: Any, n: int) -> dict[str, Any]:
    low, high, reason = (table[0, 0] for table in bounds)
    excess = value - human
    return {"value": value, "people": human, "excess": excess, "low": low, "high": high, "n": n, "reason": reason}


def _undefined_row(n: int, reason: str) -> dict[str, Any]:
    return {"n": n, "reason": reason} | dict.fromkeys(("value", "people", "excess", "low", "high"), math.nan)


def system_preferences(
    frame: pd.DataFrame,
    stands_for: Mapping[str, str],
    models: Mapping[str, str] = MappingProxyType({}),
    *,
    resamples: int = 1000,
    rng: Random = None,
) -> pd.DataFrame:
    """Return which systems scores prefer beyond ratings, the effect on their order, and the judge's own family."""
    require_columns(frame, ["dataset", "system", "item", *stands_for, *stands_for.values()])
    seed = int(np.random.default_rng(rng).integers(2**62))
    draw = partial(bootstrap, interval="percentile", resamples=resamples, rng=seed)
    rows = [
        {**{"dataset": key["dataset"], "rating": rating, "metric": score}, **row, "family": family}
        for key, part in iterate_cells(frame, "dataset")
        for score, rating in stands_for.items()
        for row in _preference_rows(part.dropna(subset=[score, rating]), score, rating, draw)
        for family in [shared_family(models.get(score, score), row["system"])]
    ]
    return tidy_table(rows, SYSTEM_COLUMNS)


def shared_family(model: str, system: str) -> str:
    """Return the letters with which the names of both models begin; empty if they differ."""
    one, other = (_FAMILY.match(name.rpartition("/")[2].lower()) for name in (model, system))
    return one[0] if one and other and one[0] == other[0] else ""


def _preference_rows(rows: pd.DataFrame, score: str, rating: str, draw: Any) -> Iterator[dict[str, Any]]:
    systems = list(dict.fromkeys(rows["system"]))
    own: BoolArray = np.array([rows["system"] == system for system in systems], dtype=bool)
    if len(systems) < 2:
        reason = "there is only one system" if systems else "no output has a score and a rating"
        yield {"system": systems[0] if systems else "", "n": len(rows), "reason": reason}
        return
    people, scores = numeric_values(rows, rating), numeric_values(rows, score)
    excess = _excess_statistic(scores - people, own.T.astype(float))
    observed, bounds = excess(np.ones((1, len(rows))))[0, 0], draw(excess, _items(rows))
    means = np.array([[values[place].mean() for place in own] for values in (people, scores)])
    ranks = 1 + (means[:, :, None] < means[:, None, :]).sum(axis=2)
    for place, system in enumerate(systems):
        low, high, reason = (table[0, place] for table in bounds)
        yield {
            **{"system": system, "mean_rating": means[0, place], "mean_score": means[1, place]},
            **{"preference": observed[place], "low": low, "high": high},
            **{"rank_rating": float(ranks[0, place]), "rank_score": float(ranks[1, place])},
            **{"order": _order_agreement(means), "order_without": _order_agreement(np.delete(means, place, axis=1))},
            **{"n": int(own[place].sum()), "reason": reason},
        }


def _excess_statistic(excess: FloatArray, own: FloatArray) -> WeightedStatistic:
    """Return the statistic: each system's mean excess minus that of the others, (resamples, 1, systems)."""

    def statistic(multiplicities: FloatArray) -> FloatArray:
        sums, counts = multiplicities @ (excess[:, None] * own), multiplicities @ own
        others = sums.sum(axis=1, keepdims=True) - sums, counts.sum(axis=1, keepdims=True) - counts
        with np.errstate(invalid="ignore", divide="ignore"):
            preference: FloatArray = sums / counts - others[0] / others[1]
        return preference[:, None, :]

    return statistic


def _order_agreement(means: FloatArray) -> float:
    """Return the share of system pairs in the same order; NaN for fewer than two systems."""
    pairs = list(combinations(means.T, 2))
    same = [np.sign(one[0] - other[0]) == np.sign(one[1] - other[1]) for one, other in pairs]
    return float(np.mean(same)) if pairs else math.nan
