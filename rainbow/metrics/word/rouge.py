"""ROUGE: longest common subsequence and n-grams shared with a reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from rapidfuzz.distance import LCSseq

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import (
    SPLIT_TOKENS,
    Tool,
    coco_scores,
    differs_by_text,
    rows_with_split_tokens,
    score_rows,
)
from rainbow.metrics.contract.registry import register
from rainbow.text.ngrams.ngram_counts import LONGEST, Ngram, NgramCounts, clipped_matches, ngram_counts
from rainbow.text.tokens.alphanumeric import alphanumeric_tokens
from rainbow.text.tokens.ptb import ptb_tokens

BETA = 1.2  # weight of recall relative to precision in ROUGE-L


@register
@dataclass(frozen=True)
class RougeL(Metric):
    """ROUGE-L: longest common subsequence with a reference, as MS-COCO computes it.

    ``F = (1 + b^2) P R / (R + b^2 P)`` with b = 1.2, where P is the length of the longest common subsequence divided by
    the output's length, R by the reference's. The maxima of P and R over the references may come from different
    references. Between 0 and 1, higher is better. A system has the mean of its outputs.

    References
    ----------
    Lin, C.-Y. (2004). ROUGE: a package for automatic evaluation of summaries. Text Summarization Branches Out.

    Chen, X. et al. (2015). Microsoft COCO captions: data collection and evaluation server. arXiv:1504.00325.

    Examples
    --------
    >>> RougeL().score(Batch(["the inn is cheap"], [["the inn is not cheap"]])).round(3).tolist()
    [[0.871]]
    """

    name = "rouge-l"
    plain = "Longest word sequence shared with a reference, with gaps allowed, as F-score of precision and recall."
    group = "word"
    columns = (Column("ROUGE", True, 0.0, 1.0, short="longest common sequence"),)
    needs = frozenset({"references"})
    compares_words = True
    tokens = "ptb"
    system_columns = (Column("ROUGE-L", True, 0.0, 1.0),)
    tools = (Tool("pycocoevalcap", ("ROUGE",), partial(coco_scores, "rouge"), SPLIT_TOKENS, rows_with_split_tokens),)

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            return compiled.rouge_l(*batch.encoded(ptb_tokens, rows), BETA, batch.threads)
        return np.array([[_longest_subsequence_f(*tokens)] for tokens in batch.pairs(rows, ptb_tokens)])


def _longest_subsequence_f(output: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    common = [LCSseq.similarity(output, reference) for reference in references]
    if not any(common):
        return 0.0
    precision = max(common) / len(output)
    recall = max(length / len(reference) for length, reference in zip(common, references, strict=True) if reference)
    return (1 + BETA**2) * precision * recall / (recall + BETA**2 * precision)


def _rouge_score_package(batch: Batch) -> FloatArray:
    from rouge_score.rouge_scorer import RougeScorer

    names = [f"rouge{order}" for order in range(1, LONGEST + 1)]
    scorer = RougeScorer(names, use_stemmer=False)

    def scores(output: str, references: Sequence[str]) -> list[float]:
        result = scorer.score_multi(references, output)
        return [float(result[name].fmeasure) for name in names]

    return score_rows(scores, batch)


def _has_other_letters(text: str) -> bool:
    return not all(map(str.isascii, alphanumeric_tokens(text)))


@register
@dataclass(frozen=True)
class RougeN(Metric):
    """ROUGE-1 to ROUGE-4: F1 of n-grams shared with the best reference.

    ``F1 = 2 P R / (P + R)``, where P is the number of shared n-grams (with clipped counts) divided by the output's
    number of n-grams, R by the reference's; the best F1 over the references. Tokens are lower-cased runs of letters and
    digits, as in rouge-score without stemming, which drops letters outside ASCII. Between 0 and 1, higher is better. A
    text of fewer than n tokens has ROUGE-n 0, even if it equals the reference.

    References
    ----------
    Lin, C.-Y. (2004). ROUGE: a package for automatic evaluation of summaries. Text Summarization Branches Out.

    Examples
    --------
    >>> RougeN().score(Batch(["The inn is cheap."], [["the inn is not cheap"]])).round(3).tolist()
    [[0.889, 0.571, 0.4, 0.0]]
    """

    name = "rouge-n"
    plain = "Overlap of 1- to 4-grams with the best reference, as F1 of precision and recall."
    group = "word"
    columns = tuple(
        Column(
            f"ROUGE{order}", True, 0.0, 1.0, f"shared {words}", f"Overlap of {words} with the best reference, as F1."
        )
        for order, words in enumerate(("words", "2-grams", "3-grams", "4-grams"), 1)
    )
    needs = frozenset({"references"})
    compares_words = True
    tokens = "unicode-alphanumeric"
    tools = (
        Tool(
            "rouge-score",
            tuple(column.name for column in columns),
            _rouge_score_package,
            "the tool splits words at letters other than a to z",
            differs_by_text(_has_other_letters),
        ),
    )

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            return compiled.rouge_n(*batch.encoded(alphanumeric_tokens, rows), batch.threads)
        return np.array([_best_f1(*counts) for counts in batch.pairs(rows, alphanumeric_tokens, ngram_counts)])


def _best_f1(output: NgramCounts, references: Sequence[NgramCounts]) -> list[float]:
    """Return the best F1 over the references, for every order."""
    return [max(_ngram_f1(counts, reference[index]) for reference in references) for index, counts in enumerate(output)]


def _ngram_f1(output: Mapping[Ngram, int], reference: Mapping[Ngram, int]) -> float:
    matches = clipped_matches(output, [reference])
    return 2 * matches / (sum(output.values()) + sum(reference.values())) if matches else 0.0
