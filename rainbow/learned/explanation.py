"""Shapley values: contributions of each score and of the texts to a prediction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, product
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.kernel_ridge import Texts
from rainbow.learned.model.model import Model
from rainbow.metrics.contract.views import Views

Predict = Callable[[FloatArray, dict[str, list[str]]], ArrayLike]
Subsets = NDArray[np.bool_]

TEXT_FEATURE = "text"
EMPTY_OUTPUT_FEATURE = "empty output"

# Up to this many features the values are exact: five features have 32 subsets.
MAX_EXACT_FEATURES = 5
# Subsets are predicted together if there are few rows, because the overhead of a call dominates.
BATCH_ROWS = 256


class Explanation(NamedTuple):
    """Feature contributions to predictions; ``base + values.sum(axis=1)`` gives the predictions.

    Attributes
    ----------
    names : tuple of str
        Features: the score columns; ``text`` for all texts together, if the model reads them; last ``empty output``,
        the effect of the rule for outputs without a letter or digit.
    base : float
        Prediction for an empty text and the training median of every score.
    values : array of shape (n, features)
        Contributions; NaN in rows without a prediction.
    predicted : array of shape (n,)
        Predictions; NaN if a row lacks a required input.
    """

    names: tuple[str, ...]
    base: float
    values: FloatArray
    predicted: FloatArray


def explain(model: Model, views: Views) -> Explanation:
    """Return the contribution of each score and of the text to a model's predictions."""
    scores, texts = model.features.scores(views), model.features.texts_of(views)
    baseline = np.asarray(model.learner.median, dtype=float)
    learned = shapley_values(model.from_features, scores, texts, baseline)
    base = model.from_features(baseline[None], {name: [""] for name in texts}).item()
    predicted = model.predict_views(views)
    values = np.column_stack([learned, predicted - model.from_features(scores, texts)])
    values[np.isnan(predicted)] = np.nan
    names = (*model.features.columns, *([TEXT_FEATURE] if texts else []), EMPTY_OUTPUT_FEATURE)
    return Explanation(names, base, values, predicted)


def shapley_values(
    predict: Predict,
    scores: FloatArray,
    texts: Texts,
    baseline: FloatArray,
    *,
    permutations: int = 16,
    seed: int = 2017,
) -> FloatArray:
    """Return Shapley values, per row, of every score column and of all texts together.

    Shapes: scores, texts (n, columns), baseline (columns,), returns (n, columns + 1).
    Source: Shapley, L. S. (1953). A value for n-person games. Contributions to the Theory of Games II. Štrumbelj, E.
    and Kononenko, I. (2014). Explaining prediction models and individual predictions with feature contributions.
    Knowledge and Information Systems 41.
    """
    if permutations < 1:
        raise ValueError(f"permutations is {permutations}: use at least 1")
    value = _ValueFunction(predict, scores, texts, baseline)
    rows, features = value.shape
    if not rows:
        return np.zeros(value.shape)
    if 2**features <= max(2 * permutations * features, 2**MAX_EXACT_FEATURES):
        return _exact_values(value)
    return _sampled_values(value, permutations, seed)


class _ValueFunction:
    """Predictions with a subset of features set to the row's values, the rest to the baseline."""

    def __init__(self, predict: Predict, scores: FloatArray, texts: Texts, baseline: FloatArray) -> None:
        if scores.ndim != 2 or baseline.shape != scores.shape[1:]:
            raise ValueError(
                f"the baseline has shape {baseline.shape} and the scores {scores.shape}: expected (k,) and (n, k)"
            )
        for name, column in texts.items():
            if len(column) != len(scores):
                raise ValueError(f"text column {name!r} has {len(column)} texts for {len(scores)} rows of scores")
        self._predict, self._scores, self._baseline = predict, scores, baseline
        self._texts = {name: (list(column), [""] * len(column)) for name, column in texts.items()}
        self.shape = len(scores), scores.shape[1] + bool(texts)

    def __call__(self, subsets: Subsets) -> Iterator[FloatArray]:
        """Yield the predictions, shape (n,), for every feature subset, shape (features,)."""
        rows, columns = self._scores.shape
        at_once = max(1, BATCH_ROWS // rows)
        for some in (subsets[start : start + at_once] for start in range(0, len(subsets), at_once)):
            scores = np.where(some[:, None, :columns], self._scores, self._baseline)
            texts = {
                name: [text for present in some[:, -1] for text in (own if present else empty)]
                for name, (own, empty) in self._texts.items()
            }
            size = len(some) * rows
            predicted = np.asarray(self._predict(scores.reshape(size, columns), texts), dtype=float)
            if predicted.shape != (size,):
                raise ValueError(f"predict returned shape {predicted.shape} for {size} rows: return shape (rows,)")
            yield from predicted.reshape(len(some), rows)


def _exact_values(value: _ValueFunction) -> FloatArray:
    """Return exact Shapley values, as a weighted sum over all subsets."""
    contributed, features = np.zeros(value.shape), value.shape[1]
    numbers = range(2**features)
    subsets = np.array(numbers)[:, None] >> np.arange(features) & 1 == 1
    predicted = np.array(list(value(subsets)))
    for number, feature in product(numbers, range(features)):
        if subsets[number, feature]:
            share = 1 / (features * comb(features - 1, int(subsets[number].sum()) - 1))
            contributed[:, feature] += share * (predicted[number] - predicted[number - (1 << feature)])
    return contributed


def _sampled_values(value: _ValueFunction, permutations: int, seed: int) -> FloatArray:
    """Return Shapley values estimated from random permutations."""
    rng, features = np.random.default_rng(seed), value.shape[1]
    contributed = np.zeros(value.shape)
    for _ in range(permutations):
        drawn = rng.permutation(features)
        for order in (drawn, drawn[::-1]):
            # Row i has the first i features of this order.
            subsets = np.argsort(order) < np.arange(features + 1)[:, None]
            for feature, (before, after) in zip(order, pairwise(value(subsets)), strict=True):
                contributed[:, feature] += after - before
    return contributed / (2 * permutations)
