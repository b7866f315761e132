"""What a metric must beat: the length of the output alone, and a constant."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.analysis.checks.findings import Finding
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.corpus.text_profile import text_lengths
from rainbow.scoring.cells import alike
from rainbow.stats.correlation.correlation import MINIMUM_ROWS, correlate_each
from rainbow.stats.tidy import require, tidy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FOLDS", "baselines", "check_baselines", "held_out_line"]

# Parts into which the items are divided, each predicted from the others.
FOLDS = 10

_BASELINES = ("rmse_length", "rmse_constant")
COLUMNS = ("rating", "metric", "r", "r_length", "rmse", "rmse_length", "rmse_constant", "n", "reason")


def baselines(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> pd.DataFrame:
    """Give, beside what each metric tells about each rating, what the output's length and a constant tell.

    Two views: Spearman's r of the metric and of the length, signs kept; and the error, in points of the rating, of
    predicting it by a straight line from the metric, from the length, or by the mean. The lines are fitted on nine
    tenths of the items and tested on the others, ten times, so that each finds its own direction and none sees an
    output for the item that it predicts.

    Parameters
    ----------
    frame
        A row per output, with columns `dataset`, `item` and `output`; NaN where a score or rating is missing.
    metrics, ratings
        Columns of the table.

    Returns
    -------
    DataFrame
        Columns rating, metric, r, r_length, rmse, rmse_length, rmse_constant (root mean square errors;
        all over the rows that have the metric and the rating), n, reason (why there is no error, else None).

    Raises
    ------
    ValueError
        If a column is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"dataset": "inns", "system": "A", "item": range(8), "output": ["a", "b c"] * 4})
    >>> frame = frame.assign(TER=[8, 7, 6, 5, 4, 3, 2, 1], quality=[1, 2, 3, 4, 5, 6, 7, 8])
    >>> baselines(frame, ["TER"], ["quality"])[["r", "r_length", "rmse", "rmse_length", "rmse_constant"]].round(2)
         r  r_length  rmse  rmse_length  rmse_constant
    0 -1.0      0.22   0.0         2.98           2.62
    """
    require(frame, ["dataset", "item", "output", *metrics, *ratings])
    rows = (
        {"rating": rating, "metric": metric, **line}
        for rating in ratings
        for metric, line in zip(metrics, _compared(frame, metrics, rating), strict=True)
    )
    return tidy(rows, COLUMNS)


def check_baselines(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Say for every metric and rating whether the metric tells more than the output's length, and than a constant.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"dataset": "inns", "system": "A", "item": range(8), "output": ["a", "b c"] * 4})
    >>> frame = frame.assign(TER=[8, 7, 6, 5, 4, 3, 2, 1], quality=[1, 2, 3, 4, 5, 6, 7, 8])
    >>> next(check_baselines(frame, ["TER"], ["quality"])).finding
    'predicts quality with an error of 0.000, length alone 2.981, a constant 2.619 (Spearman -1.00, length 0.22)'
    """
    for line in baselines(frame, metrics, ratings).to_dict("records"):
        if line["reason"] is not None:
            yield Finding("baselines", "note", line["metric"], f"for {line['rating']}: {line['reason']}", line["n"])
            continue
        finding = (
            f"predicts {line['rating']} with an error of {line['rmse']:.3f}, length alone {line['rmse_length']:.3f}, a "
            f"constant {line['rmse_constant']:.3f} (Spearman {_two(line['r'])}, length {_two(line['r_length'])})"
        )
        yield Finding("baselines", "note", line["metric"], finding, line["n"])


def _two(value: float) -> str:
    return "none" if math.isnan(value) else f"{value:.2f}"


def _compared(frame: pd.DataFrame, metrics: Sequence[str], rating: str) -> list[dict[str, Any]]:
    """Return a line for every metric; those that miss the same rows share what length and constant tell of these."""
    lines: list[dict[str, Any]] = [{}] * len(metrics)
    scored, rated = frame[list(metrics)].notna().to_numpy(bool), frame[rating].notna().to_numpy()
    for there, places in alike(scored & rated[:, None]):
        rows = frame[there]
        y = rows[rating].to_numpy(dtype=float)
        length = text_lengths(rows["output"].tolist())
        items = rows.groupby(["dataset", "item"], sort=False).ngroup().to_numpy()
        scores = rows[[metrics[place] for place in places]].to_numpy(dtype=float)
        *r, (length_r,) = correlate_each(np.column_stack([scores, length]), y[:, None])
        shared = {"r_length": length_r.r, "n": len(rows)}
        shared |= _errors(dict(zip(_BASELINES, (length, np.zeros(len(y))), strict=True)), y, items)
        for place, x, (own,) in zip(places, scores.T, r, strict=True):
            reason = _why_not(items, x)
            errors = dict.fromkeys(("rmse", *_BASELINES), math.nan) if reason else _errors({"rmse": x}, y, items)
            lines[place] = shared | {"r": own.r, "reason": reason, **errors}
    return lines


def _errors(predictors: Mapping[str, FloatArray], y: FloatArray, items: IntArray) -> dict[str, float]:
    return {
        name: math.nan if _why_not(items, x) else _cross_validated_error(x, y, items % FOLDS)
        for name, x in predictors.items()
    }


def _why_not(items: IntArray, x: FloatArray) -> str | None:
    """Say why nothing can be predicted; None if it can."""
    if not np.isfinite(x).all():
        return "the metric has infinite values"
    found = len(np.unique(items))
    return None if found >= MINIMUM_ROWS else f"only {found} items have a score and a rating: {MINIMUM_ROWS} are needed"


def _cross_validated_error(x: FloatArray, y: FloatArray, folds: IntArray) -> float:
    """Return the root mean square error of lines fitted without the fold that they predict."""
    errors = held_out_line(x, y, folds) - y
    return float(np.sqrt((errors**2).mean()))


def held_out_line(x: FloatArray, y: FloatArray, folds: IntArray) -> FloatArray:
    """Return what straight lines predict of y from x, each fitted on the rows of the other folds; shape (rows,).

    Examples
    --------
    >>> held_out_line(np.array([0.0, 1, 2, 3]), np.array([1.0, 3, 5, 7]), np.array([0, 0, 1, 1])).tolist()
    [1.0, 3.0, 5.0, 7.0]
    """
    predicted = np.empty(len(y))
    for fold in np.unique(folds):
        tested = folds == fold
        a, b = x[~tested], y[~tested]
        spread = float(((a - a.mean()) ** 2).sum())
        slope = float(((a - a.mean()) * (b - b.mean())).sum()) / spread if spread > 0 else 0.0
        predicted[tested] = b.mean() + slope * (x[tested] - a.mean())
    return predicted
