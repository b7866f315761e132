"""Repetition within an output."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Metric, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.text.tokens.punctuation import ptb_words


@register
@dataclass(frozen=True)
class Repetition(Metric):
    """Shares of repeated bigrams and of immediately doubled words (repeated_bigrams, doubled_words).

    ``repeated_bigrams = 1 - distinct bigrams / bigrams`` is seq-rep-n of Welleck et al. (2020) with n = 2 instead of 4,
    as utterances are short. ``doubled_words``, the share of words equal to the previous word, is their rep/l with l =
    1, computed in the output itself. Between 0 and 1, lower is better. One word scores 0, no word NaN.

    References
    ----------
    Welleck, S., Kulikov, I., Roller, S., Dinan, E., Cho, K. and Weston, J. (2020). Neural text generation with
    unlikelihood training. ICLR.

    Examples
    --------
    >>> Repetition().score(Batch(["near the inn near the inn", "the the inn"])).round(2).tolist()
    [[0.4, 0.0], [0.0, 0.33]]
    """

    name = "repetition"
    plain = "How much the output repeats itself."
    group = "meaning"
    compares_words = True
    tokens = "ptb without punctuation"
    columns = make_columns(
        {
            ("repeated_bigrams", False, 0.0, 1.0, "repeated word pairs"): (
                "Share of adjacent word pairs that occurred earlier in the output."
            ),
            ("doubled_words", False, 0.0, 1.0, "doubled words"): "Share of words that repeat the previous word.",
        }
    )
    surface_only = True
    undefined = "the output has no word"

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            return compiled.repetition(*batch.encoded(ptb_words, rows), batch.threads)
        outputs = batch.preprocess(ptb_words)
        return np.array([_repetition_shares(outputs[row]) for row in rows])


def _repetition_shares(tokens: Sequence[str]) -> tuple[float, float]:
    if not tokens:
        return math.nan, math.nan
    bigrams = list(pairwise(tokens))
    doubled = sum(first == second for first, second in bigrams)
    return (1 - len(set(bigrams)) / len(bigrams) if bigrams else 0.0), doubled / len(tokens)
