"""Grammar-based: reading ease and counts of characters, words and syllables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Metric, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool, differs_by_output
from rainbow.metrics.contract.registry import register
from rainbow.metrics.grammar.readability.other_languages import (
    HYPHENATED,
    READING_EASE,
    SPACED,
    counter,
    hyphenation_digest,
)
from rainbow.metrics.grammar.readability.surface_counts import count_surface, table_digest
from rainbow.text.languages.detection import ENGLISH

_WITH_SYLLABLES = HYPHENATED | {ENGLISH}


def _textstat_scores(batch: Batch) -> FloatArray:
    from textstat import textstat

    letters = [textstat.letter_count(text) + text.count("'") for text in batch.outputs]
    words = [textstat.lexicon_count(text, removepunct=False) for text in batch.outputs]
    return np.array([(a, b, a / b if b else math.nan) for a, b in zip(letters, words, strict=True)], dtype=float)


def _textstat_syllables(batch: Batch) -> FloatArray:
    from textstat import textstat

    rows = []
    for text in batch.outputs:
        words, syllables = textstat.lexicon_count(text, removepunct=False), textstat.syllable_count(text)
        polysyllables = textstat.polysyllabcount(text)
        ratios = (syllables / words, polysyllables / words) if words else (math.nan, math.nan)
        rows.append((textstat.flesch_reading_ease(text), syllables, ratios[0], polysyllables, ratios[1]))
    return np.array(rows, dtype=float)


def _missing_dictionary() -> str | None:
    """Return why textstat would have to download a dictionary, or None."""
    import nltk

    try:
        nltk.data.find("corpora/cmudict")
    except LookupError:
        return "textstat would download a syllable dictionary: run python -m nltk.downloader cmudict"
    return None


@register
@dataclass(frozen=True)
class Readability(Metric):
    """Flesch reading ease of the output and the counts behind it (Novikova et al. 2017).

    - `RE`: Flesch reading ease, ``206.835 - 1.015 W - 84.6 sps / W`` over the W words that are not numbers; the output
      counts as one sentence;
    - `len`, `cpw`: characters (letters, digits, apostrophes), in total and per word;
    - `wps`: words, separated by spaces;
    - `sps`, `spw`: syllables, in total and per word;
    - `pol`, `ppw`: words of three syllables or more, and their share.

    RE is NaN for a text without a word; cpw, spw and ppw are NaN for an empty one.

    In other languages RE is the formula made for the language (Amstad 1978 for German, Fernández Huerta 1959 for
    Spanish, Kandel and Moles 1958 for French, Franchina and Vacca 1986 for Italian, Douma 1960 for Dutch, Oborneva 2006
    for Russian), characters are those of any script, and syllables are what pyphen's hyphenation patterns separate, as
    in textstat. These patterns split off no single letter, so that some syllables are missed (docs/languages.md).

    Parameters
    ----------
    as_published : bool
        Round ratios to three decimals, as in the published columns.
    language : str
        Code of the language of the outputs.

    References
    ----------
    Flesch, R. (1948). A new readability yardstick. Journal of Applied Psychology 32(3).
    Novikova, J., Dušek, O., Cercas Curry, A. and Rieser, V. (2017). Why we need new evaluation metrics for NLG. EMNLP.

    Examples
    --------
    >>> Readability().score(Batch(["The inn is cheap."])).round(2).tolist()
    [[118.18, 13.0, 3.25, 4.0, 4.0, 1.0, 0.0, 0.0]]
    """

    as_published: bool = False
    language: str = ENGLISH

    name = "readability"
    plain = "Length of the output and its words, and how easy they make it to read."
    group = "grammar"
    columns = (
        *make_columns(
            {
                ("RE", True, -math.inf, 206.835, "reading ease"): (
                    "Flesch reading ease: higher for short sentences and short words."
                )
            },
            frozenset({ENGLISH, *READING_EASE}),
        ),
        *make_columns(
            {("len", None, 0.0, math.inf, "length in characters"): "Number of letters, digits and apostrophes."}
        ),
        *make_columns(
            {
                ("cpw", None, 0.0, math.inf, "letters per word"): "Mean number of letters per word.",
                ("wps", None, 0.0, math.inf, "length in words"): "Number of words (the output is one sentence).",
            },
            SPACED,
        ),
        *make_columns(
            {
                ("sps", None, 0.0, math.inf, "syllables"): "Number of syllables (the output is one sentence).",
                ("spw", None, 0.0, math.inf, "syllables per word"): "Mean number of syllables per word.",
                ("pol", None, 0.0, math.inf, "long words"): "Number of words with three or more syllables.",
                ("ppw", None, 0.0, 1.0, "share of long words"): "Share of words with three or more syllables.",
            },
            _WITH_SYLLABLES,
        ),
    )
    surface_only = True
    undefined = "the output has no word"
    tools = (
        Tool(
            "textstat",
            ("len", "wps", "cpw"),
            _textstat_scores,
            "textstat counts as a letter everything except spaces and ASCII punctuation; here only a to z, "
            "digits, apostrophes and letters without their accents count",
            differs_by_output(lambda output: not output.isascii()),
        ),
        Tool(
            "textstat",
            ("RE", "sps", "spw", "pol", "ppw"),
            _textstat_syllables,
            "textstat counts syllables with another dictionary and splits texts into sentences; here an output "
            "is one sentence",
            differs_by_output(lambda _: True),
            missing=_missing_dictionary,
        ),
    )

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        values = _readability_scores(batch, rows, self.language)
        return np.column_stack([values[:, :1], values[:, 1:].round(3)]) if self.as_published else values

    def resources(self) -> Mapping[str, str]:
        if self.language == ENGLISH:
            return {"syllables": table_digest()}
        return {"syllables": f"pyphen {hyphenation_digest(self.language)}"} if self.language in HYPHENATED else {}


def _readability_scores(batch: Batch, rows: Sequence[int], language: str) -> FloatArray:
    if language != ENGLISH:
        counts, ease = batch.preprocess(counter(language).count), READING_EASE.get(language)
        values = [counts[row].measures(ease.score(counts[row]) if ease else math.nan) for row in rows]
        known = [not column.languages or language in column.languages for column in Readability.columns]
        return np.where(known, np.array(values, dtype=float), math.nan)
    if kernels():
        return _surface_kernel().measures([batch.outputs[row] for row in rows])
    counts = batch.preprocess(count_surface)
    return np.array([counts[row].measures(counts[row].reading_ease) for row in rows], dtype=float)


@lru_cache(maxsize=1)
def _surface_kernel() -> compiled.Surface:
    return compiled.Surface(count_surface)
