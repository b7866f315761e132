"""Kernel ridge regression on rating ranks, from scores, texts and text embeddings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.contract import array_check, check_fields, check_positive
from rainbow.learned.learner.score_kernel import ScoreKernel
from rainbow.learned.learner.standardised import make_rank_targets
from rainbow.learned.learner.text_kernel import TextKernel, Units
from rainbow.text.ngrams.ngram_vectors import DIMENSIONS, ngram_vectors, table_digest

Texts = Mapping[str, Sequence[str]]

UNITS: tuple[Units, ...] = ("words", "characters")
ALPHA = 1.0
SCORE_GAMMA, VECTOR_GAMMA = 0.25, 0.5  # of the Gaussian kernels
VECTOR_TEXT = "surface"  # the column that vectors are taken of
FAMILIAR_TEXTS = ("delexicalised", VECTOR_TEXT)  # the first of these that is there says how familiar an output is
INPUT_TEXT = "input"  # the column that says what the output was to say, without values
# Weight of each kind of evidence in the similarity of two outputs; missing kinds are redistributed.
SHARES = {"scores": 0.6, "texts": 0.1, "vectors": 0.3}


class TextPart(NamedTuple):
    """A linear text kernel, stored as one coefficient per n-gram and rating instead of texts."""

    column: str
    kernel: TextKernel
    coefficients: FloatArray


class RankKernelRidge:
    """Kernel ridge regression of relative rating ranks, mapped back to the rating scale.

    Shapes: scores (n, columns), known (n, ratings).
    Source: Saunders, C., Gammerman, A. and Vovk, V. (1998). Ridge regression learning algorithm in dual variables.
    ICML.
    """

    def __init__(
        self,
        scores: FloatArray,
        texts: Texts,
        ratings: FloatArray,
        weights: FloatArray,
        known: FloatArray | None = None,
    ) -> None:
        from scipy.linalg import solve

        ranks = make_rank_targets(ratings, weights)
        targets = ranks.targets - (0.0 if known is None else known)
        centre = weights @ targets / weights.sum()
        used = _available_kinds(scores.shape[1], texts)
        total = sum(SHARES[kind] for kind in used)
        share = {kind: SHARES[kind] / total for kind in used}
        gram = np.diag(ALPHA / weights)
        self._score_kernel = ScoreKernel(SCORE_GAMMA, scores, weights) if scores.shape[1] else None
        if self._score_kernel:
            gram += share["scores"] * self._score_kernel.self_similarity()
        text_kernels = [(column, TextKernel(units, texts[column], weights)) for column in texts for units in UNITS]
        mapped = [kernel.vectors(texts[column]) for column, kernel in text_kernels]
        for rows in mapped:
            gram += share["texts"] / len(mapped) * (rows @ rows.T).toarray()
        self._vector_kernels: dict[str, ScoreKernel] = {}  # by what its vectors depend on
        if VECTOR_TEXT in texts:
            kernel = ScoreKernel(VECTOR_GAMMA, ngram_vectors(texts[VECTOR_TEXT]), weights)
            self._vector_kernels[table_digest()] = kernel
            gram += share["vectors"] * kernel.self_similarity()
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
        """Return the expected ratings, shape (rows, ratings), each row independently."""
        total = np.zeros((len(scores), len(self._dual)))
        if self._score_kernel:
            total += self._share["scores"] * self._score_kernel.weighted_sums(scores, self._dual)
        for column, kernel, coefficients in self._text_parts:
            total += kernel.weighted_sums(texts[column], coefficients)
        for vector_kernel in self._vector_kernels.values():
            total += self._share["vectors"] * vector_kernel.weighted_sums(ngram_vectors(texts[VECTOR_TEXT]), self._dual)
        predicted: FloatArray = self._mean + self._slope * total
        return predicted

    def familiarity(self, texts: Texts, rows: int) -> FloatArray:
        """Return the share of each text and input seen in training, shape (rows,); NaN if the model reads no texts."""
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
        """The value of each score that replaces a missing one, shape (columns,)."""
        return self._score_kernel.median if self._score_kernel else np.zeros(0)

    def check(self, columns: int, texts: Sequence[str]) -> None:
        """Raise ValueError unless fitted on one rating with this many columns and these texts."""
        rows = np.size(getattr(self, "_dual", ()))
        check_fields(
            self,
            RankKernelRidge,
            _dual=array_check(1, None),
            _mean=array_check(1),
            _slope=array_check(1),
            _score_kernel=partial(_check_score_kernel, columns=columns, rows=rows),
            _text_parts=partial(_check_text_parts, texts=texts),
            _vector_kernels=partial(_check_vector_kernels, rows=rows if VECTOR_TEXT in texts else 0),
            _share=partial(_check_shares, used=_available_kinds(columns, texts)),
        )

    def select_rating(self, place: int) -> Self:
        """Return the regression of a single rating."""
        one, chosen = copy(self), slice(place, place + 1)
        one._dual, one._mean, one._slope = self._dual[chosen], self._mean[chosen], self._slope[chosen]
        one._text_parts = [part._replace(coefficients=part.coefficients[:, chosen]) for part in self._text_parts]
        return one


def _available_kinds(columns: int, texts: Collection[str]) -> list[str]:
    """Return the available kinds of evidence: scores, texts, vectors."""
    there = {"scores": columns > 0, "texts": bool(texts), "vectors": VECTOR_TEXT in texts}
    return [kind for kind in SHARES if there[kind]]


def _check_score_kernel(kernel: Any, name: str, columns: int, rows: int) -> None:
    if (kernel is not None) != (columns > 0):
        raise ValueError("its kernel of scores is missing or has no scores")
    if kernel is not None:
        ScoreKernel.check(kernel, columns, rows)


def _check_text_parts(parts: Any, name: str, texts: Sequence[str]) -> None:
    if type(parts) is not list:
        raise ValueError("its list of text kernels is missing or malformed")
    for part in parts:
        if type(part) is not TextPart:
            raise ValueError("its list of text kernels is missing or malformed")
        TextKernel.check(part.kernel)
        array_check(len(part.kernel.ngrams), 1)(part.coefficients, "n-gram coefficients")
    expected = sorted((column, units) for column in texts for units in UNITS)
    if sorted((str(part.column), part.kernel.units) for part in parts) != expected:
        raise ValueError(f"it does not have exactly one text kernel for each of {expected}")


def _check_vector_kernels(kernels: Any, name: str, rows: int) -> None:
    """Raise ValueError unless there is one vector kernel, or none if `rows` is 0."""
    if type(kernels) is not dict or list(kernels) != ([table_digest()] if rows else []):
        raise ValueError(f"it was trained with other word vectors than {(table_digest() if rows else 'none')}")
    for kernel in kernels.values():
        ScoreKernel.check(kernel, DIMENSIONS, rows)


def _check_shares(shares: Any, name: str, used: Sequence[str]) -> None:
    if type(shares) is not dict or sorted(shares) != sorted(used):
        raise ValueError("its kernel weights do not match its kernels")
    for kind, share in shares.items():
        check_positive(share, f"weight of {kind}")
