"""What each metric takes for texts that are much longer than those of dialogue systems."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.growth import BASE
from benchmarks.rows import Rows
from rainbow.metrics import Batch, get

__all__ = ["LENGTHS", "Long", "lengths"]

LENGTHS = (25, 125, 250, 500, 1_000)
ROWS, REFERENCES = 10, 5


class Long(NamedTuple):
    """A metric, and the milliseconds of CPU time that an output against five references takes, for each length."""

    metric: str
    milliseconds: list[float]


def lengths(rows: Rows) -> Iterator[Long]:
    """Time every base metric on outputs and references of so many words."""
    batches = [_batch(rows, words) for words in LENGTHS]
    for name in BASE:
        yield Long(name, [_milliseconds(name, batch) for batch in batches])


def _milliseconds(name: str, batch: Batch) -> float:
    """Return the least of three times; tokens are made anew each time."""
    took = []
    for _ in range(3):
        start = time.process_time()
        metric = get(name)
        fresh = Batch(batch.outputs, batch.references)
        metric.fit(fresh).score(fresh)
        took.append((time.process_time() - start) / ROWS * 1e3)
    return min(took)


def _batch(rows: Rows, words: int) -> Batch:
    """Return texts of this many words: those of neighbouring rows one after the other, cut off."""
    outputs, references = [], []
    for row in range(ROWS):
        following = [(row * 97 + step) % len(rows.outputs) for step in range(words)]
        outputs.append(_cut((rows.outputs[place] for place in following), words))
        references.append(
            tuple(
                _cut((rows.references[place][number % len(rows.references[place])] for place in following), words)
                for number in range(REFERENCES)
            )
        )
    return Batch(outputs, references)


def _cut(texts: Iterator[str], words: int) -> str:
    found: list[str] = []
    for text in texts:
        found += text.split()
        if len(found) >= words:
            break
    return " ".join(found[:words])
