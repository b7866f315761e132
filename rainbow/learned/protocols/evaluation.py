"""Agreement of predictions with ratings, compared with baselines and the ceiling."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.base.lazy import pd
from rainbow.learned.protocols.cross_validation import FOREST, PREDICTIONS
from rainbow.learned.protocols.folds import row_positions
from rainbow.learned.protocols.groups import row_groups
from rainbow.learned.protocols.single_metric import SingleMetric, best_single_metric
from rainbow.scoring.table_cells import By, iterate_cells, orient_metrics
from rainbow.stats.correlation.correlation import correlation_matrix, undefined_correlation_reason
from rainbow.stats.correlation.intervals import Interval
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.differences.jackknife_differences import jackknife_difference
from rainbow.stats.resampling.bootstrap import bootstrap
from rainbow.stats.tidy_tables import require_columns, tidy_table

Ceiling = tuple[float, float, float]

_KEY = ("protocol", "seed", "rating")
_LEVELS: tuple[By, ...] = ("all", "dataset", "dataset-system")
_EVALUATION = (
    *("protocol", "rating", "dataset", "system", "n", "items", "spearman", "low", "high", "pearson", "mae", "rmse"),
    *("constant_mae", "constant_rmse", "best_metric", "best_metric_spearman", "best_metric_t", "best_metric_p"),
    *("forest_spearman", "forest_t", "forest_p"),
    *("ceiling", "ceiling_low", "ceiling_high", "seed", "reason"),
)
_UNKNOWN: Ceiling = (math.nan, math.nan, math.nan)


def evaluate_predictions(
    frame: pd.DataFrame,
    predictions: pd.DataFrame,
    scores: pd.DataFrame,
    higher_is_better: Mapping[str, bool | None],
    *,
    resamples: int = 1000,
    rng: Random = None,
    ceilings: Mapping[str, Ceiling] | None = None,
) -> pd.DataFrame:
    """Return the agreement of predictions with ratings, next to baselines and the ceiling.

    Source: Davison, A. and Hinkley, D. (1997). Bootstrap methods and their application, section 3.8.
    """
    require_columns(frame, ["id", "dataset", "system"])
    _check_predictions(predictions)
    given = _Context(
        items=row_groups(frame, "by-item"),
        scores=_check_scores(frame, scores, higher_is_better),
        higher_is_better={name: higher_is_better[name] for name in map(str, scores)},
        resamples=resamples,
        # One seed for all, so that no line depends on those before it.
        seed=int(np.random.default_rng(rng).integers(2**62)),
        ceilings=ceilings or {},
    )
    return tidy_table(_evaluation_lines(frame, predictions, given), _EVALUATION)


def compare_external_scores(
    frame: pd.DataFrame, predictions: pd.DataFrame, higher_is_better: Mapping[str, bool | None]
) -> pd.DataFrame:
    """Return the agreement of predictions and external scores with the ratings of the same rows."""
    parts = []
    for name, better in higher_is_better.items():
        scored = frame.loc[frame[name].notna(), "id"]
        rows = predictions[predictions["id"].isin(scored)]
        table = evaluate_predictions(frame, rows, frame[[name]], {name: better}, resamples=_FEW, rng=0)
        parts.append(table.assign(best_metric=name))
    table = pd.concat(parts, ignore_index=True)
    return table.rename(columns=lambda name: name.replace("best_metric", "score"))[list(_EXTERNAL_COLUMNS)]


# Intervals are stored with the predictions, not in this table.
_FEW = 10
_EXTERNAL_COLUMNS = (
    *("protocol", "rating", "dataset", "system", "score", "score_spearman", "spearman", "score_t", "score_p"),
    *("n", "seed", "reason"),
)


class _Context(NamedTuple):
    """What all lines of an evaluation share; items and scores by row position."""

    items: IntArray
    scores: FloatArray
    higher_is_better: Mapping[str, bool | None]
    resamples: int
    seed: int
    ceilings: Mapping[str, Ceiling]


def _check_predictions(predictions: pd.DataFrame) -> None:
    require_columns(predictions, PREDICTIONS)
    if (twice := predictions.duplicated([*_KEY, "id"])).any():
        protocol, _, rating, identity = predictions.loc[twice, [*_KEY, "id"]].iloc[0]
        raise ValueError(f"row {identity} has two predictions of {rating} under {protocol}: give one")
    rated = predictions[predictions["rated"].notna()]
    numbers = ["predicted", "constant_mean", "constant_median"]
    if not np.isfinite(rated[numbers].to_numpy(dtype=float)).all():
        raise ValueError(
            "a rated row has a prediction or a constant that is not finite: give a finite number for every row"
        )


def _check_scores(frame: pd.DataFrame, scores: pd.DataFrame, higher_is_better: Mapping[str, bool | None]) -> FloatArray:
    if len(scores) != len(frame):
        raise ValueError(f"{len(scores)} rows of scores for {len(frame)} outputs: give one row per output")
    # This rejects text, infinite scores and metrics without a direction.
    orient_metrics(scores, list(map(str, scores)), higher_is_better)
    return scores.to_numpy(dtype=float, na_value=np.nan)


def _evaluation_lines(frame: pd.DataFrame, predictions: pd.DataFrame, context: _Context) -> Iterator[dict[str, Any]]:
    names = {name: np.array(frame[name].tolist(), dtype=object) for name in ("dataset", "system")}
    for (protocol, seed, rating), part in predictions.groupby(list(_KEY), sort=False):
        positions = row_positions(frame, part["id"].tolist())
        table = part.assign(position=positions, **{name: values[positions] for name, values in names.items()})
        for by in _LEVELS:
            for key, rows in iterate_cells(table, by):
                ceiling = context.ceilings.get(str(rating), _UNKNOWN) if len(rows) == len(part) else _UNKNOWN
                yield {
                    "protocol": protocol,
                    "seed": seed,
                    "rating": rating,
                    **key,
                    **_evaluation_line(rows[rows["rated"].notna()], context),
                    **dict(zip(("ceiling", "ceiling_low", "ceiling_high"), ceiling, strict=True)),
                }


def _evaluation_line(rows: pd.DataFrame, context: _Context) -> dict[str, Any]:
    """Evaluate the predictions of one protocol and rating, all with a rating."""
    columns = ("rated", "predicted", "constant_mean", "constant_median")
    rated, predicted, mean, median = (rows[name].to_numpy(dtype=float) for name in columns)
    forest = rows[FOREST].to_numpy(dtype=float) if FOREST in rows else np.full(len(rows), np.nan)
    positions = rows["position"].to_numpy()
    items = context.items[positions]
    best = best_single_metric(context.scores[positions], rated, context.higher_is_better)
    agreement = {
        "n": len(rows),
        "items": len(np.unique(items)),
        "mae": _mean_or_nan(np.abs(predicted - rated)),
        "rmse": math.sqrt(_mean_or_nan((predicted - rated) ** 2)),
        "constant_mae": _mean_or_nan(np.abs(median - rated)),
        "constant_rmse": math.sqrt(_mean_or_nan((mean - rated) ** 2)),
        "best_metric": best.name,
        "best_metric_spearman": best.spearman,
    }
    reason = undefined_correlation_reason(predicted, rated, ("the prediction", "the rating"))
    if reason is not None:
        return agreement | {"reason": reason}
    return (
        agreement
        | _correlation_fields(predicted, rated, items, best, context)
        | _forest_fields(predicted, forest, rated, items)
    )


def _correlation_fields(
    predicted: FloatArray, rated: FloatArray, items: IntArray, best: SingleMetric, context: _Context
) -> dict[str, Any]:
    own, other = predicted[:, None], rated[:, None]
    spearman = float(correlation_matrix(own, other)[0, 0])
    interval = _correlation_interval(own, other, items, context)
    t, p, reason = _test_single_metric(predicted, rated, items, best)
    reasons = dict.fromkeys(text for text in (interval.reason, reason) if text)
    return {
        "spearman": spearman,
        "low": interval.low,
        "high": interval.high,
        "pearson": float(correlation_matrix(own, other, "pearson")[0, 0]),
        "best_metric_t": t,
        "best_metric_p": p,
        "reason": "; ".join(reasons) or None,
    }


def _forest_fields(predicted: FloatArray, forest: FloatArray, rated: FloatArray, items: IntArray) -> dict[str, float]:
    """Return the forest's correlation on the same rows, and the test against it; empty if none."""
    if np.isnan(forest).any():
        return {}
    other = float(correlation_matrix(forest[:, None], rated[:, None])[0, 0])
    tested = jackknife_difference(predicted, forest, rated, items)
    return {"forest_spearman": other, "forest_t": float(tested.statistic), "forest_p": float(tested.p)}


def _correlation_interval(predicted: FloatArray, rated: FloatArray, items: IntArray, context: _Context) -> Interval:
    statistic = partial(weighted_correlations, predicted, rated)
    bounds = bootstrap(statistic, items, "percentile", resamples=context.resamples, rng=context.seed)
    return Interval(bounds.low.item(), bounds.high.item(), bounds.reason.item())


def _test_single_metric(
    predicted: FloatArray, rated: FloatArray, items: IntArray, best: SingleMetric
) -> tuple[float, float, str | None]:
    """Test the prediction against the single metric, both oriented so that higher is better."""
    if best.name is None:
        return math.nan, math.nan, best.reason
    result = jackknife_difference(predicted, best.turned, rated, items)
    reason = f"no test against {best.name}: {result.reason}" if result.reason is not None else None
    return float(result.statistic), float(result.p), reason


def _mean_or_nan(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else math.nan
