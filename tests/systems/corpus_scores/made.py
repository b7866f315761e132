"""Random texts of a few words, with one to three references each."""

import random

from rainbow.metrics import Batch
from rainbow.systems.corpus_scores.segment_sums import SegmentSums, segment_sums, system_columns

WORDS = ["the", "The", "inn", "pub", "cheap", "is", "not", "a", "near", ".", ",", "3.5", "family-friendly", "it's"]


def texts(count: int, seed: int) -> tuple[list[str], list[list[str]]]:
    rng = random.Random(seed)

    def text() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(1, 14)))

    def near(text: str) -> str:
        words = text.split()
        words[rng.randrange(len(words))] = rng.choice(WORDS)
        return " ".join(words)

    outputs = [text() for _ in range(count)]
    return outputs, [[rng.choice([near(output), text()]) for _ in range(rng.randint(1, 3))] for output in outputs]


def sums_of(name: str, batch: Batch) -> SegmentSums:
    """Return what a system column is made of."""
    return segment_sums(system_columns([name])[name].metric, batch)[name]


def score(name: str, outputs: list[str], references: list[list[str]]) -> float:
    return float(sums_of(name, Batch(outputs, references)).scores)
