"""The normalised average of several system-level metrics."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.systems.corpus_scores.segment_sums import SegmentSums

AVERAGE = "normalised_average"
# The metrics of the E2E challenge under their names in its table, and the value that counts as 1. Its CIDEr is CIDEr-D.
PARTS = {"BLEU": 1.0, "NIST": 10.0, "METEOR": 1.0, "ROUGE-L": 1.0, "CIDEr": 10.0}


def normalised_average(scores: Mapping[str, FloatArray]) -> FloatArray:
    """Return the mean of the available :data:`PARTS`, each scaled by its maximum and capped at 1.

    Source: Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural
    language generation: the E2E NLG challenge. Computer Speech & Language 59.
    """
    parts = [np.minimum(scores[name] / top, 1.0) for name, top in PARTS.items() if name in scores]
    return np.asarray(np.mean(parts, axis=0))


def average_sums(sums_of_metrics: Mapping[str, SegmentSums]) -> SegmentSums:
    """Return the segment sums of the normalised average, from the sums of its parts."""
    parts = {name: sums_of_metrics[name] for name in PARTS}
    edges = [*accumulate(part.sums.shape[-1] for part in parts.values())][:-1]

    def score_sums(sums: FloatArray) -> FloatArray:
        pieces = zip(parts.items(), np.split(sums, edges, axis=-1), strict=True)
        return normalised_average({name: np.asarray(part.score_sums(piece)) for (name, part), piece in pieces})

    return SegmentSums(np.concatenate([part.sums for part in parts.values()], axis=-1), score_sums)
