"""Grammar-based: frequency in English of the words of an output."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.fingerprint import file_sha256
from rainbow.metrics.contract.base import ENGLISH_ONLY, Column, Metric, MissingResourceError
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register

# Frequency of unknown words: a tenth of the smallest in the list.
UNKNOWN = 1e-9


@register
@dataclass(frozen=True)
class WordFrequency(Metric):
    """Sum and mean of the log frequencies of an output's words in English, from wordfreq.

    Unknown words have frequency 1e-9, a tenth of the list's minimum. At most 0, no direction. NaN for an output without
    a word.

    The sum correlates with the parser score `prs` on the outputs of Novikova et al. (2017) (Spearman -.93), as both
    depend mostly on length, then on the rarity of words, but it takes only microseconds. **It does not measure
    grammaticality**: word order has no effect.

    Install the frequency lists with ``pip install 'rainbow-nlg[parse]'``.

    References
    ----------
    Speer, R. (2022). rspeer/wordfreq: v3.0. Zenodo.

    Examples
    --------
    >>> WordFrequency().score(Batch(["the inn", "inn the"])).round(2).tolist()  # doctest: +SKIP
    [[-13.88, -6.94], [-13.88, -6.94]]
    """

    name = "word-frequency"
    plain = "How common the words of the output are in English."
    group = "grammar"
    no_tool = "the frequencies come from wordfreq itself"
    columns = (
        Column(
            "word_frequency_sum",
            None,
            -math.inf,
            0.0,
            short="common words, sum",
            plain="Summed log frequency of the words of the output in English: more words, a lower number.",
        ),
        Column(
            "word_frequency_mean",
            None,
            -math.inf,
            0.0,
            short="common words, mean",
            plain="Mean log frequency of the words of the output in English.",
        ),
    )
    needs = frozenset({"extra"})
    surface_only = True
    languages = ENGLISH_ONLY
    undefined = "the output has no word"

    @classmethod
    def unavailable(cls) -> str | None:
        return None if find_spec("wordfreq") else "wordfreq is not installed: pip install 'rainbow-nlg[parse]'"

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        """Return sum and mean, shape (rows, 2)."""
        if missing := self.unavailable():
            raise MissingResourceError(f"{self.name}: {missing}")
        logs = batch.preprocess(log_frequencies)
        return np.array(
            [
                (math.fsum(logs[row]), math.fsum(logs[row]) / len(logs[row])) if logs[row] else (math.nan,) * 2
                for row in rows
            ]
        )

    def resources(self) -> Mapping[str, str]:
        return {"words": f"wordfreq large_en {_frequency_digest()}", "unknown": str(UNKNOWN)}


def log_frequencies(text: str) -> list[float]:
    """Return the natural log frequency of every word of a text."""
    from wordfreq import word_frequency
    from wordfreq.tokens import tokenize

    return [math.log(word_frequency(word, "en", "large", UNKNOWN)) for word in tokenize(text, "en")]


@cache
def _frequency_digest() -> str:
    package = find_spec("wordfreq")
    for folder in package.submodule_search_locations or () if package else ():
        return file_sha256(Path(folder, "data", "large_en.msgpack.gz"))[:12]
    return "not installed"
