"""Runs of the study, kept in files, and its tables: printed values next to reproduced values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.learned.protocols.calibration import ClassifiedRows, classify_rows
from rainbow.learned.protocols.cross_validation import cross_validate
from rainbow.learned.protocols.groups import folded_text, row_positions
from rainbow.learned.replications.liu2021.methods import CLASSIFIERS
from rainbow.learned.replications.liu2021.study import POINTS, Fold, RatedPairs, Setting, Split, is_paper_split
from rainbow.learned.replications.training import load_or_compute, prefix_messages, printed_table
from rainbow.learned.training.features import TEXTS, Features, feature_columns
from rainbow.learned.training.learn import Examples, Recipe
from rainbow.stats.agreement.label_agreement import FIGURES, class_agreement, per_class
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import bootstrap
from rainbow.stats.tidy_tables import tidy_table

# Learners of `rainbow fit`, by the way they form classes.
KERNEL = {
    "kernel": "the most probable class of the shipped model, refitted in each fold",
    "kernel-shares": "the same, with each class predicted as often as in training",
}
METHODS = {name: method.said for name, method in CLASSIFIERS.items()} | KERNEL


class Trial(NamedTuple):
    """One method under one split, with one seed for the paper's split."""

    method: str
    split: Split
    seed: int

    @property
    def name(self) -> str:
        """File name of the run, without suffix."""
        return f"{self.split}-{self.method}-{self.seed}"


class TrialPredictions(NamedTuple):
    """Predictions for the pairs of the paper's split, else for outputs; each of shape (n,)."""

    rows: IntArray  # the rows of the corpus that they are from
    labels: IntArray  # the classes that they have
    predicted: IntArray  # those that were predicted
    seen: BoolArray  # whether the same text occurs in training


def list_trials(methods: Iterable[str], splits: Iterable[Split], seeds: int) -> list[Trial]:
    """Return the runs in order; splits without random draws have one seed."""
    methods = list(methods)
    return [
        Trial(method, split, seed)
        for split in splits
        for seed in range(1, 1 + (seeds if split == "paper" else 1))
        for method in methods
        if not (method in KERNEL and is_paper_split(split))
    ]


def load_or_run(run: Trial, study: RatedPairs, setting: Setting, folder: Path) -> TrialPredictions:
    """Return the predictions of a run from its file, or compute them."""
    of_network = f"|units:{setting.units}|layers:{setting.layers}" if run.method == "bilstm" else ""
    compute = _run_kernel if run.method in KERNEL else partial(_run_classifier, setting=setting)
    return load_or_compute(
        folder / f"{run.name}.json", f"{study.rating}{of_network}", TrialPredictions, lambda: compute(run, study)
    )


def _run_classifier(run: Trial, study: RatedPairs, setting: Setting) -> TrialPredictions:
    parts, method = [], CLASSIFIERS[run.method]
    for number, fold in enumerate(study.folds(run.split, run.seed, method.chooses), 1):
        prefix = f"{run.name}, fold {number}: "
        own = setting._replace(seed=1000 * run.seed + number, tell=prefix_messages(prefix, setting.tell))
        numbers = method.classify(fold, own)
        parts.append(_fold_predictions(fold, numbers, pairs=is_paper_split(run.split)))
    return TrialPredictions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _fold_predictions(fold: Fold, numbers: FloatArray, pairs: bool) -> TrialPredictions:
    """Return the classes with the highest score, per pair or per output over all its pairs."""
    rows, labels, seen = fold.test.rows, fold.test.labels, _seen_in_training(fold)
    if not pairs:
        rows, first, places = np.unique(rows, return_index=True, return_inverse=True)
        labels, seen = labels[first], seen[first]
        numbers = np.stack([np.bincount(places, column, len(rows)) for column in numbers.T], axis=1)
    return TrialPredictions(rows, labels, POINTS[numbers.argmax(axis=1)], seen)


def _seen_in_training(fold: Fold) -> BoolArray:
    learned = {folded_text(output) for output in fold.train.outputs}
    return np.array([folded_text(output) in learned for output in fold.test.outputs], dtype=bool)


def _run_kernel(run: Trial, study: RatedPairs) -> TrialPredictions:
    """Return kernel predictions as classes, each fold fitted on the others."""
    result, seen = _kernel_classes(study, run.split)
    rows = row_positions(study.corpus.frame, result.id.tolist())
    predicted = result.most_probable if run.method == "kernel" else result.as_frequent
    return TrialPredictions(rows, result.given.astype(int), predicted.astype(int), seen[rows])


@cache
def _kernel_classes(study: RatedPairs, split: Split) -> tuple[ClassifiedRows, BoolArray]:
    """Return held-out classes of the shipped recipe, and which rows have their text in training."""
    features = Features(feature_columns("referenceless"), TEXTS)
    examples = Examples.from_corpus(study.corpus, [study.rating], Recipe(features), features.fit(study.corpus))
    result = classify_rows(cross_validate(examples, [split]).predictions)
    if result is None:
        raise ValueError(f"{study.rating} has no classes under {split}")
    seen = np.zeros(len(study.corpus), dtype=bool)
    for fold in study.folds(split, seed=1):
        seen[fold.test.rows] = _seen_in_training(fold)
    return result, seen


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
