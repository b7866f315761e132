"""The estimator behind every learned metric, as scikit-learn knows estimators."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_array
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, check_is_fitted, validate_data

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.contract import Learner
from rainbow.learned.learner.kernel_ridge import VECTOR_TEXT, RankKernelRidge
from rainbow.learned.learner.quantised_forest import QuantisedForest
from rainbow.learned.learner.started import Started
from rainbow.learned.learner.vectors import Vectors, vectors_of_network, vectors_of_ngrams
from rainbow.learned.network.fine_tuned import FineTuned
from rainbow.learned.network.fine_tuning import Tuning, fine_tune
from rainbow.learned.network.passes import Tell, silent
from rainbow.learned.network.training import Network, train

if TYPE_CHECKING:
    from sklearn.utils import Tags

__all__ = ["PRESETS", "READERS", "Preset", "RainbowRegressor"]

Preset = Literal["default", "encoder", "network", "neural", "paper"]

# These read texts and look at no score.
READERS: tuple[Preset, ...] = ("encoder", "network")

PRESETS: dict[Preset, str] = {
    "default": "on the ranks of the ratings, kernel ridge regression over scores, and where texts are read over those "
    "and vectors of their n-grams, of what the general score leaves: as far as a text is unfamiliar that speaks alone",
    "encoder": "a pretrained encoder that reads outputs, its layers trained further on the ranks of the ratings "
    "(Liu et al. 2021; needs `pip install 'rainbow-nlg[neural]'` and the encoder, to score too)",
    "network": "a network of gated recurrent units that reads outputs and their inputs, no scores (Dušek et al. 2017; "
    "training needs `pip install 'rainbow-nlg[neural]'`, scoring does not)",
    "neural": "the kernel alone, with a language model's vectors in the place of the n-grams' (needs `make neural`)",
    "paper": "the random forest over quantised scores of Novikova et al. (2017)",
}


_VECTORS: dict[str, Callable[[], Vectors]] = {"default": vectors_of_ngrams, "neural": vectors_of_network}


class RainbowRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A learned metric: predicts human ratings of outputs from their scores, and from their texts.

    Parameters
    ----------
    preset
        ``default``: :class:`~rainbow.learned.learner.kernel_ridge.RankKernelRidge`, if there is a text column `surface`
        with the vectors of its n-grams; where general scores are named, from those
        (:class:`~rainbow.learned.learner.started.Started`).
        ``encoder``: :class:`~rainbow.learned.network.fine_tuned.FineTuned` over the texts, whatever scores there are,
        and ``network``: :class:`~rainbow.learned.network.dual_encoder.DualEncoder` likewise. ``neural``: that kernel,
        :class:`~rainbow.learned.learner.kernel_ridge.RankKernelRidge`, with vectors of a language model. ``paper``:
        :class:`~rainbow.learned.learner.quantised_forest.QuantisedForest`.
    random_state
        The seed of ``encoder``, ``network`` and ``paper``; the others draw nothing.
    network
        What ``network`` is like and how it is trained; by default that of ``Network()``.
    tuning
        Which encoder ``encoder`` trains and how; by default that of ``Tuning()``.
    start
        An encoder that was trained already (`learner_`), say on another rating: ``encoder`` goes on from it.
    tell
        Is told how far the training of ``encoder`` and ``network`` is, in words.
    general
        For every rating in turn the names of the score columns that are general scores, from which ``default`` starts.

    Attributes
    ----------
    n_features_in_, feature_names_in_
        Of the score columns.
    text_columns_
        The names of the text columns.

    Notes
    -----
    X is an array of scores, or a DataFrame whose numeric columns are scores and whose other columns are texts
    (``paper`` does not look at texts). A missing score (NaN) counts as the median of its column. Several ratings are
    learned at once when y has several columns.

    Raises
    ------
    ValueError
        If the preset is not known, shapes do not fit, or a column is not the one fitted on.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"TER": [0.1, 0.2, 0.8, 0.9], "output": ["a cheap inn", "cheap inn", "inn inn", "an an"]})
    >>> RainbowRegressor().fit(X, [6, 5, 2, 1]).predict(X).round(1).tolist()
    [4.6, 4.4, 2.7, 2.3]
    """

    def __init__(
        self,
        preset: Preset = "default",
        random_state: int = 2017,
        network: Network | None = None,
        tell: Tell | None = None,
        tuning: Tuning | None = None,
        start: FineTuned | None = None,
        general: tuple[tuple[str, ...], ...] = (),
    ) -> None:
        self.preset = preset
        self.random_state = random_state
        self.network = network
        self.tell = tell
        self.tuning = tuning
        self.start = start
        self.general = general

    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Self:
        """Learn from the scores and texts of n outputs and their ratings, shape (n,) or (n, ratings).

        `groups` are n numbers or names. Of ``encoder`` and ``network``, rows of a group are held out together where the
        best pass is chosen; of ``network``, rows of group -1 are made up: they are learned from in the first passes
        alone.
        """
        if self.preset not in PRESETS:
            raise ValueError(f"there is no preset {self.preset!r}: choose from {', '.join(PRESETS)}")
        scores, texts = self._columns(X, y, fitting=True)
        ratings = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
        check_consistent_length(scores, ratings)
        self._one_rating = ratings.ndim == 1
        ratings = ratings.reshape(len(ratings), -1)
        weights = _check_sample_weight(sample_weight, scores, dtype=np.float64, ensure_non_negative=True)
        counted = weights > 0
        if not counted.any():
            raise ValueError("sample_weight is zero for every row: there is nothing to learn from")
        scores, ratings, weights = scores[counted], ratings[counted], weights[counted]
        if self.preset == "paper":
            self.learner_: Any = QuantisedForest(scores, ratings, weights, self.random_state)
            return self
        kept = {
            name: [text for text, kept in zip(column, counted, strict=True) if kept] for name, column in texts.items()
        }
        if self.preset == "neural" and kept and VECTOR_TEXT not in kept:
            raise ValueError(f"the preset 'neural' reads the outputs in the text column {VECTOR_TEXT!r}: there is none")
        if self.preset in READERS:
            self.learner_ = self._trained(kept, ratings, groups, counted)
            return self
        vectors = None if VECTOR_TEXT not in kept else _VECTORS[self.preset]()
        if self.preset == "default" and self.general:
            names = [name for name in X.columns if name not in kept]
            starts = list(dict.fromkeys(name for own in self.general for name in own))
            seen = np.array([[name in own for name in starts] for own in self.general])
            places = np.array([names.index(name) for name in starts])
            self.learner_ = Started(scores, kept, ratings, weights, places, seen, vectors)
        else:
            self.learner_ = RankKernelRidge(scores, kept, ratings, weights, vectors)
        return self

    def _trained(
        self, texts: dict[str, list[str]], ratings: FloatArray, groups: Any, counted: NDArray[np.bool_]
    ) -> Learner:
        if not texts:
            raise ValueError(f"the preset {self.preset!r} reads texts: give columns of them")
        own, tell = None if groups is None else np.asarray(groups)[counted], self.tell or silent
        if self.preset == "encoder":
            return fine_tune(texts, ratings, self.tuning or Tuning(), self.random_state, own, self.start, tell)
        return train(texts, ratings, self.network or Network(), self.random_state, own, tell=tell)

    def predict(self, X: Any) -> FloatArray:
        """Return the expected rating of every row, shape as that of y; no row depends on the others."""
        check_is_fitted(self, "learner_")
        scores, texts = self._columns(X, None, fitting=False)
        predicted: FloatArray = self.learner_.predict(scores, texts)
        return predicted[:, 0] if self._one_rating else predicted

    def of_rating(self, place: int) -> Self:
        """Return the fitted estimator of one of the ratings that it was fitted on, counted from 0.

        Raises
        ------
        ValueError
            If the preset is ``paper``: a forest grown for several ratings is another than one grown for one.
        """
        check_is_fitted(self, "learner_")
        if self.preset == "paper":
            raise ValueError("a forest cannot be parted by ratings: fit one for each")
        one = copy(self)
        one._one_rating, one.learner_ = True, self.learner_.of_rating(place)
        return one

    def _columns(self, X: Any, y: Any, fitting: bool) -> tuple[FloatArray, dict[str, list[str]]]:
        """Part X into scores and texts."""
        names = _text_columns(X)
        if fitting:
            self.text_columns_ = names
        elif missing := sorted(set(self.text_columns_) ^ set(names)):
            raise ValueError(f"text column {missing[0]!r}: the texts must be those fitted on, {self.text_columns_}")
        texts = {name: _checked(name, X[name].tolist()) for name in names}
        scores = X.drop(columns=names) if names else X
        if y is None and fitting:
            raise ValueError(
                "RainbowRegressor requires y to be passed, but the target y is None: give a rating per row"
            )
        if names and not scores.shape[1]:
            return self._no_scores(scores, fitting), texts
        checked = validate_data(self, scores, reset=fitting, dtype=np.float64, ensure_all_finite="allow-nan")
        return checked, texts

    def _no_scores(self, scores: Any, fitting: bool) -> FloatArray:
        if self.preset == "paper":
            raise ValueError("the preset 'paper' does not look at texts: give columns of scores")
        # scikit-learn knows of no table without columns; that one was fitted on is what it can check.
        validate_data(self, scores, reset=fitting, skip_check_array=True)
        return np.empty((len(scores), 0))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.multi_output = True
        return tags


def _text_columns(X: Any) -> list[str]:
    if not hasattr(X, "dtypes") or not hasattr(X, "columns"):
        return []
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return [name for name, kind in X.dtypes.items() if not is_numeric_dtype(kind) and not is_bool_dtype(kind)]


def _checked(name: str, column: list[Any]) -> list[str]:
    for row, text in enumerate(column, start=1):
        if not isinstance(text, str):
            raise ValueError(
                f"row {row}, {name}: {text!r} is no text: give strings (they may be empty), or numbers only"
            )
    return column
