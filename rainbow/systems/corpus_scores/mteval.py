"""BLEU-4 and NIST-5 as mteval-v13a computes them."""

from __future__ import annotations

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.word.bleu.corpus_bleu import bleu_lengths, bleu_of_sums, bleu_statistics
from rainbow.metrics.word.nist.information import ORDER, nist_lengths, nist_of_sums, nist_statistics
from rainbow.metrics.word.nist.nist import Nist, nist_information
from rainbow.systems.corpus_scores.base import CorpusMetric, Segments

__all__ = ["CorpusBleu", "CorpusNist"]


class CorpusBleu(CorpusMetric):
    """BLEU-4 (:func:`rainbow.metrics.word.bleu.corpus_bleu.bleu_of_sums`), between 0 and 1.

    Lower-cased tokens of mteval-v13a, all references, the nearest reference's length; nothing is smoothed. sacrebleu
    gives the same, times 100, with its options ``--tokenize 13a --lowercase --smooth-method none``.

    Examples
    --------
    >>> from rainbow.metrics import Batch
    >>> metric = CorpusBleu()
    >>> segments = Segments(Batch(["the inn is not cheap"] * 2, [["the inn is not cheap"], ["the inn is very cheap"]]))
    >>> metric.of_sums(metric.statistics(segments).sum(axis=0)).round(3).item()
    0.689
    """

    name = "BLEU"
    width = 10

    def statistics(self, segments: Segments) -> FloatArray:
        if kernels():
            matches = compiled.bleu_matches(*segments.encoded(), segments.batch.threads)
            return np.hstack([matches, [bleu_lengths(*lengths) for lengths in segments.lengths]])
        return np.array([bleu_statistics(*segment) for segment in segments.ngrams], dtype=float)

    def of_sums(self, sums: FloatArray) -> FloatArray:
        return bleu_of_sums(sums)


class CorpusNist(CorpusMetric):
    """NIST-5 (:func:`rainbow.metrics.word.nist.information.corpus_nist`), from 0 up.

    The information weights are counted in all references of all items, also where segments are resampled.
    """

    name = "NIST"
    width = 2 * ORDER + 4
    top = 10.0

    def statistics(self, segments: Segments) -> FloatArray:
        weights = Nist().fit(segments.batch).statistics
        if weights is None:
            raise ValueError("NIST has no information weights: there are no references")
        if kernels():
            information = nist_information(segments.batch, weights)
            return np.hstack([information, [nist_lengths(*lengths) for lengths in segments.lengths]])
        collections = zip(segments.ngrams, segments.batch.collections, strict=True)
        return np.array([nist_statistics(*segment, weights[name]) for segment, name in collections], dtype=float)

    def of_sums(self, sums: FloatArray) -> FloatArray:
        return nist_of_sums(sums)
