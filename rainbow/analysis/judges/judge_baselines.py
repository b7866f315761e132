"""Scores that stand for a rating, and the baselines they must beat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from rainbow.analysis.checks.baselines import FOLDS, predict_held_out_lines
from rainbow.analysis.correlations.best_metrics import best_metrics
from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.corpus import rater_columns
from rainbow.corpus.text_profile import text_lengths
from rainbow.scoring.table_cells import By, iterate_cells

# By dataset and rating.
Best = Mapping[tuple[str, str], str]


def numeric_values(frame: pd.DataFrame, columns: str | Sequence[str]) -> FloatArray:
    """Return columns as floats; NaN for anything else."""
    values: FloatArray = frame[columns].to_numpy(dtype=float, na_value=np.nan)
    return values


def word_counts(frame: pd.DataFrame) -> FloatArray:
    """Return the length of every output in words."""
    return text_lengths(frame["output"].tolist())


def best_metric_by_cell(
    correlations: pd.DataFrame, metrics: Iterable[str], higher_is_better: Mapping[str, bool | None]
) -> dict[tuple[str, str], str]:
    """Return the best metric for each rating by dataset (``all``: pooled)."""
    pooled = correlations[(correlations["system"] == "all") & (correlations["level"] == "pooled")]
    best = best_metrics(pooled, dict.fromkeys(metrics, "any"), higher_is_better).dropna(subset="r")
    names = zip(best["dataset"], best["rating"], best["metric"], strict=True)
    return {(str(dataset), str(rating)): str(metric) for dataset, rating, metric in names}


def judge_candidates(
    frame: pd.DataFrame, ratings: Sequence[str], stands_for: Mapping[str, str], best: Best, by: By
) -> Iterator[tuple[dict[str, str], pd.DataFrame, FloatArray]]:
    """Yield per part and rating the scores that stand for it, the best metric and a constant."""
    for key, part in iterate_cells(frame, by):
        for rating in ratings:
            heads = {"dataset": key["dataset"], "rating": rating}
            for metric, kind, values in _rating_candidates(
                part, rating, stands_for, best.get((key["dataset"], rating))
            ):
                yield {**heads, "metric": metric, "kind": kind}, part, values


def _rating_candidates(
    part: pd.DataFrame, rating: str, stands_for: Mapping[str, str], best: str | None
) -> Iterator[tuple[str, str, FloatArray]]:
    for name in stands_for:
        if stands_for[name] == rating:
            yield name, "score", numeric_values(part, name)
    if best is not None:
        yield best, "best metric", _rescale_to_rating(part, numeric_values(part, best), numeric_values(part, rating))
    single = numeric_values(part, rater_columns(part, rating) or [rating])
    constant = float(np.nanmedian(single)) if (~np.isnan(single)).any() else np.nan
    yield f"constant {constant:g}", "constant", np.full(len(part), constant)


def _rescale_to_rating(frame: pd.DataFrame, values: FloatArray, rated: FloatArray) -> FloatArray:
    there = ~np.isnan(values) & ~np.isnan(rated)
    items = frame[there].groupby(["dataset", "item"], sort=False).ngroup().to_numpy()
    folds, predicted = items % FOLDS, np.full(len(frame), np.nan)
    if len(np.unique(folds)) > 1:
        predicted[there] = predict_held_out_lines(values[there], rated[there], folds)
    return predicted
