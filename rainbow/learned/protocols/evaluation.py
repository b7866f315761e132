"""Agreement of predictions with ratings, compared with baselines and the ceiling."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.base.lazy import pd
from rainbow.learned.protocols.groups import row_groups, row_positions
from rainbow.scoring.table_cells import By, iterate_cells, orient_metrics
from rainbow.stats.correlation.correlation import correlation_matrix, undefined_correlation_reason
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.differences.jackknife_differences import jackknife_difference
from rainbow.stats.resampling.bootstrap import bootstrap
from rainbow.stats.tidy_tables import require_columns, tidy_table

# The columns of a table of predictions, and the column for those of a second learner.
FOREST = "forest"
PREDICTIONS = ("protocol", "seed", "rating", "id", "fold", "rated", "predicted", "constant_mean", "constant_median")

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
    _check_predictions(predictions)
    if len(scores) != len(frame):
        raise ValueError(f"{len(scores)} rows of scores for {len(frame)} outputs: give one row per output")
    # This rejects text, infinite scores and metrics without a direction.
    orient_metrics(scores, list(map(str, scores)), higher_is_better)
    given = _Context(
        items=row_groups(frame, "by-item"),
        scores=scores.to_numpy(dtype=float, na_value=np.nan),
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
    positions = rows["position"].to_numpy()
    items = context.items[positions]
    best = best_single_metric(context.scores[positions], rated, context.higher_is_better)
    line = {
        "n": len(rows),
        "items": len(np.unique(items)),
        "mae": _mean_or_nan(np.abs(predicted - rated)),
        "rmse": math.sqrt(_mean_or_nan((predicted - rated) ** 2)),
        "constant_mae": _mean_or_nan(np.abs(median - rated)),
        "constant_rmse": math.sqrt(_mean_or_nan((mean - rated) ** 2)),
        "best_metric": best.name,
        "best_metric_spearman": best.spearman,
        "reason": undefined_correlation_reason(predicted, rated, ("the prediction", "the rating")),
    }
    if line["reason"] is None:
        forest = rows[FOREST].to_numpy(dtype=float) if FOREST in rows else np.full(len(rows), np.nan)
        line |= _correlation_fields(predicted, rated, forest, items, best, context)
    return line


def _correlation_fields(
    predicted: FloatArray, rated: FloatArray, forest: FloatArray, items: IntArray, best: SingleMetric, context: _Context
) -> dict[str, Any]:
    """Return the correlations with the ratings, and the tests against the best single metric and the forest."""
    own, other = predicted[:, None], rated[:, None]
    statistic = partial(weighted_correlations, own, other)
    bounds = bootstrap(statistic, items, "percentile", resamples=context.resamples, rng=context.seed)
    fields = {
        "spearman": float(correlation_matrix(own, other)[0, 0]),
        "low": bounds.low.item(),
        "high": bounds.high.item(),
        "pearson": float(correlation_matrix(own, other, "pearson")[0, 0]),
    }
    reasons = [bounds.reason.item(), best.reason]
    if best.name is not None:  # both turned so that higher is better
        tested = jackknife_difference(predicted, best.turned, rated, items)
        fields |= {"best_metric_t": float(tested.statistic), "best_metric_p": float(tested.p)}
        reasons.append(tested.reason and f"no test against {best.name}: {tested.reason}")
    if not np.isnan(forest).any():
        tested = jackknife_difference(predicted, forest, rated, items)
        fields["forest_spearman"] = float(correlation_matrix(forest[:, None], other)[0, 0])
        fields |= {"forest_t": float(tested.statistic), "forest_p": float(tested.p)}
    return {**fields, "reason": "; ".join(dict.fromkeys(filter(None, reasons))) or None}


def _mean_or_nan(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else math.nan


class SingleMetric(NamedTuple):
    """The metric that agrees best with the ratings of the same rows."""

    name: str | None  # None where no metric has a correlation
    # its correlation with the ratings, sign as it comes: below 0 where a lower score goes with a higher rating
    spearman: float
    agreement: float  # the same correlation of the turned scores: the highest of all metrics
    # its scores, turned so that higher is to mean better, shape (n,); a row without a score has the median
    turned: FloatArray
    reason: str | None  # the reason for a missing value, else None


def best_single_metric(
    scores: FloatArray, rated: FloatArray, higher_is_better: Mapping[str, bool | None]
) -> SingleMetric:
    """Return the metric with the highest Spearman correlation, all oriented so higher is better."""
    missing = SingleMetric(None, math.nan, math.nan, np.full(len(rated), np.nan), None)
    if (reason := undefined_correlation_reason(rated, rated, ("the rating", "the rating"))) is not None:
        return missing._replace(reason=reason)
    filled = scores.copy()
    for place, column in enumerate(scores.T):
        filled[:, place] = fill_gaps(column)
    r = correlation_matrix(filled, rated[:, None])[:, 0]
    better = higher_is_better.values()
    signs = np.array([1.0 if (r >= 0 if up is None else up) else -1.0 for up, r in zip(better, r, strict=True)])
    agreement = np.where(np.isnan(r), -np.inf, signs * r)
    if not np.isfinite(agreement).any():
        return missing._replace(reason="no metric varies over these rows")
    best = int(agreement.argmax())
    name = list(higher_is_better)[best]
    return SingleMetric(name, float(r[best]), float(agreement[best]), signs[best] * filled[:, best], None)


def fill_gaps(column: FloatArray) -> FloatArray:
    """Return a column with its median in place of NaN; 0 if nothing is known."""
    known = column[~np.isnan(column)]
    return np.where(np.isnan(column), np.median(known) if len(known) else 0.0, column)
