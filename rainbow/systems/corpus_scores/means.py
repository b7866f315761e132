"""Metrics that are means over segments, plain or weighted by the references' lengths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.metrics import find, get
from rainbow.metrics.word.ter.ter import lower_cased_words
from rainbow.systems.corpus_scores.base import CorpusMetric, Segments

__all__ = ["CorpusTer", "MeanScore"]


@dataclass(frozen=True)
class MeanScore(CorpusMetric):
    """The mean of a segment metric's column over all segments.

    Parameters
    ----------
    name
        What the mean is called.
    column
        The metric's column.
    top
        What counts as 1 in a normalised average.

    Examples
    --------
    >>> from rainbow.metrics import Batch
    >>> metric = MeanScore("ROUGE-L", "ROUGE")
    >>> metric.of_sums(metric.statistics(Segments(Batch(["an inn", "x"], [["an inn"], ["y"]]))).sum(axis=0)).item()
    0.5
    """

    name: str
    column: str
    top: float = 1.0

    width = 2

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]  # as the metric's own
        return bool(find(self.column).columns[self._place].higher_is_better)

    @property
    def _place(self) -> int:
        return [column.name for column in find(self.column).columns].index(self.column)

    def unavailable(self) -> str | None:
        return find(self.column).unavailable()

    def statistics(self, segments: Segments) -> FloatArray:
        scores = segments.scores(get(self.column).name)[:, self._place]
        return np.column_stack([scores, np.ones(len(scores))])

    def of_sums(self, sums: FloatArray) -> FloatArray:
        return np.asarray(sums[..., 0] / sums[..., 1])


class CorpusTer(CorpusMetric):
    """Translation edit rate: the fewest edits of all segments by the mean lengths of all references; lower is better.

    The same as sacrebleu's TER with its default options, as a fraction instead of per cent.
    """

    name = "TER"
    higher_is_better = False
    width = 2

    def statistics(self, segments: Segments) -> FloatArray:
        references = segments.batch.references.prepared(lower_cased_words)
        lengths = np.array([np.mean([len(words) for words in texts]) for texts in references])
        # A segment's rate is its edits by its references' mean length.
        return np.column_stack([segments.scores("ter")[:, 0] * lengths, lengths])

    def of_sums(self, sums: FloatArray) -> FloatArray:
        return np.asarray(sums[..., 0] / sums[..., 1])
