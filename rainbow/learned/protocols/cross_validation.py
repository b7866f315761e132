"""Learn and predict under every protocol: how good a recipe is, measured on rows it has not learned from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.progress import PartProgress
from rainbow.corpus import Corpus
from rainbow.learned.protocols.folds import assign_folds, folds_table
from rainbow.learned.protocols.held_out import FitPredict, held_out_predictions
from rainbow.learned.training.learn import Examples, Recipe, forests, learn

if TYPE_CHECKING:
    import pandas as pd

Statistics = Literal["all", "training"]


class HeldOut(NamedTuple):
    """Predictions of rows that were held out, and the folds; as `learned_predictions.csv` and `learned_folds.csv`."""

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
) -> HeldOut:
    """Predict every held-out row under these protocols, by the recipe and by the forest of 2017 on the same scores."""
    import pandas as pd

    assignments = [assign_folds(corpus.frame, name, folds=folds, seed=recipe.seed) for name in protocols]
    names = list(ratings)
    over_all = statistics == "all"
    fold = _over_all(corpus, names, recipe, examples) if over_all else _over_training(corpus, names, recipe)
    tables = [
        held_out_predictions(corpus.frame, names, assignment, fold, partial(progress, assignment.protocol))
        for assignment in assignments
    ]
    return HeldOut(pd.concat(tables, ignore_index=True), folds_table(corpus.frame, assignments))


def _over_all(corpus: Corpus, ratings: list[str], recipe: Recipe, known: Examples | None) -> FitPredict:
    """Learn from some rows and predict others, corpus statistics being those of all references."""
    examples = known or Examples.of(corpus, ratings, recipe, recipe.features.fit(corpus))

    def fold(train: IntArray, test: IntArray) -> FloatArray:
        return _predicted(examples, train, recipe, examples.table.iloc[test])

    return fold


def _over_training(corpus: Corpus, ratings: list[str], recipe: Recipe) -> FitPredict:
    """Learn from some rows and predict others, corpus statistics being those of the training rows' references."""

    def fold(train: IntArray, test: IntArray) -> FloatArray:
        training = corpus.take(train.tolist())
        features = recipe.features.fit(training)
        examples = Examples.of(training, ratings, recipe, features)
        return _predicted(examples, np.arange(len(train)), recipe, features.table(corpus.take(test.tolist())))

    return fold


def _predicted(examples: Examples, train: IntArray, recipe: Recipe, table: pd.DataFrame) -> FloatArray:
    """Return what the learner predicts and what the forest of 2017 does, shape (rows, ratings, 2); 1 if it is that."""
    learned = learn(examples, train, recipe)
    beside = (
        [] if recipe.preset == "paper" or not recipe.features.columns else [forests(examples, train, recipe, learned)]
    )
    by_learner = [[one.estimator.predict(table[one.columns]) for one in ones] for ones in [learned, *beside]]
    return np.array(by_learner).transpose(2, 1, 0)
