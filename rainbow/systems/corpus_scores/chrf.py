"""chrF++ of whole systems."""

from __future__ import annotations

from typing import Any

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import kernels
from rainbow.metrics.word.chrf.chrf import chrf_counts
from rainbow.systems.corpus_scores.base import CorpusMetric, Segments

__all__ = ["CorpusChrF"]

ORDERS = 8  # of characters up to six, of words up to two
BETA = 2.0  # how much more recall counts than precision


class CorpusChrF(CorpusMetric):
    """chrF++ of a corpus, between 0 and 100, from the n-grams of all outputs and of the best reference of each.

    ``F = 100 (1 + b²) P R / (b² P + R)`` with b = 2, where P and R are the means over eight orders (characters to 6,
    words to 2) of the n-grams in common by those of the outputs, and by those of the references. The same as
    sacrebleu's corpus score with ``--chrf-word-order 2``; without the compiled kernels, sacrebleu counts
    the n-grams.

    References
    ----------
    Popović, M. (2017). chrF++: words helping character n-grams. WMT.

    Examples
    --------
    >>> from rainbow.metrics import Batch
    >>> metric = CorpusChrF()
    >>> statistics = metric.statistics(Segments(Batch(["the inn is cheap"], [["the inn is not cheap", "no"]])))
    >>> metric.of_sums(statistics.sum(axis=0)).round(2).item()
    61.65
    """

    name = "chrF++"
    width = 3 * ORDERS
    top = 100.0

    def statistics(self, segments: Segments) -> FloatArray:
        if kernels():
            return chrf_counts(segments.batch)
        from sacrebleu.metrics.chrf import CHRF

        counter = CHRF(word_order=2)
        batch = segments.batch
        prepared: dict[int, Any] = {}
        rows = []
        for row, output in enumerate(batch.outputs):
            references = batch.references[row]
            if id(references) not in prepared:
                prepared[id(references)] = counter._extract_reference_info(references)
            rows.append(counter._compute_segment_statistics(output, prepared[id(references)]))
        return np.array(rows, dtype=float)

    def of_sums(self, sums: FloatArray) -> FloatArray:
        counts = sums.reshape(*sums.shape[:-1], ORDERS, 3)
        outputs, references, matches = np.moveaxis(counts, -1, 0)
        both = (outputs > 0) & (references > 0)
        orders = np.maximum(both.sum(axis=-1), 1)
        precision = np.where(both, matches / np.maximum(outputs, 1), 0).sum(axis=-1) / orders
        recall = np.where(both, matches / np.maximum(references, 1), 0).sum(axis=-1) / orders
        denominator = BETA**2 * precision + recall
        scores = 100 * (1 + BETA**2) * precision * recall / np.where(denominator > 0, denominator, 1)
        return np.asarray(scores)
