"""Cross-validation of a recipe under every protocol."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.base.progress import PartProgress
from rainbow.corpus import Corpus
from rainbow.learned.protocols.folds import assign_folds, folds_table
from rainbow.learned.protocols.held_out_predictions import FitPredict, predict_held_out
from rainbow.learned.training.learn import Examples, Recipe, learn_forests, learn_metrics

Statistics = Literal["all", "training"]


class HeldOutResults(NamedTuple):
    """Predictions of held-out rows and the folds (`learned_predictions.csv`, `learned_folds.csv`)."""

    predictions: pd.DataFrame
    folds: pd.DataFrame


def cross_validate(
    corpus: Corpus,
    ratings: Sequence[str],
    recipe: Recipe,
    protocols: Sequence[str],
    *,
    statistics: Statistics = "all",
    folds: int = 5,
    examples: Examples | None = None,
    progress: PartProgress = lambda protocol, folds: folds,
) -> HeldOutResults:
    """Predict every held-out row under these protocols, by the recipe and by the 2017 forest."""
    assignments = [assign_folds(corpus.frame, name, folds=folds, seed=recipe.seed) for name in protocols]
    names = list(ratings)
    over_all = statistics == "all"
    fold = (
        _fit_with_all_statistics(corpus, names, recipe, examples)
        if over_all
        else _fit_with_training_statistics(corpus, names, recipe)
    )
    tables = [
        predict_held_out(corpus.frame, names, assignment, fold, partial(progress, assignment.protocol))
        for assignment in assignments
    ]
    return HeldOutResults(pd.concat(tables, ignore_index=True), folds_table(corpus.frame, assignments))


def _fit_with_all_statistics(corpus: Corpus, ratings: list[str], recipe: Recipe, known: Examples | None) -> FitPredict:
    """Return a function that fits and predicts, with corpus statistics of all references."""
    examples = known or Examples.from_corpus(corpus, ratings, recipe, recipe.features.fit(corpus))

    def fold(train: IntArray, test: IntArray) -> FloatArray:
        return _predict_both(examples, train, recipe, examples.table.iloc[test])

    return fold


def _fit_with_training_statistics(corpus: Corpus, ratings: list[str], recipe: Recipe) -> FitPredict:
    """Return a function that fits and predicts, with corpus statistics of training references."""

    def fold(train: IntArray, test: IntArray) -> FloatArray:
        training = corpus.take(train.tolist())
        features = recipe.features.fit(training)
        examples = Examples.from_corpus(training, ratings, recipe, features)
        return _predict_both(examples, np.arange(len(train)), recipe, features.table(corpus.take(test.tolist())))

    return fold


def _predict_both(examples: Examples, train: IntArray, recipe: Recipe, table: pd.DataFrame) -> FloatArray:
    """Return the predictions of the learner and the 2017 forest, shape (rows, ratings, 1 or 2)."""
    learned = learn_metrics(examples, train, recipe)
    forest_predictions = (
        []
        if recipe.preset == "paper" or not recipe.features.columns
        else [learn_forests(examples, train, recipe, learned)]
    )
    by_learner = [
        [one.estimator.predict(table[one.columns]) for one in ones] for ones in [learned, *forest_predictions]
    ]
    return np.array(by_learner).transpose(2, 1, 0)
