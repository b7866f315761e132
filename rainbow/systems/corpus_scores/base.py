"""The contract of a metric of whole systems: a row of numbers per segment, and a score of their sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from rainbow.base.arrays import FloatArray
from rainbow.metrics import Batch, get
from rainbow.metrics.contract.batch import Encoded
from rainbow.metrics.word.nist.information import ORDER, mteval_tokens
from rainbow.text.ngrams.ngram_counts import NgramCounts, most_counts, ngram_counts

__all__ = ["CorpusMetric", "Segment", "Segments"]


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
        """Return what every segment contributes, shape (rows, width)."""

    @abstractmethod
    def of_sums(self, sums: FloatArray) -> FloatArray:
        """Return the scores of corpora from the sums of their segments' statistics, shapes (..., width) to (...)."""


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
        """Return a segment metric's scores of every row, fitted on these references; shape (rows, columns)."""
        if name not in self._scores:
            self._scores[name] = get(name).fit(self.batch).score(self.batch)
        return self._scores[name]

    def encoded(self) -> Encoded:
        """Return all rows, as tokens of mteval-v13a, for the compiled kernels."""
        return self.batch.encoded(mteval_tokens, range(len(self.batch)))

    @cached_property
    def lengths(self) -> list[tuple[int, tuple[int, ...]]]:
        """The number of tokens of mteval-v13a that every output has, and those of its references."""
        outputs, references = self.batch.prepared(mteval_tokens), self.batch.references.prepared(mteval_tokens)
        return [(len(output), tuple(map(len, texts))) for output, texts in zip(outputs, references, strict=True)]

    @cached_property
    def ngrams(self) -> list[Segment]:
        """The n-grams of every row, up to five tokens of mteval-v13a."""
        counts = self.batch.prepared(mteval_tokens, _five_grams)
        allowed = _most_of_sets(self.batch.references.prepared(mteval_tokens, _five_grams))
        rows = zip(counts, allowed, self.lengths, strict=True)
        return [Segment(output, most, *lengths) for output, most, lengths in rows]


def _five_grams(tokens: list[str]) -> NgramCounts:
    return ngram_counts(tokens, ORDER)


def _most_of_sets(sets: list[list[NgramCounts]]) -> list[NgramCounts]:
    """Return what each row's references allow; rows with the same references share one list, merged once."""
    merged: Mapping[int, NgramCounts] = {id(texts): most_counts(texts) for texts in {id(s): s for s in sets}.values()}
    return [merged[id(texts)] for texts in sets]
