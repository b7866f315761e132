"""Vectors of texts without a network: what a network's vectors owe to each n-gram, averaged over the text's."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.base.native import compiled, kernels
from rainbow.text.tokens.encode import encode

TABLE = Path(__file__).with_name("ngram_vectors.npz")
DIMENSIONS = 32
LONGEST = 3  # tokens of an n-gram

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")


class _Table(NamedTuple):
    """The row of every n-gram, and the rows, shape (n-grams, DIMENSIONS)."""

    places: dict[str, int]
    rows: NDArray[np.int8]


def ngram_vectors(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return a vector for each text: about what SmolLM2 makes of it, as far as its words and their neighbours tell.

    Shapes: returns (texts, 32).
    Source: Hinton, G., Vinyals, O. and Dean, J. (2015). Distilling the knowledge in a neural network. arXiv 1503.02531.
    The network: Ben Allal, L. et al. (2025). SmolLM2: when Smol goes big. arXiv 2502.02737.
    """
    if kernels():
        words = encode(tokens, texts)
        sums, lengths = _compiled_table().sums(words), words.lengths()
    else:
        prepared = list(map(tokens, texts))
        sums, lengths = np.array([_sum(words) for words in prepared], dtype=float), np.array(list(map(len, prepared)))
    # Whole numbers until here: their sum is the same in any order.
    return np.reshape(sums, (-1, DIMENSIONS)) / np.maximum(lengths, 1)[:, None]


def _sum(words: Sequence[str]) -> NDArray[np.int64]:
    table = _table()
    places = [place for place in map(table.places.get, ngrams(words)) if place is not None]
    found: NDArray[np.int64] = table.rows[places].sum(axis=0, dtype=np.int64)
    return found


def identity() -> str:
    """Return what the vectors depend on: the digest of the table."""
    return f"n-grams {hashlib.sha256(_file()).hexdigest()[:12]}"


def tokens(text: str) -> list[str]:
    """Return the words, numbers and marks of a text, in lower case."""
    return _TOKEN.findall(text.lower())


def ngrams(words: Sequence[str]) -> Iterator[str]:
    """Return the n-grams of one to three tokens, each as often as it stands there."""
    for length in range(1, LONGEST + 1):
        yield from (" ".join(words[i : i + length]) for i in range(len(words) - length + 1))


@cache
def _file() -> bytes:
    return TABLE.read_bytes()


@cache
def _compiled_table() -> compiled.NgramVectors:
    table = _table()
    return compiled.NgramVectors(list(table.places), table.rows, LONGEST)


@cache
def _table() -> _Table:
    with np.load(BytesIO(_file()), allow_pickle=False) as saved:
        known = saved["ngrams"].tobytes().decode().split("\n")
        return _Table({ngram: place for place, ngram in enumerate(known)}, saved["rows"])
