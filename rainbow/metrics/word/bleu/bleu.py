"""BLEU of single utterances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.metrics.word.bleu.corpus_bleu import nearest_length
from rainbow.text.ngrams.ngram_counts import LONGEST, NgramCounts, clipped_matches, ngram_counts
from rainbow.text.tokens.ptb import ptb_tokens

__all__ = ["Bleu"]

# What keeps a sentence without matches, or without n-grams of an order, from the logarithm of zero and from 0 / 0.
MATCHES_FLOOR = 1e-15
COUNT_FLOOR = 1e-9


@register
@dataclass(frozen=True)
class Bleu(Metric):
    """BLEU-1 to BLEU-4 of each output by itself, in the form that MS-COCO made common.

    ``BLEU-n = penalty * (p_1 * ... * p_n) ** (1 / n)`` with ``p_k = (m_k + 1e-15) / (c_k + 1e-9)``: of the c_k k-grams
    of the output, m_k are in a reference, each counted no more often than in the reference that has most of it. With
    r tokens in the reference nearest in length (the shorter of two equally near ones) and c in the output,
    ``penalty = exp(1 - r / c)`` where the output is shorter, else 1. Between 0 and 1, higher is better.

    BLEU was made for whole corpora, where every order has matches. A single sentence often has none, which would make
    the geometric mean 0 whatever the other orders say. The small constants give such a sentence a tiny number instead
    (BLEU-4 is around 1e-4 where only 4-grams are missing, 1e-16 where no word matches), so that sentences still come
    in an order. Take these numbers as ranks: that BLEU-4 is .5 for one sentence and 1e-4 for another mostly says that
    the second has no 4-gram in common. An output of fewer than n tokens has no n-grams at all, and p_n is 1e-6: two
    tokens that equal their reference have BLEU-1 = BLEU-2 = 1, BLEU-3 = .01, BLEU-4 = .001. An empty output is 0.

    References
    ----------
    Papineni, K., Roukos, S., Ward, T. and Zhu, W.-J. (2002). BLEU: a method for automatic evaluation of machine
    translation. ACL.

    Chen, X. et al. (2015). Microsoft COCO captions: data collection and evaluation server. arXiv:1504.00325.

    Examples
    --------
    >>> Bleu().score(Batch(["the inn is not cheap"], [["the inn is cheap", "an inn"]])).round(3).tolist()
    [[0.8, 0.632, 0.511, 0.0]]
    """

    name = "bleu"
    group = "word"
    columns = tuple(Column(f"BLEU{order}", True, 0.0, 1.0) for order in range(1, LONGEST + 1))
    needs = frozenset({"references"})

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            encoded = batch.encoded(ptb_tokens, rows)
            return compiled.bleu(*encoded, MATCHES_FLOOR, COUNT_FLOOR, batch.threads)
        outputs = batch.prepared(ptb_tokens, ngram_counts)
        references = batch.references.prepared(ptb_tokens, ngram_counts)
        matches = np.array([_matches(outputs[row], references[row]) for row in rows], dtype=float)
        tokens, reference_tokens = batch.prepared(ptb_tokens), batch.references.prepared(ptb_tokens)
        lengths = np.array([len(tokens[row]) for row in rows], dtype=float)
        nearest = np.array(
            [nearest_length(len(tokens[row]), map(len, reference_tokens[row])) for row in rows], dtype=float
        )
        return _sentence_scores(matches, lengths, nearest)

    def resources(self) -> dict[str, str]:
        return {"tokens": "ptb"}


def _matches(output: NgramCounts, references: Sequence[NgramCounts]) -> list[int]:
    """Return the clipped matches of every order."""
    return [
        clipped_matches(counts, [reference[index] for reference in references]) for index, counts in enumerate(output)
    ]


def _sentence_scores(matches: FloatArray, lengths: FloatArray, nearest: FloatArray) -> FloatArray:
    """Return BLEU-1 to BLEU-4 from matches (rows, orders), output lengths (rows,) and reference lengths (rows,)."""
    orders = np.arange(1, LONGEST + 1)
    counts = np.maximum(lengths[:, None] - orders + 1, 0)
    precisions = (matches + MATCHES_FLOOR) / (counts + COUNT_FLOOR)
    ratio = (lengths + MATCHES_FLOOR) / (nearest + COUNT_FLOOR)
    penalty = np.exp(np.minimum(1 - 1 / ratio, 0))
    return np.asarray(np.cumprod(precisions, axis=1) ** (1 / orders) * penalty[:, None])
