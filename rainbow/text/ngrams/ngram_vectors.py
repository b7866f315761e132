"""Text vectors from n-grams, distilled from a network's embeddings."""

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
from rainbow.text.tokens.token_ids import encode_tokens

TABLE = Path(__file__).with_name("ngram_vectors.npz")
DIMENSIONS = 32
LONGEST = 3  # tokens of an n-gram

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")


class _Table(NamedTuple):
    """Row index of every n-gram, and the rows, shape (n-grams, DIMENSIONS)."""

    places: dict[str, int]
    rows: NDArray[np.int8]


def ngram_vectors(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return one vector per text, an approximation of SmolLM2's embedding.

    Shapes: returns (texts, 32).
    Source: Hinton, G., Vinyals, O. and Dean, J. (2015). Distilling the knowledge in a neural network. arXiv 1503.02531.
    The network: Ben Allal, L. et al. (2025). SmolLM2: when Smol goes big. arXiv 2502.02737.
    """
    if kernels():
        words = encode_tokens(vector_tokens, texts)
        sums, lengths = _compiled_table().sums(words), words.lengths()
    else:
        prepared = list(map(vector_tokens, texts))
        sums, lengths = np.array(list(map(_sum_vectors, prepared)), dtype=float), np.array(list(map(len, prepared)))
    # Whole numbers until here: their sum is the same in any order.
    return np.reshape(sums, (-1, DIMENSIONS)) / np.maximum(lengths, 1)[:, None]


def _sum_vectors(words: Sequence[str]) -> NDArray[np.int64]:
    table = _load_table()
    places = [place for place in map(table.places.get, vector_ngrams(words)) if place is not None]
    result: NDArray[np.int64] = table.rows[places].sum(axis=0, dtype=np.int64)
    return result


def table_digest() -> str:
    """Return the digest of the vector table."""
    return f"n-grams {hashlib.sha256(_table_file()).hexdigest()[:12]}"


def vector_tokens(text: str) -> list[str]:
    """Return the lower-cased words, numbers and punctuation marks of a text."""
    return _TOKEN.findall(text.lower())


def vector_ngrams(words: Sequence[str]) -> Iterator[str]:
    """Return all n-grams of one to three tokens."""
    for length in range(1, LONGEST + 1):
        yield from (" ".join(words[i : i + length]) for i in range(len(words) - length + 1))


@cache
def _table_file() -> bytes:
    return TABLE.read_bytes()


@cache
def _compiled_table() -> compiled.NgramVectors:
    table = _load_table()
    return compiled.NgramVectors(list(table.places), table.rows, LONGEST)


@cache
def _load_table() -> _Table:
    with np.load(BytesIO(_table_file()), allow_pickle=False) as saved:
        known = saved["ngrams"].tobytes().decode().split("\n")
        return _Table({ngram: place for place, ngram in enumerate(known)}, saved["rows"])
