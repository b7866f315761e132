"""The rows that everything is timed on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rainbow import Corpus, load_dataset
from rainbow.metrics import Batch

__all__ = ["Rows", "load_rows", "tiled", "tiles"]

SOURCES = {"SF": ("sfhotel", "sfrest"), "E2E": ("e2e",)}
SEED = 2017


class Rows(NamedTuple):
    """Outputs with their references, as surface texts, by the name of where they come from."""

    name: str
    outputs: list[str]
    references: list[list[str]]

    def batch(self) -> Batch:
        """Return a new batch of these rows: nothing is prepared."""
        return Batch(self.outputs, self.references)

    def take(self, size: int) -> Rows:
        """Return the first rows."""
        return Rows(self.name, self.outputs[:size], self.references[:size])

    @property
    def shape(self) -> str:
        """Say how many rows there are and what they are like."""
        tokens = np.mean([len(output.split()) for output in self.outputs])
        references = np.mean([len(texts) for texts in self.references])
        sets = len(set(map(tuple, self.references)))
        return (
            f"{len(self.outputs):,} outputs of {tokens:.0f} words, {references:.1f} references each "
            f"({sets:,} different sets)"
        )


def load_rows(size: int) -> list[Rows]:
    """Return so many rows of every source that is on this machine; the demo where none is."""
    found = []
    for name, datasets in SOURCES.items():
        try:
            found.append(_sample(name, [load_dataset(dataset) for dataset in datasets], size))
        except (FileNotFoundError, ValueError):
            continue
    return found or [_sample("demo", [load_dataset("demo")], size)]


def tiled(rows: Rows, size: int) -> Rows:
    """Return so many rows, made of these as :func:`tiles` makes them."""
    made = list(tiles(rows, size))
    return Rows(rows.name, [output for output, _ in made], [references for _, references in made])


def tiles(rows: Rows, size: int) -> Iterator[tuple[str, list[str]]]:
    """Return so many rows: these again and again, each time with another word doubled, so that outputs differ."""
    rng = np.random.default_rng(SEED)
    for number in range(size):
        place = number % len(rows.outputs)
        words = rows.outputs[place].split()
        if number >= len(rows.outputs) and words:
            word = rng.integers(len(words))
            words[word:word] = words[word : word + 1] * int(rng.integers(1, 4))
        yield " ".join(words), rows.references[place]


def _sample(name: str, corpora: list[Corpus], size: int) -> Rows:
    rated = [
        (output, list(references))
        for corpus in corpora
        for output, references in zip(corpus.frame["output"], corpus.frame["references"], strict=True)
        if output.strip() and any(map(str.strip, references))
    ]
    chosen = np.random.default_rng(SEED).permutation(len(rated))[:size]
    return Rows(name, [rated[row][0] for row in chosen], [rated[row][1] for row in chosen])
