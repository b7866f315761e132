"""METEOR of whole systems."""

from __future__ import annotations

import numpy as np

from rainbow.metrics.meteor import joined
from rainbow.systems.corpus_metrics.base import CorpusMetric, FloatArray, Segments
from rainbow.text.meteor import missing_meteor
from rainbow.text.meteor_statistics import WIDTH, meteor_of_sums, meteor_statistics
from rainbow.text.ptb import ptb_tokens

__all__ = ["CorpusMeteor"]


class CorpusMeteor(CorpusMetric):
    """METEOR 1.5 of a corpus (`-l en -norm`), between 0 and 1: the score of sums, not the mean of scores."""

    name = "METEOR"
    width = WIDTH

    def unavailable(self) -> str | None:
        return missing_meteor()

    def statistics(self, segments: Segments) -> FloatArray:
        outputs = segments.batch.prepared(ptb_tokens, joined)
        references = segments.batch.references.prepared(ptb_tokens, joined)
        with meteor_statistics() as count:
            return np.array([count(outputs[row], references[row]) for row in range(len(outputs))])

    def of_sums(self, sums: FloatArray) -> FloatArray:
        return meteor_of_sums(sums)
