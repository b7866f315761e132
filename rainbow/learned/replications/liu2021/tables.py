"""Tables of the study: printed values next to reproduced values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.base.lazy import pd
from rainbow.learned.replications.liu2021.runs import Trial, TrialPredictions
from rainbow.learned.replications.liu2021.study import POINTS, RatedPairs
from rainbow.learned.replications.training import printed_table
from rainbow.stats.agreement.class_agreement import FIGURES, class_agreement, per_class
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import bootstrap
from rainbow.stats.tidy_tables import tidy_table

LABELS = (394, 373, 670, 2185, 3062, 4669)  # table 2
# Table 4, of BERT.
TESTED, FOUND = (41, 35, 65, 227, 305, 462), (0.90, 0.77, 0.71, 0.79, 0.79, 0.95)
PRINTED = {"accuracy": "accuracy", "macro_f1": "f1", "macro_recall": "recall", "macro_precision": "precision"}
_RESULTS = (
    *("split", "method", "runs", "n", "items"),
    *(f"{figure}{end}" for figure in (*FIGURES, "spearman") for end in ("", "_low", "_high")),
    *("least_accuracy", "most_accuracy", "seen", "seen_accuracy", "unseen_accuracy"),
    *(f"printed_{figure}" for figure in PRINTED),
)

_CLASSES = (
    *("split", "method", "label", "tested", "predicted", "recall", "precision", "f1"),
    *("printed_tested", "printed_recall"),
)

Tried = Mapping[Trial, TrialPredictions]


def labels_table(study: RatedPairs) -> pd.DataFrame:
    """Return table 2, the pairs per class: `label`, `printed` (of naturalness), `pairs`."""
    counts = [int((study.pairs.labels == point).sum()) for point in POINTS]
    printed = LABELS if study.rating == "naturalness" else [None] * len(POINTS)
    lines = [
        {"label": int(point), "printed": p, "pairs": n} for point, p, n in zip(POINTS, printed, counts, strict=True)
    ]
    return tidy_table(lines, ("label", "printed", "pairs"))


def splits_table(trials: Tried, study: RatedPairs, resamples: int = 1000) -> pd.DataFrame:
    """Return table 3 under every split, with the printed values for the paper's split."""
    printed = printed_table("liu2021").set_index("method") if study.rating == "naturalness" else None
    lines = list(_split_lines(trials, study, resamples))
    ours = {line["method"] for line in lines}
    if printed is not None and any(run.split == "paper" for run in trials):
        lines += [{"split": "paper", "method": name} for name in printed.index if name not in ours]
        for line in lines:
            if line["split"] == "paper" and line["method"] in printed.index:
                own = printed.loc[line["method"]]
                line |= {f"printed_{figure}": own[column] for figure, column in PRINTED.items()}
        lines.sort(key=lambda line: line["split"] != "paper")
    return tidy_table(lines, _RESULTS)


def _split_lines(trials: Tried, study: RatedPairs, resamples: int) -> Iterator[dict[str, Any]]:
    for (split, method), result in _group_runs(trials).items():
        whole = _concatenate_predictions(result)
        items = study.items[whole.rows]
        statistic = partial(_agreement_fields, whole.labels.astype(float), whole.predicted.astype(float))
        values = statistic(np.ones((1, len(items))))[0, 0]
        low, high, _ = bootstrap(statistic, items, "percentile", resamples=resamples, rng=1)
        ends = {"": values, "_low": low[0], "_high": high[0]}
        right = whole.labels == whole.predicted
        single = [float((own.labels == own.predicted).mean()) for own in result]
        yield {
            "split": split,
            "method": method,
            "runs": len(result),
            "n": len(items) // len(result),
            "items": len(np.unique(items)),
            **{
                f"{name}{end}": float(own[place])
                for place, name in enumerate((*FIGURES, "spearman"))
                for end, own in ends.items()
            },
            "least_accuracy": min(single),
            "most_accuracy": max(single),
            "seen": float(whole.seen.mean()),
            "seen_accuracy": _mean_or_nan(right[whole.seen]),
            "unseen_accuracy": _mean_or_nan(right[~whole.seen]),
        }


def classes_table(trials: Tried) -> pd.DataFrame:
    """Return table 4 for every method and split: counts and accuracy for each `label`."""
    lines = []
    for (split, method), result in _group_runs(trials).items():
        whole = _concatenate_predictions(result)
        table = np.array(
            [[((whole.labels == a) & (whole.predicted == b)).sum() for b in POINTS] for a in POINTS], float
        )
        figures = per_class(table)
        lines += [
            {
                "split": split,
                "method": method,
                "label": int(point),
                "tested": table[place].sum() / len(result),
                "predicted": table[:, place].sum() / len(result),
                **{name: float(own[place]) for name, own in figures._asdict().items()},
                "printed_tested": TESTED[place],
                "printed_recall": FOUND[place],
            }
            for place, point in enumerate(POINTS)
        ]
    return tidy_table(lines, _CLASSES)


def _group_runs(trials: Tried) -> dict[tuple[str, str], list[TrialPredictions]]:
    result: dict[tuple[str, str], list[TrialPredictions]] = {}
    for run, predicted in trials.items():
        result.setdefault((run.split, run.method), []).append(predicted)
    return result


def _concatenate_predictions(trials: Sequence[TrialPredictions]) -> TrialPredictions:
    return TrialPredictions(*(np.concatenate(column) for column in zip(*trials, strict=True)))


def _agreement_fields(labels: FloatArray, predicted: FloatArray, weights: FloatArray) -> FloatArray:
    correlation = weighted_correlations(predicted[:, None], labels[:, None], weights)
    return np.concatenate([class_agreement(labels, predicted, weights), correlation], axis=2)


def _mean_or_nan(right: BoolArray) -> float:
    return float(right.mean()) if len(right) else float("nan")
