"""BLEU of single outputs and of whole systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import SPLIT_TOKENS, Tool, coco_scores, rows_with_split_tokens
from rainbow.metrics.contract.registry import register
from rainbow.text.ngrams.ngram_counts import LONGEST, NgramCounts, clipped_matches, ngram_counts
from rainbow.text.tokens.mteval import mteval_tokens
from rainbow.text.tokens.ptb import ptb_tokens

# Avoid log 0 and 0 / 0 for sentences without matches or n-grams of an order.
MATCHES_FLOOR = 1e-15
COUNT_FLOOR = 1e-9


@register
@dataclass(frozen=True)
class Bleu(Metric):
    """Sentence-level BLEU-1 to BLEU-4 as in MS-COCO, and BLEU-4 of whole systems.

    ``BLEU-n = penalty * (p_1 * ... * p_n) ** (1 / n)`` with ``p_k = (m_k + 1e-15) / (c_k + 1e-9)``, where c_k is the
    number of k-grams of the output and m_k the number that match, each clipped to its highest count in a reference. The
    brevity penalty is ``exp(1 - r / c)`` if the output (c tokens) is shorter than the reference closest in length (r
    tokens; the shorter of ties), else 1. Between 0 and 1, higher is better.

    The small constants avoid log 0 for sentences without a match of some order, and keep sentences ranked: BLEU-4 is
    around 1e-4 if only 4-grams do not match, and 1e-16 if no word matches. Interpret sentence scores as ranks. If the
    output has fewer than n tokens, p_n is 1e-6: two tokens equal to their reference have BLEU-1 = BLEU-2 = 1, BLEU-3 =
    .01, BLEU-4 = .001. An empty output scores 0.

    BLEU-4 of a system is ``exp(min(0, 1 - r / c)) * (p_1 p_2 p_3 p_4) ** (1 / 4)``, with matches, n-grams and lengths
    summed over its outputs, on the lower-cased tokens of mteval-v13a, without smoothing: 0 if an order has no match. It
    equals sacrebleu with ``--tokenize 13a --lowercase --smooth-method none``, divided by 100.

    References
    ----------
    Papineni, K., Roukos, S., Ward, T. and Zhu, W.-J. (2002). BLEU: a method for automatic evaluation of machine
    translation. ACL.

    Chen, X. et al. (2015). Microsoft COCO captions: data collection and evaluation server. arXiv:1504.00325.

    Examples
    --------
    >>> Bleu().score(Batch(["the inn is not cheap"], [["the inn is cheap", "an inn"]])).round(3).tolist()
    [[0.8, 0.632, 0.511, 0.0]]
    >>> system = Batch(["the inn is not cheap"] * 2, [["the inn is not cheap"], ["the inn is very cheap"]])
    >>> Bleu().score_sums(Bleu().sums(system).sum(axis=0)).round(3).tolist()
    [0.689]
    """

    name = "bleu"
    plain = "How many 1- to 4-grams of the output occur in a reference, with a penalty for short outputs."
    group = "word"
    columns = tuple(
        Column(
            f"BLEU{order}", True, 0.0, 1.0, f"{words}, BLEU", f"How many {words} of the output occur in a reference."
        )
        for order, words in enumerate(("single words", *(f"1- to {most}-grams" for most in (2, 3, 4))), 1)
    )
    needs = frozenset({"references"})
    compares_words = True
    tokens = "ptb"
    system_columns = (Column("BLEU", True, 0.0, 1.0),)
    tools = (
        Tool(
            "pycocoevalcap",
            tuple(column.name for column in columns),
            partial(coco_scores, "bleu", verbose=0),
            SPLIT_TOKENS,
            rows_with_split_tokens,
        ),
    )

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            return compiled.bleu(*batch.encoded(ptb_tokens, rows), MATCHES_FLOOR, COUNT_FLOOR, batch.threads)
        return _sentence_scores(_batch_sums(batch, rows, ptb_tokens))

    def compute_sums(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            return compiled.bleu_sums(*batch.encoded(mteval_tokens, rows), batch.threads)
        return _batch_sums(batch, rows, mteval_tokens)

    def score_sums(self, sums: FloatArray) -> FloatArray:
        matches, ngrams = sums[..., :LONGEST], sums[..., LONGEST : 2 * LONGEST]
        length, nearest = sums[..., -2], sums[..., -1]
        with np.errstate(divide="ignore", invalid="ignore"):
            logarithms = np.log(matches / ngrams).mean(axis=-1)
            scores = np.exp(np.minimum(0, 1 - nearest / length) + logarithms)
        return np.where((matches == 0).any(axis=-1), 0.0, scores)[..., None]


def _batch_sums(batch: Batch, rows: Sequence[int], tokens: Callable[[str], list[str]]) -> FloatArray:
    return np.array([bleu_sums(*counts) for counts in batch.pairs(rows, tokens, ngram_counts)], dtype=float)


def bleu_sums(output: NgramCounts, references: Sequence[NgramCounts]) -> list[int]:
    """Return the BLEU statistics of an output."""
    matches = [clipped_matches(counts, [text[order] for text in references]) for order, counts in enumerate(output)]
    ngrams = [sum(counts.values()) for counts in output]
    length, lengths = ngrams[0], [sum(text[0].values()) for text in references]
    # The shorter of two references that are equally close in length counts.
    return [*matches, *ngrams, length, min(lengths, key=lambda other: (abs(other - length), other))]


def _sentence_scores(sums: FloatArray) -> FloatArray:
    """Return BLEU-1 to BLEU-4 of single rows from their statistics, shape (rows, 10)."""
    matches, counts, lengths, nearest = sums[:, :LONGEST], sums[:, LONGEST : 2 * LONGEST], sums[:, -2], sums[:, -1]
    precisions = (matches + MATCHES_FLOOR) / (counts + COUNT_FLOOR)
    ratio = (lengths + MATCHES_FLOOR) / (nearest + COUNT_FLOOR)
    penalty = np.exp(np.minimum(1 - 1 / ratio, 0))
    return np.asarray(np.cumprod(precisions, axis=1) ** (1 / np.arange(1, LONGEST + 1)) * penalty[:, None])
