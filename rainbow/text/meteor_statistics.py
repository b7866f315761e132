"""What METEOR 1.5 counts in a segment, and the score that the sums over a corpus have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rainbow.text.jvm import java
from rainbow.text.meteor import _borrow, _idle, missing_meteor
from rainbow.text.meteor_files import JAR, meteor_file

__all__ = ["WIDTH", "meteor_of_sums", "meteor_statistics"]

FloatArray = NDArray[np.float64]
Count = Callable[[str, Sequence[str]], list[float]]

ALPHA, BETA, GAMMA = 0.85, 0.2, 0.6  # those of English: balance of P and R, shape and weight of the penalty
WIDTH = 7

_FIELDS = (
    "testWeightedMatches",
    "testWeightedLength",
    "referenceWeightedMatches",
    "referenceWeightedLength",
    "chunks",
    "testTotalMatches",
    "referenceTotalMatches",
)
_CHUNKS = _FIELDS.index("chunks")


@contextmanager
def meteor_statistics() -> Iterator[Count]:
    """Lend a function that gives what a segment adds to METEOR of its corpus: numbers for :func:`meteor_of_sums`.

    It takes an output and its references, each as tokens joined by blanks, and gives, of the reference with the best
    score: weighted matches and weighted length of the output, the same of the reference, chunks (0 where one chunk
    leaves nothing over, as the program counts it in a corpus), matches of the output and of the reference.

    Raises
    ------
    RuntimeError
        If METEOR cannot run here (:func:`rainbow.text.meteor.missing_meteor`).
    """
    if missing := missing_meteor():
        raise RuntimeError(missing)
    with java(meteor_file(JAR)) as jpype:
        scorer = _borrow(jpype)
        try:
            yield lambda output, references: _statistics(jpype, scorer, output, references)
        finally:
            _idle.append(scorer)


def _statistics(jpype: Any, scorer: Any, output: str, references: Sequence[str]) -> list[float]:
    texts = jpype.JClass("java.util.ArrayList")()
    for reference in references:
        texts.add(reference)
    counted = scorer.getMeteorStats(output, texts)
    numbers = [float(getattr(counted, field)) for field in _FIELDS]
    matched = counted.testTotalMatches, counted.referenceTotalMatches
    if counted.chunks == 1 and matched == (counted.testLength, counted.referenceLength):
        numbers[_CHUNKS] = 0.0
    return numbers


def meteor_of_sums(sums: FloatArray) -> FloatArray:
    """Give METEOR 1.5 for English of corpora, between 0 and 1, from the sums of their segments' statistics.

    ``(1 - 0.6 (chunks / matches)^0.2) P R / (0.85 P + 0.15 R)``, where P and R are the shares of weighted matches in
    the weighted lengths, and matches is the mean of those counted on both sides.

    Parameters
    ----------
    sums
        Shape (..., 7), as :func:`meteor_statistics` orders them.

    Returns
    -------
    ndarray
        Shape (...); 0 where nothing matches.

    References
    ----------
    Denkowski, M. and Lavie, A. (2014). Meteor Universal: language specific translation evaluation for any target
    language. WMT.

    Examples
    --------
    >>> meteor_of_sums(np.array([1.5, 2, 1.5, 1.75, 2, 2, 2])).round(4).item()
    0.3357
    """
    ours, our_length, theirs, their_length, chunks, matches, other_matches = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision, recall = ours / our_length, theirs / their_length
        mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
        penalty = GAMMA * (chunks / ((matches + other_matches) / 2)) ** BETA
    return np.where(matches > 0, (1 - penalty) * mean, 0.0)
