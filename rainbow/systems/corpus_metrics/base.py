"""The contract of a metric of whole systems: a row of numbers per segment, and a score of their sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.metrics import Batch, get
from rainbow.text.ngrams import NgramCounts, most_counts, ngram_counts
from rainbow.text.nist import ORDER, mteval_tokens

__all__ = ["CorpusMetric", "FloatArray", "Segment", "Segments"]

FloatArray = NDArray[np.float64]


class CorpusMetric(ABC):
    """A metric of all outputs of a system together.

    What every segment contributes is counted once. The score of any sample of segments, with repetitions or with
    another system's, is then the score of sums: resampling needs no text.

    Attributes
    ----------
    name
        The column it gives.
    higher_is_better
        Its direction.
    width
        How many numbers a segment contributes.
    top
        What counts as 1 in a normalised average.
    """

    name: str
    higher_is_better: bool = True
    width: int
    top: float = 1.0

    def unavailable(self) -> str | None:
        """Say what is missing on this machine and how to mend it; None if the metric works here."""
        return None

    @abstractmethod
    def statistics(self, segments: Segments) -> FloatArray:
        """Give what every segment contributes, shape (rows, width)."""

    @abstractmethod
    def of_sums(self, sums: FloatArray) -> FloatArray:
        """Give the scores of corpora from the sums of their segments' statistics, shapes (..., width) to (...)."""


class Segment(NamedTuple):
    """The n-grams of an output, those that its references allow, and the lengths of all in tokens."""

    output: NgramCounts
    most: NgramCounts
    length: int
    lengths: tuple[int, ...]


class Segments:
    """Outputs and references, with what several metrics take of them: counted once.

    Examples
    --------
    >>> segments = Segments(Batch(["the inn"], [["an inn", "the inn"]]))
    >>> segments.ngrams[0].lengths, segments.scores("ter").tolist()
    ((2, 2), [[0.0]])
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self._scores: dict[str, FloatArray] = {}

    def scores(self, name: str) -> FloatArray:
        """Give a segment metric's scores of every row, fitted on these references; shape (rows, columns)."""
        if name not in self._scores:
            self._scores[name] = get(name).fit(self.batch).score(self.batch)
        return self._scores[name]

    @cached_property
    def ngrams(self) -> list[Segment]:
        """The n-grams of every row, up to five tokens of mteval-v13a."""
        outputs, references = self.batch.prepared(mteval_tokens), self.batch.references.prepared(mteval_tokens)
        counts = self.batch.prepared(mteval_tokens, _five_grams)
        most = _most_of_sets(self.batch.references.prepared(mteval_tokens, _five_grams))
        return [
            Segment(counts[row], most[row], len(outputs[row]), tuple(map(len, references[row])))
            for row in range(len(self.batch))
        ]


def _five_grams(tokens: list[str]) -> NgramCounts:
    return ngram_counts(tokens, ORDER)


def _most_of_sets(sets: list[list[NgramCounts]]) -> list[NgramCounts]:
    """Give what each row's references allow; rows with the same references share one list, merged once."""
    merged: Mapping[int, NgramCounts] = {id(texts): most_counts(texts) for texts in {id(s): s for s in sets}.values()}
    return [merged[id(texts)] for texts in sets]
