"""Grammar-based: frequency of the words of an output in its language."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.fingerprint import file_sha256
from rainbow.metrics.contract.base import Metric, MissingResourceError, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.text.languages.detection import ENGLISH, languages_with

_LISTS = {"hr": "sh", "no": "nb", "sr": "sh"}  # name of the list, where it is not the code
# Frequency of unknown words: a tenth of the smallest in the list.
UNKNOWN = 1e-9


@register
@dataclass(frozen=True)
class WordFrequency(Metric):
    """Sum and mean of the log frequencies of an output's words in its language, from wordfreq.

    Unknown words have frequency 1e-9, a tenth of the list's minimum. At most 0, no direction. NaN for an output without
    a word.

    The sum correlates with the parser score `prs` on the outputs of Novikova et al. (2017) (Spearman -.93), as both
    depend mostly on length, then on the rarity of words, but it takes only microseconds. **It does not measure
    grammaticality**: word order has no effect.

    Install the frequency lists with ``pip install 'rainbow-nlg[parse]'``.

    Parameters
    ----------
    language : str
        Code of the language of the outputs.

    References
    ----------
    Speer, R. (2022). rspeer/wordfreq: v3.0. Zenodo.

    Examples
    --------
    >>> WordFrequency().score(Batch(["the inn", "inn the"])).round(2).tolist()  # doctest: +SKIP
    [[-13.88, -6.94], [-13.88, -6.94]]
    """

    language: str = ENGLISH

    name = "word-frequency"
    plain = "How common the words of the output are in its language."
    group = "grammar"
    no_tool = "the frequencies come from wordfreq itself"
    columns = make_columns(
        {
            ("word_frequency_sum", None, -math.inf, 0.0, "common words, sum"): (
                "Summed log frequency of the words of the output in its language: more words, a lower number."
            ),
            ("word_frequency_mean", None, -math.inf, 0.0, "common words, mean"): (
                "Mean log frequency of the words of the output in its language."
            ),
        }
    )
    needs = frozenset({"extra"})
    surface_only = True
    languages = languages_with("word_frequencies")
    undefined = "the output has no word"

    @classmethod
    def unavailable(cls) -> str | None:
        return None if find_spec("wordfreq") else "wordfreq is not installed: pip install 'rainbow-nlg[parse]'"

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if missing := self.unavailable():
            raise MissingResourceError(f"{self.name}: {missing}")
        logs = batch.preprocess(log_frequencies if self.language == ENGLISH else _counter(self.language))
        sums = [(math.fsum(logs[row]), len(logs[row])) for row in rows]
        return np.array([(total, total / words) if words else (math.nan, math.nan) for total, words in sums])

    def resources(self) -> Mapping[str, str]:
        size = "large" if self.language == ENGLISH else "best"
        digest = _frequency_digest(self.language, size)
        return {"words": f"wordfreq {size}_{self.language} {digest}", "unknown": str(UNKNOWN)}


@cache
def _counter(language: str) -> Callable[[str], list[float]]:
    return partial(log_frequencies, language=_LISTS.get(language, language), size="best")


def log_frequencies(text: str, language: str = ENGLISH, size: str = "large") -> list[float]:
    """Return the natural log frequency of every word of a text."""
    from wordfreq import word_frequency
    from wordfreq.tokens import tokenize

    return [math.log(word_frequency(word, language, size, UNKNOWN)) for word in tokenize(text, language)]


@cache
def _frequency_digest(language: str, size: str) -> str:
    if find_spec("wordfreq") is None:
        return "not installed"
    from wordfreq import available_languages

    return file_sha256(Path(available_languages(size)[_LISTS.get(language, language)]))[:12]
