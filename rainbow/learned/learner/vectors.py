"""Where the vectors of outputs come from: from a table of n-grams, or from a language model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from rainbow.base.arrays import FloatArray
from rainbow.programs import text_vectors
from rainbow.text.ngrams import ngram_vectors

__all__ = ["Vectors", "known_vectors", "vectors_of_network", "vectors_of_ngrams"]


class Vectors(NamedTuple):
    """A kind of vectors of texts."""

    identity: str  # what the vectors depend on: those of equal identities are equal
    dimensions: int  # how long they are
    gamma: float  # of the Gaussian kernel over them
    of: Callable[[Sequence[str]], FloatArray]  # gives a vector for each text, shape (texts, dimensions)


@cache
def vectors_of_ngrams() -> Vectors:
    """Return the vectors that come with the package (:mod:`rainbow.text.ngrams.ngram_vectors`)."""
    return Vectors(ngram_vectors.identity(), ngram_vectors.DIMENSIONS, 0.5, ngram_vectors.ngram_vectors)


def vectors_of_network() -> Vectors:
    """Return those of SmolLM2 (:mod:`rainbow.programs.text_vectors`), for which it must be on the machine."""
    return Vectors(text_vectors.VECTORS, text_vectors.DIMENSIONS, 0.25, text_vectors.text_vectors)


def known_vectors() -> dict[str, Vectors]:
    """Return all kinds by their identities.

    Examples
    --------
    >>> [vectors.dimensions for vectors in known_vectors().values()]
    [32, 576]
    """
    return {vectors.identity: vectors for vectors in (vectors_of_ngrams(), vectors_of_network())}
