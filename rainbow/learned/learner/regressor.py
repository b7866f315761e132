"""The scikit-learn estimator behind every learned metric."""

from __future__ import annotations

from copy import copy
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import Tags, check_array
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, check_is_fitted, validate_data

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.learned.learner.combination import MOST, Combination
from rainbow.learned.learner.contract import Learner
from rainbow.learned.learner.kernel_ridge import RankKernelRidge
from rainbow.learned.learner.quantised_forest import QuantisedForest
from rainbow.learned.learner.started import POWER, Started
from rainbow.metrics.contract.registry import all_columns

Preset = Literal["default", "combination", "paper"]

PRESETS: dict[Preset, str] = {
    "default": (
        "kernel ridge regression on the ranks of the ratings, over scores and, where texts are given, over "
        "vectors of their n-grams; it is fitted to the residuals of the general score and counts less the "
        "more unfamiliar a text is"
    ),
    "combination": (
        f"ridge regression on the ranks of the ratings, over at most {MOST} scores, each in its known direction, with "
        "the general score as its prior"
    ),
    "paper": "the random forest over quantised scores of Novikova et al. (2017)",
}

# Raters of different corpora differ in which texts they find natural: the kernel learned from some corpora counts for
# little on texts of others, however familiar.
NATURALNESS_POWER = 16.0


def check_preset(name: str) -> None:
    """Raise ValueError if the preset is unknown."""
    if name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}: choose from {', '.join(PRESETS)}")


class RainbowRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A learned metric: predicts human ratings of outputs from their scores and texts."""

    def __init__(
        self, preset: Preset = "default", random_state: int = 2017, general: tuple[tuple[str, ...], ...] = ()
    ) -> None:
        self.preset = preset
        self.random_state = random_state
        self.general = general

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit on the scores and texts of n outputs and their ratings, shape (n,) or (n, ratings)."""
        check_preset(self.preset)
        scores, texts = self._split_columns(X, y, fitting=True)
        ratings = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
        check_consistent_length(scores, ratings)
        self._one_rating = ratings.ndim == 1
        ratings = ratings.reshape(len(ratings), -1)
        weights = _check_sample_weight(sample_weight, scores, dtype=np.float64, ensure_non_negative=True)
        counted = weights > 0
        if not counted.any():
            raise ValueError("sample_weight is zero for every row: give at least one row a positive weight")
        rows = np.flatnonzero(counted)
        texts = {name: [column[row] for row in rows] for name, column in texts.items()}
        self.learner_: Any = self._fit_learner(scores[rows], texts, ratings[rows], weights[rows])
        return self

    def _fit_learner(
        self, scores: FloatArray, texts: dict[str, list[str]], ratings: FloatArray, weights: FloatArray
    ) -> Learner:
        if self.preset == "paper":
            return QuantisedForest(scores, ratings, weights, self.random_state)
        if self.preset == "combination":
            names = getattr(self, "feature_names_in_", [""] * self.n_features_in_)
            own = self.general or ((),) * ratings.shape[1]
            general = np.array([[name in columns for name in names] for columns in own], dtype=bool)
            return Combination(scores, ratings, weights, np.array(list(map(_direction, names)), np.intp), general)
        if not self.general:
            return RankKernelRidge(scores, texts, ratings, weights)
        starts = list(dict.fromkeys(name for own in self.general for name in own))
        seen = np.array([[name in own for name in starts] for own in self.general])
        natural = [all(name.endswith("_naturalness") for name in own) for own in self.general]
        powers = np.where(natural, NATURALNESS_POWER, POWER)
        places = np.array([self.feature_names_in_.tolist().index(name) for name in starts])
        return Started(scores, texts, ratings, weights, places, seen, powers)

    def predict(self, X: Any) -> FloatArray:
        """Return the expected rating of every row independently, with the shape of y."""
        check_is_fitted(self, "learner_")
        scores, texts = self._split_columns(X, None, fitting=False)
        predicted: FloatArray = self.learner_.predict(scores, texts)
        return predicted[:, 0] if self._one_rating else predicted

    def select_rating(self, place: int) -> Self:
        """Return the fitted estimator of one of its ratings, counted from 0."""
        check_is_fitted(self, "learner_")
        if isinstance(self.learner_, QuantisedForest):
            raise ValueError("a forest cannot be split by rating: fit one forest per rating")
        one = copy(self)
        one._one_rating, one.learner_ = True, self.learner_.select_rating(place)
        return one

    def _split_columns(self, X: Any, y: Any, fitting: bool) -> tuple[FloatArray, dict[str, list[str]]]:
        """Split X into scores and texts."""
        kinds = X.dtypes.items() if hasattr(X, "dtypes") and hasattr(X, "columns") else ()
        types = pd.api.types
        names = [name for name, kind in kinds if not (types.is_numeric_dtype(kind) or types.is_bool_dtype(kind))]
        if fitting:
            self.text_columns_ = names
        elif missing := sorted(set(self.text_columns_) ^ set(names)):
            raise ValueError(
                f"text column {missing[0]!r} is missing: pass the text columns used in fit, {self.text_columns_}"
            )
        texts = {name: _check_texts(name, X[name].tolist()) for name in names}
        scores = X.drop(columns=names) if names else X
        if y is None and fitting:
            raise ValueError(
                "RainbowRegressor requires y to be passed, but the target y is None: pass one rating per row"
            )
        if names and not scores.shape[1]:
            # scikit-learn knows of no table without columns; that one was fitted on is what it can check.
            validate_data(self, scores, reset=fitting, skip_check_array=True)
            return np.empty((len(scores), 0)), texts
        checked = validate_data(self, scores, reset=fitting, dtype=np.float64, ensure_all_finite="allow-nan")
        return checked, texts

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.multi_output = True
        return tags


def _direction(name: str) -> int:
    """Return 1 or -1 for a column of a metric, 0 where its direction is unknown."""
    better = all_columns()[name][0].higher_is_better if name in all_columns() else None
    return 0 if better is None else 1 if better else -1


def _check_texts(name: str, column: list[Any]) -> list[str]:
    for row, text in enumerate(column, start=1):
        if not isinstance(text, str):
            raise ValueError(
                f"row {row}, {name}: {text!r} is not a string: pass strings (they may be empty), or numbers only"
            )
    return column
