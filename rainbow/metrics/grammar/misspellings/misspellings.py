"""Grammar-based: misspelled words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import filterfalse
from typing import Any

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.base.caching import cache_by_size
from rainbow.base.native import compiled, kernels
from rainbow.meaning import MeaningRepresentation
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool
from rainbow.metrics.contract.registry import register
from rainbow.metrics.grammar.misspellings.spelling import (
    WELL_LISTED,
    is_accepted_by_rule,
    misspelled_stems,
    spelling,
    stems,
    word_list_fingerprint,
)
from rainbow.text.languages.detection import ENGLISH
from rainbow.text.tokens.token_ids import encode_tokens


def _pyspellchecker_scores(batch: Batch) -> FloatArray:
    return np.array([[float(sum(map(_is_unknown, stems(text))))] for text in batch.outputs])


def _differs_by_design(batch: Batch) -> BoolArray:
    """Return which rows have a word unknown to pyspellchecker that RAINBOW accepts."""
    rows = [(stems(text), set(stems(_meaning_text(batch, row))), text) for row, text in enumerate(batch.outputs)]
    return np.array(
        [
            not text.isascii()
            or any(_is_unknown(word) and (word in meant or is_accepted_by_rule(word)) for word in words)
            or any(mark in text for mark in "'’")
            for words, meant, text in rows
        ]
    )


@cache_by_size(1 << 20)
def _is_unknown(word: str) -> bool:
    return bool(_spell_checker().unknown([word]))


@cache
def _spell_checker() -> Any:
    from spellchecker import SpellChecker

    return SpellChecker(distance=1)


@register
@dataclass(frozen=True)
class Misspellings(Metric):
    """Number of misspelled words: words absent from the word list of pyspellchecker (msp).

    Repeated words count each time. Values of the row's meaning representation (all its words if it is free text) count
    as correct. At least 0, lower is better.

    Other languages have no rules for endings, and an apostrophe ends a word, as in French *l'hôtel*. The lists of
    Spanish, Russian and Persian lack 23 to 30 % of the running words of correct texts, so these are missing.

    Parameters
    ----------
    as_published : bool
        Count names too, as in the published column of Novikova et al. (2017).
    language : str
        Code of the language of the outputs.

    Examples
    --------
    >>> batch = Batch(["the zazou restaurnat"], inputs=["inform(name=zazou)"])
    >>> Misspellings().score(batch).tolist(), Misspellings(as_published=True).score(batch).tolist()
    ([[1.0]], [[2.0]])
    >>> Misspellings(language="fr").score(Batch(["l'hôtel est ouvvert"])).tolist()
    [[1.0]]
    """

    as_published: bool = False
    language: str = ENGLISH

    name = "misspellings"
    plain = "Number of words that are not in a word list of the language."
    group = "grammar"
    columns = (Column("msp", False, 0.0, short="misspelt words"),)
    surface_only = True
    languages = WELL_LISTED
    tools = (
        Tool(
            "pyspellchecker",
            ("msp",),
            _pyspellchecker_scores,
            (
                "here values of the meaning representation, words with digits, British spellings and contractions "
                "count as correct"
            ),
            _differs_by_design,
        ),
    )

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        meant = ["" if self.as_published else _meaning_text(batch, row) for row in rows]
        outputs = [batch.outputs[row] for row in rows]
        known, misspelled = stems, misspelled_stems
        if self.language != ENGLISH:
            known, misspelled = spelling(self.language).words, spelling(self.language).misspelled
        if kernels():
            accepted = encode_tokens(known, meant)
            return compiled.absent_words(encode_tokens(misspelled, outputs, accepted.vocabulary), accepted)
        results = [
            [*filterfalse({*known(mr)}.__contains__, misspelled(text))] for text, mr in zip(outputs, meant, strict=True)
        ]
        return np.array([[float(len(words))] for words in results])

    def resources(self) -> Mapping[str, str]:
        return {"words": f"pyspellchecker {word_list_fingerprint(self.language)}"}


def _meaning_text(batch: Batch, row: int) -> str:
    """Return the slot values and subjects of a row's meaning representation; free text unchanged."""
    meaning = batch.meanings[row]
    return batch.mrs[row] if meaning is None else _values(meaning)


@cache_by_size(1 << 20)
def _values(meaning: MeaningRepresentation) -> str:
    return " ".join(text for slot in meaning.slots for text in (slot.value, slot.subject))
