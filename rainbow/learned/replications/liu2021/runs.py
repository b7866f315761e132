"""Runs of the study, each cached in its own file."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray, IntArray
from rainbow.learned.protocols.calibration import ClassifiedRows, classify_rows
from rainbow.learned.protocols.cross_validation import cross_validate
from rainbow.learned.protocols.folds import row_positions
from rainbow.learned.protocols.groups import folded_text
from rainbow.learned.replications.liu2021.methods import CLASSIFIERS
from rainbow.learned.replications.liu2021.study import POINTS, Fold, RatedPairs, Setting, Split, is_paper_split
from rainbow.learned.replications.training import load_or_compute, prefix_messages
from rainbow.learned.training.features import TEXTS, Features, feature_columns
from rainbow.learned.training.learn import Recipe

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
    recipe = Recipe(Features(feature_columns("referenceless"), TEXTS))
    result = classify_rows(cross_validate(study.corpus, [study.rating], recipe, [split]).predictions)
    if result is None:
        raise ValueError(f"{study.rating} has no classes under {split}")
    seen = np.zeros(len(study.corpus), dtype=bool)
    for fold in study.folds(split, seed=1):
        seen[fold.test.rows] = _seen_in_training(fold)
    return result, seen
