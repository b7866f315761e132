"""How time grows with rows, references and length."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.rows import Rows, tiled
from rainbow import Corpus, score_corpus

__all__ = ["BASE", "Grown", "growth"]

BASE = (
    "bleu",
    "rouge-n",
    "rouge-l",
    "cider",
    "nist",
    "meteor",
    "ter",
    "lepor",
    "chrf",
    "se",
    "readability",
    "misspellings",
)


class Grown(NamedTuple):
    """What was varied, how far, and the microseconds of CPU time per utterance."""

    varied: str
    value: int
    microseconds: float


def growth(rows: Rows) -> Iterator[Grown]:
    """Time all base metrics for more rows, more references and longer texts."""
    for size in (1_000, 10_000, 100_000):
        yield Grown("rows", size, _microseconds(tiled(rows, size)))
    for count in (1, 2, 5, 10):
        yield Grown("references", count, _microseconds(_with_references(rows, count)))
    for factor in (1, 2, 4, 8):
        yield Grown("times the length", factor, _microseconds(_longer(rows, factor)))


def _microseconds(rows: Rows) -> float:
    corpus = Corpus.from_texts(rows.outputs, rows.references)
    start = time.process_time()
    score_corpus(corpus, BASE)
    return (time.process_time() - start) / len(rows.outputs) * 1e6


def _with_references(rows: Rows, count: int) -> Rows:
    """Return every row so many references: its own again and again, with a word of another row so that they differ."""
    pool = [text for texts in rows.references for text in texts]
    sets = [
        [*texts[:count], *(pool[(row * 17 + place * 31) % len(pool)] for place in range(count - len(texts[:count])))]
        for row, texts in enumerate(rows.references)
    ]
    return Rows(rows.name, rows.outputs, sets)


def _longer(rows: Rows, factor: int) -> Rows:
    outputs = [
        " ".join(rows.outputs[(row + step) % len(rows.outputs)] for step in range(factor))
        for row in range(len(rows.outputs))
    ]
    sets = [
        [
            " ".join([text, *(rows.references[(row + step) % len(rows.references)][0] for step in range(1, factor))])
            for text in texts
        ]
        for row, texts in enumerate(rows.references)
    ]
    return Rows(rows.name, outputs, sets)
