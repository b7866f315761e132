"""The mean of several metrics, each brought between 0 and 1."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.systems.corpus_scores.base import CorpusMetric, Segments

__all__ = ["NormalisedAverage"]


@dataclass(frozen=True)
class NormalisedAverage(CorpusMetric):
    """The mean of metrics, each divided by what counts as 1 and no more than 1; higher is better.

    With BLEU, NIST / 10, METEOR, ROUGE-L and CIDEr / 10 it is what the E2E challenge sorts systems by.

    References
    ----------
    Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural language
    generation: the E2E NLG challenge. Computer Speech & Language 59.
    """

    parts: tuple[CorpusMetric, ...]

    name = "normalised_average"

    @property
    def width(self) -> int:  # type: ignore[override]  # as wide as its parts together
        return sum(part.width for part in self.parts)

    def unavailable(self) -> str | None:
        return next((f"{part.name}: {reason}" for part in self.parts if (reason := part.unavailable())), None)

    def statistics(self, segments: Segments) -> FloatArray:
        return np.hstack([part.statistics(segments) for part in self.parts])

    def of_sums(self, sums: FloatArray) -> FloatArray:
        edges = pairwise(accumulate((part.width for part in self.parts), initial=0))
        scores = [
            np.minimum(part.of_sums(sums[..., start:end]) / part.top, 1.0)
            for part, (start, end) in zip(self.parts, edges, strict=True)
        ]
        return np.asarray(np.mean(scores, axis=0))
