"""chrF++ of single outputs and of whole systems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from string import punctuation
from typing import Any

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.fingerprint import fingerprint
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool, score_rows
from rainbow.metrics.contract.registry import register

ORDERS = 8  # character n-grams up to six, word n-grams up to two
BETA = 2.0  # weight of recall relative to precision

Pair = tuple[str, Sequence[str]]

# One pair for each behaviour that could differ between releases of sacrebleu.
PROBE: tuple[Pair, ...] = (
    ("the inn is cheap", ["the inn is not cheap at all"]),  # orders, recall above precision
    ("the inn is not cheap at all", ["the inn is cheap"]),
    ("The Inn", ["the inn"]),  # case
    ("an inn , cheap .", ["an inn, cheap."]),  # punctuation is separated from words
    ('well-known "inn" (soma)!?', ["well known inn soma"]),
    ("a b", ["ab"]),  # spaces
    ("ab", ["abc"]),  # fewer orders than eight
    ("", ["an inn"]),
    ("zoo", ["an inn"]),
    ("the the the", ["the inn"]),  # repeats
    ("an inn", ["a pub", "an inn", "an inn in soma"]),  # the best reference
    ("caf\u00e9 10 \u20ac", ["cafe\u0301 10 \u20ac"]),  # letters beyond ASCII
)


def _sacrebleu_scores(batch: Batch) -> FloatArray:
    from sacrebleu.metrics.chrf import CHRF

    scorer = CHRF(word_order=2)
    return score_rows(lambda output, texts: scorer.corpus_score([output], [[text] for text in texts]).score, batch)


@register
@dataclass(frozen=True)
class ChrF(Metric):
    """Character (n to 6) and word (n to 2) n-grams shared with the best reference (chrF++).

    ``F = 100 * (1 + b^2) P R / (b^2 P + R)`` with b = 2, where P and R are the means of precision and recall over the
    orders that both texts have, at most eight. Computed by sacrebleu, on its scale: between 0 and 100, higher is
    better. Case counts, spaces do not. The best reference counts; an identical reference gives 100.

    System scores sum n-grams over outputs and best references, as sacrebleu with ``--chrf-word-order 2``.

    References
    ----------
    Popović, M. (2017). chrF++: words helping character n-grams. WMT.

    Post, M. (2018). A call for clarity in reporting BLEU scores. WMT.

    Examples
    --------
    >>> ChrF().score(Batch(["the inn is cheap"], [["the inn is not cheap", "no"]])).round(2).tolist()
    [[61.65]]
    """

    name = "chrf"
    plain = "Overlap of character and word n-grams with the best reference; tolerant of inflection."
    group = "word"
    columns = (Column("chrF++", True, 0.0, 100.0, short="character and word n-grams"),)
    needs = frozenset({"references"})
    system_columns = columns
    tools = (Tool("sacrebleu", ("chrF++",), _sacrebleu_scores),)

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            return compiled.chrf(*_encode_batch(batch, rows), BETA, batch.threads)
        return np.array(_sentence_scores(batch.pairs(rows)))[:, None]

    def compute_sums(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            return compiled.chrf_sums(*_encode_batch(batch, rows), BETA, batch.threads)
        return _chrf_sums(batch.pairs(rows))

    def score_sums(self, sums: FloatArray) -> FloatArray:
        counts = sums.reshape(*sums.shape[:-1], ORDERS, 3)
        outputs, references, matches = np.moveaxis(counts, -1, 0)
        missing = (outputs == 0) | (references == 0)
        orders = np.maximum((~missing).sum(axis=-1), 1)
        precision = np.where(missing, 0, matches / np.maximum(outputs, 1)).sum(axis=-1) / orders
        recall = np.where(missing, 0, matches / np.maximum(references, 1)).sum(axis=-1) / orders
        denominator = BETA**2 * precision + recall
        scores = 100 * (1 + BETA**2) * precision * recall / np.where(denominator > 0, denominator, 1)
        return np.asarray(scores)[..., None]

    def resources(self) -> dict[str, str]:
        return {"scorer": f"sacrebleu {_scorer_fingerprint()}"}


def _encode_batch(
    batch: Batch, rows: Sequence[int]
) -> tuple[compiled.Texts, compiled.Sets, compiled.Texts, compiled.Sets, IntArray, IntArray]:
    characters, words = (batch.encoded(step, rows) for step in (chrf_characters, chrf_words))
    return *characters[:2], *words


def _sentence_scores(pairs: Iterable[Pair]) -> list[float]:
    from sacrebleu.metrics.chrf import CHRF

    scorer = CHRF(word_order=2)
    return [scorer.sentence_score(output, references).score for output, references in pairs]


def _chrf_sums(pairs: Iterable[Pair]) -> FloatArray:
    """Return n-gram counts of output, best reference and their overlap by order, shape (rows, 24)."""
    from sacrebleu.metrics.chrf import CHRF

    counter = CHRF(word_order=2)
    prepared: dict[int, Any] = {}
    rows = []
    for output, references in pairs:
        if id(references) not in prepared:
            prepared[id(references)] = counter._extract_reference_info(references)
        rows.append(counter._compute_segment_statistics(output, prepared[id(references)]))
    return np.array(rows, dtype=float)


@cache
def _scorer_fingerprint() -> str:
    return fingerprint([round(score, 6) for score in _sentence_scores(PROBE)])


def chrf_characters(text: str) -> list[str]:
    """Return the characters of a text without whitespace, preserving case."""
    return list("".join(text.split()))


def chrf_words(text: str) -> list[str]:
    """Return the words of a text, one trailing or else leading ASCII punctuation mark split off."""
    return [part for word in text.split() for part in _split_punctuation(word)]


def _split_punctuation(word: str) -> tuple[str, ...]:
    if len(word) > 1 and word[-1] in punctuation:
        return word[:-1], word[-1]
    if len(word) > 1 and word[0] in punctuation:
        return word[0], word[1:]
    return (word,)
