"""Baselines that a metric must beat: output length and a constant."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rainbow.analysis.checks.findings import Finding
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.corpus.text_profile import text_lengths
from rainbow.scoring.table_cells import group_equal_columns
from rainbow.stats.correlation.correlation import MINIMUM_ROWS, correlate_columns
from rainbow.stats.tidy_tables import require_columns, tidy_table

# Parts into which the items are divided, each predicted from the others.
FOLDS = 10

_ERRORS = ("rmse", "rmse_length", "rmse_constant")
COLUMNS = ("rating", "metric", "r", "r_length", *_ERRORS, "n", "reason")


def baseline_table(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> pd.DataFrame:
    """Return the prediction error of each metric, of output length and of a constant."""
    require_columns(frame, ["dataset", "item", "output", *metrics, *ratings])
    rows = (
        {"rating": rating, "metric": metric, **line}
        for rating in ratings
        for metric, line in zip(metrics, _baseline_rows(frame, metrics, rating), strict=True)
    )
    return tidy_table(rows, COLUMNS)


def check_baselines(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Report metrics that predict a rating no better than output length or a constant."""
    for line in baseline_table(frame, metrics, ratings).to_dict("records"):
        if line["reason"] is not None:
            yield Finding("baselines", "note", line["metric"], f"for {line['rating']}: {line['reason']}", line["n"])
            continue
        finding = (
            f"predicts {line['rating']} with an error of {line['rmse']:.3f}; length alone "
            f"{line['rmse_length']:.3f}, a constant {line['rmse_constant']:.3f} (Spearman "
            f"{_two_digits(line['r'])}, length {_two_digits(line['r_length'])})"
        )
        yield Finding("baselines", "note", line["metric"], finding, line["n"])


def _two_digits(value: float) -> str:
    return "none" if math.isnan(value) else f"{value:.2f}"


def _baseline_rows(frame: pd.DataFrame, metrics: Sequence[str], rating: str) -> list[dict[str, Any]]:
    """Return a row per metric; metrics with the same missing rows share their baselines."""
    lines: list[dict[str, Any]] = [{}] * len(metrics)
    scored, rated = frame[list(metrics)].notna().to_numpy(bool), frame[rating].notna().to_numpy()
    for there, places in group_equal_columns(scored & rated[:, None]):
        rows = frame[there]
        y = rows[rating].to_numpy(dtype=float)
        length = text_lengths(rows["output"].tolist())
        items = rows.groupby(["dataset", "item"], sort=False).ngroup().to_numpy()
        scores = rows[[metrics[place] for place in places]].to_numpy(dtype=float)
        *r, (length_r,) = correlate_columns(np.column_stack([scores, length]), y[:, None])
        baselines = [_cross_validated_error(x, y, items) for x in (length, np.zeros(len(y)))]
        for place, x, (own,) in zip(places, scores.T, r, strict=True):
            reason = _undefined_reason(items, x)
            errors = [math.nan] * 3 if reason else [_cross_validated_error(x, y, items), *baselines]
            shared = {"r": own.r, "r_length": length_r.r, "n": len(rows), "reason": reason}
            lines[place] = shared | dict(zip(_ERRORS, errors, strict=True))
    return lines


def _undefined_reason(items: IntArray, x: FloatArray) -> str | None:
    """Return why nothing can be predicted; None if it can."""
    if not np.isfinite(x).all():
        return "the metric has infinite values"
    if (inputs := len(np.unique(items))) < MINIMUM_ROWS:
        return f"only {inputs} items have a score and a rating: {MINIMUM_ROWS} are needed"
    return None


def _cross_validated_error(x: FloatArray, y: FloatArray, items: IntArray) -> float:
    """Return the root mean square error of cross-validated straight lines; NaN if undefined."""
    if _undefined_reason(items, x):
        return math.nan
    errors = predict_held_out_lines(x, y, items % FOLDS) - y
    return float(np.sqrt((errors**2).mean()))


def predict_held_out_lines(x: FloatArray, y: FloatArray, folds: IntArray) -> FloatArray:
    """Return cross-validated predictions of y by linear regression on x, shape (rows,)."""
    predicted = np.empty(len(y))
    for fold in np.unique(folds):
        tested = folds == fold
        a, b = x[~tested], y[~tested]
        spread = float(((a - a.mean()) ** 2).sum())
        slope = float(((a - a.mean()) * (b - b.mean())).sum()) / spread if spread > 0 else 0.0
        predicted[tested] = b.mean() + slope * (x[tested] - a.mean())
    return predicted
