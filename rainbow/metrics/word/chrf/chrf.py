"""chrF++: characters and words in common with a reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.fingerprint import fingerprint
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.metrics.word.chrf.chrf_units import chrf_characters, chrf_words

__all__ = ["ChrF", "chrf_counts"]

BETA = 2.0  # the weight of recall against precision

Pair = tuple[str, Sequence[str]]

# A pair for everything that releases of the scorer could treat in another way.
PROBE: tuple[Pair, ...] = (
    ("the inn is cheap", ["the inn is not cheap at all"]),  # orders, recall above precision
    ("the inn is not cheap at all", ["the inn is cheap"]),
    ("The Inn", ["the inn"]),  # case
    ("an inn , cheap .", ["an inn, cheap."]),  # punctuation is taken off words
    ('well-known "inn" (soma)!?', ["well known inn soma"]),
    ("a b", ["ab"]),  # blanks
    ("ab", ["abc"]),  # fewer orders than eight
    ("", ["an inn"]),
    ("zoo", ["an inn"]),
    ("the the the", ["the inn"]),  # repeats
    ("an inn", ["a pub", "an inn", "an inn in soma"]),  # the best reference
    ("caf\u00e9 10 \u20ac", ["cafe\u0301 10 \u20ac"]),  # letters beyond ASCII
)


@register
@dataclass(frozen=True)
class ChrF(Metric):
    """The n-grams of characters (n to 6) and of words (n to 2) in common with the best reference (chrF++).

    ``F = 100 * (1 + b^2) P R / (b^2 P + R)`` with b = 2, where P and R are the means of precision and recall over the
    eight orders that both texts have. Computed by sacrebleu and on its scale: between 0 and 100, higher is better.
    Case counts, blanks do not; the reference with the highest score counts. An identical reference gives 100.

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
    group = "word"
    columns = (Column("chrF++", True, 0.0, 100.0),)
    needs = frozenset({"references"})

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            return compiled.chrf(*_encoded(batch, rows), BETA, batch.threads)
        return np.array([[score] for score in _scores([(batch.outputs[row], batch.references[row]) for row in rows])])

    def resources(self) -> dict[str, str]:
        return {"scorer": f"sacrebleu {_scorer_fingerprint()}"}


def chrf_counts(batch: Batch) -> FloatArray:
    """Return the n-grams of each output, of its best reference and in common, by order, shape (rows, 24)."""
    return compiled.chrf_counts(*_encoded(batch, range(len(batch))), BETA, batch.threads)


def _encoded(
    batch: Batch, rows: Sequence[int]
) -> tuple[compiled.Texts, compiled.Sets, compiled.Texts, compiled.Sets, IntArray, IntArray]:
    characters, words = (batch.encoded(step, rows) for step in (chrf_characters, chrf_words))
    return *characters[:2], *words


def _scores(pairs: Iterable[Pair]) -> list[float]:
    from sacrebleu.metrics.chrf import CHRF

    scorer = CHRF(word_order=2)
    return [scorer.sentence_score(output, references).score for output, references in pairs]


@cache
def _scorer_fingerprint() -> str:
    return fingerprint([round(score, 6) for score in _scores(PROBE)])
