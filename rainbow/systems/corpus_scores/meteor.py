"""METEOR of whole systems."""

from __future__ import annotations

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.metrics.word.meteor import MeteorStatistics
from rainbow.metrics.word.meteor.meteor import Meteor, meteor_counts
from rainbow.metrics.word.meteor.meteor_statistics import ALPHA, BETA, GAMMA
from rainbow.systems.corpus_scores.base import CorpusMetric, Segments

__all__ = ["CorpusMeteor"]


class CorpusMeteor(CorpusMetric):
    """METEOR 1.5 of a corpus (`-l en -norm`), between 0 and 1: the score of sums, not the mean of scores.

    ``(1 - 0.6 (chunks / matches)^0.2) P R / (0.85 P + 0.15 R)``, where P and R are the shares of weighted matches in
    the weighted lengths, and matches is the mean of those counted on both sides; 0 where nothing matches.

    References
    ----------
    Denkowski, M. and Lavie, A. (2014). Meteor Universal: language specific translation evaluation for any target
    language. WMT.

    Examples
    --------
    >>> round(float(CorpusMeteor().of_sums(np.array([1.5, 2, 1.5, 1.75, 2, 2, 2]))), 4)
    0.3357
    """

    name = "METEOR"
    width = len(MeteorStatistics._fields) - 1

    def unavailable(self) -> str | None:
        return Meteor.unavailable()

    def statistics(self, segments: Segments) -> FloatArray:
        return meteor_counts(segments.batch, range(len(segments.batch)))[:, 1:]

    def of_sums(self, sums: FloatArray) -> FloatArray:
        ours, our_length, theirs, their_length, chunks, matches, other_matches = np.moveaxis(sums, -1, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = ours / our_length, theirs / their_length
            mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
            penalty = GAMMA * (chunks / ((matches + other_matches) / 2)) ** BETA
        return np.where(matches > 0, (1 - penalty) * mean, 0.0)
