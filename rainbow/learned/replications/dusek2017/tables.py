"""Tables of the study: printed values next to reproduced values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.learned.replications.dusek2017.network import Run, RunPredictions
from rainbow.learned.replications.dusek2017.setups import SETUPS, Condition, Study
from rainbow.learned.replications.training import printed_table
from rainbow.stats.correlation.correlation import correlate
from rainbow.stats.differences.dependent_correlations import williams_test
from rainbow.stats.tidy_tables import tidy_table

# Training instances per setup, from table 2.
INSTANCES = {"S1": 1476, "S2": 3937, "S3": 13442, "S4": 45137, "S5": 57372, "S6": 80522}
METRICS = {"BLEU": "BLEU4", "METEOR": "METEOR", "ROUGE-L": "ROUGE", "CIDEr": "CIDEr"}
CONSTANT = 4.5  # the mean of all ratings, rounded as every prediction is
LOW, HIGH = 1.0, 6.0
FIGURES = ("pearson", "spearman", "mae", "rmse")
_COLUMNS = (
    *("condition", "setup", "runs", "n", *FIGURES, *(f"printed_{name}" for name in FIGURES)),
    *("over_best_metric_p", "over_s1_p"),
)

Done = Mapping[Run, RunPredictions]


def round_predictions(predicted: FloatArray) -> FloatArray:
    """Return predictions clipped to the scale and rounded to halves, as in the study."""
    halves: FloatArray = np.floor(2 * predicted.clip(LOW, HIGH) + 0.5) / 2
    return halves


def counts_table(predictions: Done) -> pd.DataFrame:
    """Return table 2: mean, minimum and maximum number of instances of each setup over folds."""
    counts = {run.setup: result.instances for run, result in predictions.items() if run.condition == "folds"}
    lines = [
        {"setup": setup, "printed": INSTANCES[setup], "mean": np.mean(own), "least": min(own), "most": max(own)}
        for setup in SETUPS
        if (own := counts.get(setup)) is not None
    ]
    return tidy_table(lines, ("setup", "printed", "mean", "least", "most"))


def results_table(predictions: Done, study: Study) -> pd.DataFrame:
    """Return tables 3 to 5: results of the constant, the metrics and the networks per condition."""
    printed = printed_table("dusek2017").set_index(["condition", "setup"])
    lines: list[dict[str, Any]] = []
    for condition in dict.fromkeys(run.condition for run in predictions):
        lines += _condition_lines(
            condition, {run: result for run, result in predictions.items() if run.condition == condition}, study
        )
    for line in lines:
        own = printed.loc[(line["condition"], line["setup"])]
        line |= {f"printed_{name}": own[name] for name in FIGURES}
    return tidy_table(lines, _COLUMNS)


def _condition_lines(condition: Condition, predictions: Done, study: Study) -> list[dict[str, Any]]:
    """Return the table lines of one condition."""
    rows = next(iter(predictions.values())).rows
    rated = study.ratings[rows]
    metrics = {name: _rescale_scores(study, column)[rows] for name, column in METRICS.items()}
    lines: list[dict[str, Any]] = [{"setup": "constant", **_result_fields(np.full(len(rows), CONSTANT), rated)}]
    lines += [{"setup": name, **_result_fields(scores, rated)} for name, scores in metrics.items()]
    best = max(METRICS, key=lambda name: correlate(metrics[name], rated, "pearson").r)
    by_setup = {setup: [result for run, result in predictions.items() if run.setup == setup] for setup in SETUPS}
    base = by_setup["S1"]
    for setup, result in by_setup.items():
        if not result:
            continue
        pooled = round_predictions(np.concatenate([one.predicted for one in result]))
        fields = _result_fields(pooled, study.ratings[np.concatenate([one.rows for one in result])])
        line: dict[str, Any] = {"setup": setup, "runs": len(result), **fields}
        line["over_best_metric_p"] = _williams_p(
            result, [result[0]._replace(rows=rows, predicted=metrics[best])], study
        )
        if base and setup != "S1":
            line["over_s1_p"] = _williams_p(result, base, study)
        lines.append(line)
    return [{"condition": condition, "n": len(rows), **line} for line in lines]


def _rescale_scores(study: Study, column: str) -> FloatArray:
    """Return published scores rescaled to the rating range and rounded down to halves."""
    scores = study.corpus.frame[f"published.{column}"].to_numpy(float)
    share = (scores - scores.min()) / (scores.max() - scores.min())
    halves: FloatArray = np.floor(2 * (LOW + (HIGH - LOW) * share)) / 2
    return halves


def _result_fields(predicted: FloatArray, rated: FloatArray) -> dict[str, float]:
    return {
        "pearson": correlate(predicted, rated, "pearson").r,
        "spearman": correlate(predicted, rated, "spearman").r,
        "mae": float(np.abs(predicted - rated).mean()),
        "rmse": float(np.sqrt(((predicted - rated) ** 2).mean())),
    }


def _williams_p(result: Sequence[RunPredictions], others: Sequence[RunPredictions], study: Study) -> float:
    """Return the Williams test p-value of the mean predictions of two sets of runs."""
    means = []
    for runs in (result, others):
        by_row = np.zeros(len(study.ratings))
        for one in runs:
            by_row[one.rows] += round_predictions(one.predicted) / len(runs)
        means.append(by_row[result[0].rows])
    rated = study.ratings[result[0].rows]
    pairs = ((means[0], rated), (means[1], rated), (means[0], means[1]))
    own, other, between = (correlate(x, y, "pearson").r for x, y in pairs)
    return float(williams_test(own, other, between, len(rated)).p)
