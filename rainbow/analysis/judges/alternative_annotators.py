"""Alternative annotator test for scores that stand for a rating, with two baselines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rainbow.analysis.judges.judge_baselines import Best, judge_candidates, numeric_values
from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.corpus import rater_columns
from rainbow.scoring.table_cells import POOLED, By
from rainbow.stats.agreement.alternative_annotator import (
    EPSILON,
    FALSE_DISCOVERY_RATE,
    OneRater,
    RaterKind,
    alternative_annotator,
)
from rainbow.stats.correlation.correlation import correlate
from rainbow.stats.tidy_tables import require_columns, tidy_table

# Scores of which more lie outside the range of the ratings are in another unit.
MOST_OUTSIDE = 0.1

_AGREEMENT = ("spearman", "spearman_rater", "rmse", "rmse_rater")
COLUMNS = (
    *("dataset", "rating", "metric", "kind", "rater", "winning_rate", "advantage", "difference", "p", "p_adjusted"),
    *("passes", *_AGREEMENT, "n", "epsilon", "reason"),
)


def alternative_annotators(
    frame: pd.DataFrame,
    ratings: Sequence[str],
    stands_for: Mapping[str, str],
    best: Best,
    *,
    by: By = "all",
    raters: RaterKind = "crowd",
) -> pd.DataFrame:
    """Test whether scores could replace one of the raters.

    Source: Calderon, N., Reichart, R. and Dror, R. (2025). The alternative annotator test for LLM-as-a-judge. ACL.
    """
    require_columns(frame, ["dataset", "item", *ratings, *stands_for])
    rows = [
        {**heads, **row, "epsilon": EPSILON[raters]}
        for heads, part, values in judge_candidates(frame, ratings, stands_for, best, by)
        for row in _test_rows(values, part, heads["rating"], EPSILON[raters])
    ]
    return tidy_table(rows, COLUMNS)


def _test_rows(values: FloatArray, part: pd.DataFrame, rating: str, epsilon: float) -> Iterator[dict[str, Any]]:
    columns = rater_columns(part, rating)
    if len(columns) < 2:
        absent = f"no columns {rating}_1, {rating}_2, ... with ratings of single raters"
        yield {"rater": POOLED, "passes": None, "n": 0, "reason": absent}
        return
    matrix = numeric_values(part, columns)
    test = alternative_annotator(values, matrix, epsilon)
    single = [_rater_row(rater, values, matrix) for rater in test.raters]
    tested = [row for row in single if not math.isnan(row["p"])]
    means = {name: float(np.mean([row[name] for row in tested or single])) for name in ("difference", *_AGREEMENT, "n")}
    rates = {"winning_rate": test.winning_rate, "advantage": test.advantage}
    passes = None if test.reason else test.passes
    reason = test.reason or _unit_warning(values, matrix) or next((row["reason"] for row in tested), None)
    yield {"rater": POOLED, **rates, **means, "passes": passes, "reason": reason}
    yield from (row | {"rater": columns[row["place"]]} for row in single)


def _unit_warning(values: FloatArray, matrix: FloatArray) -> str | None:
    """Return a warning if scores cannot be in the unit of the ratings."""
    bounds = np.nanmin(matrix), np.nanmax(matrix)
    share = float(np.mean((values < bounds[0]) | (values > bounds[1])))
    if share <= MOST_OUTSIDE:
        return None
    return f"{share:.0%} of the scores are outside {bounds[0]:g} to {bounds[1]:g}, the range of the ratings"


def _rater_row(rater: OneRater, values: FloatArray, matrix: FloatArray) -> dict[str, Any]:
    """Return the test result for one rater, with both agreements with the other raters."""
    own, others = matrix[:, rater.place], np.delete(matrix, rater.place, axis=1)
    there = ~np.isnan(own) & ~np.isnan(values) & ~np.isnan(others).all(axis=1)
    rest = np.nanmean(others[there], axis=1) if there.any() else np.empty(0)
    candidate, person = correlate(values[there], rest), correlate(own[there], rest)
    wins = None if rater.reason else rater.p_adjusted < FALSE_DISCOVERY_RATE
    return {
        **rater._asdict(),
        "winning_rate": math.nan if wins is None else float(wins),
        "passes": wins,
        "spearman": candidate.r,
        "spearman_rater": person.r,
        "rmse": _alignment_error(values[there], rest),
        "rmse_rater": _alignment_error(own[there], rest),
        "reason": rater.reason or (candidate.reason and f"no correlation: {candidate.reason}"),
    }


def _alignment_error(values: FloatArray, rest: FloatArray) -> float:
    return float(np.sqrt(((values - rest) ** 2).mean())) if len(rest) else math.nan
