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
from rainbow.learned.protocols.evaluation import FOREST, PREDICTIONS
from rainbow.learned.protocols.groups import FoldAssignment, assign_folds, iter_folds
from rainbow.learned.training.learn import Examples, learn_forests, learn_metrics

Statistics = Literal["all", "training"]
FitPredict = Callable[[IntArray, IntArray], ArrayLike]
Fold = tuple[IntArray, IntArray]


class HeldOutResults(NamedTuple):
    """Predictions of held-out rows (`learned_predictions.csv`), and the folds of each protocol."""

    predictions: pd.DataFrame
    folds: list[FoldAssignment]


def cross_validate(
    examples: Examples,
    protocols: Sequence[str],
    *,
    statistics: Statistics = "all",
    folds: int = 5,
    progress: PartProgress = lambda protocol, folds: folds,
) -> HeldOutResults:
    """Predict every held-out row under these protocols, by the recipe and by the 2017 forest."""
    corpus, ratings, recipe = examples.corpus, examples.names, examples.recipe
    assignments = [assign_folds(corpus.frame, name, folds=folds, seed=recipe.seed) for name in protocols]

    def fit_predict(train: IntArray, test: IntArray) -> FloatArray:
        if statistics == "all":
            return _predict_both(examples, train, examples.table.iloc[test])
        training = corpus.take(train.tolist())
        features = recipe.features.fit(training)
        own = Examples.from_corpus(training, ratings, recipe, features)
        return _predict_both(own, np.arange(len(train)), features.table(corpus.take(test.tolist())))

    tables = [
        predict_held_out(corpus.frame, ratings, assignment, fit_predict, partial(progress, assignment.protocol))
        for assignment in assignments
    ]
    return HeldOutResults(pd.concat(tables, ignore_index=True), assignments)


def _predict_both(examples: Examples, train: IntArray, table: pd.DataFrame) -> FloatArray:
    """Return the predictions of the learner and the 2017 forest, shape (rows, ratings, 1 or 2)."""
    learners = [learn_metrics(examples, train)]
    if examples.recipe.preset != "paper" and examples.features.columns:
        learners.append(learn_forests(examples, train, learners[0]))
    predicted = [[one.estimator.predict(table[one.columns]) for one in learned] for learned in learners]
    return np.array(predicted).transpose(2, 1, 0)


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
    if not ratings:
        raise ValueError("no rating to learn: name the columns of human ratings")
    if len(assignment.fold) != len(frame):
        raise ValueError(f"the fold assignment has {len(assignment.fold)} rows, but the table has {len(frame)}")
    rated = frame[list(ratings)].to_numpy(dtype=float, na_value=np.nan)
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
