"""Cross-validation of a recipe under every protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.base.progress import PartProgress, Progress
from rainbow.corpus import Corpus
from rainbow.learned.protocols.folds import FoldAssignment, assign_folds, folds_table, iter_folds
from rainbow.learned.training.learn import Examples, Recipe, learn_forests, learn_metrics
from rainbow.stats.tidy_tables import require_columns

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


FitPredict = Callable[[IntArray, IntArray], ArrayLike]
Fold = tuple[IntArray, IntArray]

# The columns of a table of predictions, and the column for those of a second learner.
FOREST = "forest"
PREDICTIONS = ("protocol", "seed", "rating", "id", "fold", "rated", "predicted", "constant_mean", "constant_median")


def predict_held_out(
    frame: pd.DataFrame,
    ratings: Sequence[str],
    assignment: FoldAssignment,
    fit_predict: FitPredict,
    progress: Progress = iter,
) -> pd.DataFrame:
    """Return a prediction of every rating for every test row, fitted on the other folds.

    Shapes: fit_predict (test rows, k).
    """
    rated = _rating_matrix(frame, ratings, assignment)
    parts = [_predict_fold(rated, ratings, fold, fit_predict) for fold in progress(list(iter_folds(assignment)))]
    rows, predicted, constants = (np.concatenate(values) for values in zip(*parts, strict=True))
    order = np.argsort(rows)
    rows, predicted, constants = rows[order], predicted[order], constants[order]
    common = {"protocol": assignment.protocol, "seed": assignment.seed, "fold": assignment.fold[rows]}
    common["id"] = np.array(frame["id"].tolist(), dtype=object)[rows]
    tables = []
    for place, name in enumerate(ratings):
        numbers = {"rated": rated[rows, place], "predicted": predicted[:, place, 0]}
        numbers |= {"constant_mean": constants[:, 0, place], "constant_median": constants[:, 1, place]}
        forest_predictions = {FOREST: predicted[:, place, 1]} if predicted.shape[2] > 1 else {}
        columns = [*PREDICTIONS, *forest_predictions]
        tables.append(pd.DataFrame(common | {"rating": name} | numbers | forest_predictions, columns=columns))
    return pd.concat(tables, ignore_index=True)


def _rating_matrix(frame: pd.DataFrame, ratings: Sequence[str], assignment: FoldAssignment) -> FloatArray:
    require_columns(frame, ["id", *ratings])
    if not ratings:
        raise ValueError("no rating to predict: name the columns of human ratings")
    if len(assignment.fold) != len(frame):
        raise ValueError(f"the fold assignment has {len(assignment.fold)} rows, but the table has {len(frame)}")
    return frame[list(ratings)].to_numpy(dtype=float, na_value=np.nan)


def _predict_fold(
    rated: FloatArray, ratings: Sequence[str], fold: Fold, fit_predict: FitPredict
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the test rows, their predictions (rows, k, learners), and constants (rows, 2, k)."""
    train, test = fold
    constants = np.empty((2, len(ratings)))
    for place, name in enumerate(ratings):
        known = rated[train, place]
        known = known[~np.isnan(known)]
        if not len(known):
            raise ValueError(f"no training row has a rating of {name!r}: leave out that rating, or use other folds")
        constants[:, place] = known.mean(), np.median(known)
    predicted = np.asarray(fit_predict(train, test), dtype=float)
    if predicted.shape[:2] != (len(test), len(ratings)):
        raise ValueError(
            f"fit_predict returned shape {predicted.shape} for {len(test)} rows and {len(ratings)} ratings: "
            "return one row per test row and one column per rating"
        )
    if not np.isfinite(predicted).all():
        raise ValueError("fit_predict returned a number that is not finite: predict a rating for every test row")
    return (
        test,
        predicted.reshape(len(test), len(ratings), -1),
        np.broadcast_to(constants, (len(test), *constants.shape)),
    )
