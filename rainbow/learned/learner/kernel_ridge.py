"""Kernel ridge regression on the ranks of ratings, over scores, texts and their vectors at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import NamedTuple, Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.rank_targets import rank_targets
from rainbow.learned.learner.score_kernel import ScoreKernel
from rainbow.learned.learner.text_kernel import TextKernel, Units
from rainbow.learned.learner.vectors import Vectors, known_vectors

__all__ = ["VECTOR_TEXT", "RankKernelRidge"]

Texts = Mapping[str, Sequence[str]]

UNITS: tuple[Units, ...] = ("words", "characters")
ALPHA = 1.0
SCORE_GAMMA = 0.25
VECTOR_TEXT = "surface"  # the column that vectors are taken of
FAMILIAR_TEXTS = ("delexicalised", VECTOR_TEXT)  # the first of these that is there says how familiar an output is
INPUT_TEXT = "input"  # the column that says what the output was to say, without values
# How much of the likeness of two outputs comes from each kind of evidence; where one is not there, the others grow.
SHARES = {"scores": 0.6, "texts": 0.1, "vectors": 0.3}


class TextPart(NamedTuple):
    """Being linear, a text kernel predicts by one coefficient per n-gram and rating: no text needs to be kept."""

    column: str
    kernel: TextKernel
    coefficients: FloatArray


class RankKernelRidge:
    """A regression of the relative ranks of ratings on how alike outputs are, brought back to the ratings' scale.

    With K the weighted sum of the kernels over scores (:class:`ScoreKernel`), texts (:class:`TextKernel`, words and
    characters of every text column) and vectors of one text (:class:`ScoreKernel` again), w the weights of the rows and
    z their targets (:func:`rank_targets`), the coefficients solve ``(K + alpha / w) c = z - mean(z)``.

    Parameters
    ----------
    scores
        Shape (n, columns), NaN allowed.
    texts
        For every text column n texts.
    ratings, weights
        Shapes (n, ratings) and (n,); weights are positive.
    vectors
        The kind of vectors that the text column ``surface`` gets; None for none.
    known
        What is known of every row's targets already, shape (n, ratings), 0 meaning their mean: then what that leaves is
        learned, and the predictions are differences of ratings.

    References
    ----------
    Saunders, C., Gammerman, A. and Vovk, V. (1998). Ridge regression learning algorithm in dual variables. ICML.
    """

    def __init__(
        self,
        scores: FloatArray,
        texts: Texts,
        ratings: FloatArray,
        weights: FloatArray,
        vectors: Vectors | None = None,
        known: FloatArray | None = None,
    ) -> None:
        from scipy.linalg import solve

        ranks = rank_targets(ratings, weights)
        targets = ranks.targets - (0.0 if known is None else known)
        centre = weights @ targets / weights.sum()
        share = _shares(scores=scores.shape[1] > 0, texts=bool(texts), vectors=vectors is not None)
        gram = np.diag(ALPHA / weights)
        self._score_kernel = ScoreKernel(SCORE_GAMMA, scores, weights) if scores.shape[1] else None
        if self._score_kernel:
            gram += share["scores"] * self._score_kernel.among_themselves()
        text_kernels = [(column, TextKernel(units, texts[column], weights)) for column in texts for units in UNITS]
        mapped = [kernel.vectors(texts[column]) for column, kernel in text_kernels]
        for rows in mapped:
            gram += share["texts"] / len(mapped) * (rows @ rows.T).toarray()
        self._vector_kernels: dict[str, ScoreKernel] = {}  # by what their vectors depend on
        if vectors:
            kernel = ScoreKernel(vectors.gamma, vectors.of(texts[VECTOR_TEXT]), weights)
            self._vector_kernels[vectors.identity] = kernel
            gram += share["vectors"] * kernel.among_themselves()
        dual: FloatArray = solve(gram, targets - centre, assume_a="pos", overwrite_a=True)
        self._text_parts = [
            TextPart(column, kernel, share["texts"] / len(mapped) * (rows.T @ dual))
            for (column, kernel), rows in zip(text_kernels, mapped, strict=True)
        ]
        self._dual = dual.T.copy()
        self._share = share
        self._mean, self._slope = ranks.mean + ranks.slope * centre, ranks.slope
        if known is not None:
            self._mean = self._mean - weights @ ratings / weights.sum()

    def predict(self, scores: FloatArray, texts: Texts) -> FloatArray:
        """Return the expected ratings of these rows, shape (rows, ratings), each row by itself."""
        total = np.zeros((len(scores), len(self._dual)))
        if self._score_kernel:
            total += self._share["scores"] * self._score_kernel.weighed(scores, self._dual)
        for column, kernel, coefficients in self._text_parts:
            total += kernel.weighed(texts[column], coefficients)
        for identity, vector_kernel in self._vector_kernels.items():
            vectors = known_vectors()[identity].of(texts[VECTOR_TEXT])
            total += self._share["vectors"] * vector_kernel.weighed(vectors, self._dual)
        predicted: FloatArray = self._mean + self._slope * total
        return predicted

    def familiarity(self, texts: Texts, rows: int) -> FloatArray:
        """Return how much of every text and of its input was met in training, shape (rows,); NaN where none is read.

        It is the share of the words of the text (the column `delexicalised`, else `surface`, else the first that is
        there); where the column `input` is read, the geometric mean of that and of the share of the input's words.
        """
        words = {part.column: part.kernel for part in self._text_parts if part.kernel.units == "words"}
        output = next((column for column in (*FAMILIAR_TEXTS, *words) if column in words), None)
        if output is None:
            return np.full(rows, np.nan)
        known = words[output].known_share(texts[output])
        if INPUT_TEXT not in words or not words[INPUT_TEXT].ngrams:
            return known
        both: FloatArray = np.sqrt(known * words[INPUT_TEXT].known_share(texts[INPUT_TEXT]))
        return both

    @property
    def median(self) -> FloatArray:
        """What a missing score of each column counts as, shape (columns,)."""
        return self._score_kernel.median if self._score_kernel else np.zeros(0)

    def of_rating(self, place: int) -> Self:
        """Return the regression of one of the ratings."""
        one, chosen = copy(self), slice(place, place + 1)
        one._dual, one._mean, one._slope = self._dual[chosen], self._mean[chosen], self._slope[chosen]
        one._text_parts = [part._replace(coefficients=part.coefficients[:, chosen]) for part in self._text_parts]
        return one


def _shares(**used: bool) -> dict[str, float]:
    shares = {kind: share for kind, share in SHARES.items() if used[kind]}
    total = sum(shares.values())
    return {kind: share / total for kind, share in shares.items()}
