"""Grammar-based: misspelled words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.base.caching import cache_by_size
from rainbow.meaning import MeaningRepresentation
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.metrics.contract.tool import Tool
from rainbow.metrics.grammar.misspellings.spelling import (
    misspelled,
    misspelled_stems,
    right_by_rule,
    stems,
    word_list_fingerprint,
)
from rainbow.text.tokens.token_ids import encode_tokens


def _pyspellchecker(batch: Batch) -> FloatArray:
    return np.array([[float(sum(map(_unknown, stems(text))))] for text in batch.outputs])


def _right_to_us(batch: Batch) -> BoolArray:
    """Return the rows with a word that pyspellchecker does not know and that counts as right here."""
    rows = [(stems(text), set(stems(_meant(batch, row))), text) for row, text in enumerate(batch.outputs)]
    return np.array(
        [
            not text.isascii()
            or any(_unknown(word) and (word in meant or right_by_rule(word)) for word in words)
            or any(mark in text for mark in "'’")
            for words, meant, text in rows
        ]
    )


@cache_by_size(1 << 20)
def _unknown(word: str) -> bool:
    return bool(_checker().unknown([word]))


@cache
def _checker() -> Any:
    from spellchecker import SpellChecker

    return SpellChecker(distance=1)


@register
@dataclass(frozen=True)
class Misspellings(Metric):
    """Number of words that are misspelled: absent from the word list of pyspellchecker (msp)."""

    as_published: bool = False

    name = "misspellings"
    plain = "How many words stand in no English word list."
    group = "grammar"
    columns = (Column("msp", False, 0.0, short="misspelt words"),)
    surface_only = True
    tools = (
        Tool(
            "pyspellchecker",
            ("msp",),
            _pyspellchecker,
            "here values of the meaning representation, words with digits, British spellings and contractions are "
            "right",
            _right_to_us,
        ),
    )

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        meant = ["" if self.as_published else _meant(batch, row) for row in rows]
        if kernels():
            accepted = encode_tokens(stems, meant)
            words = encode_tokens(misspelled_stems, [batch.outputs[row] for row in rows], accepted.vocabulary)
            return compiled.absent_words(words, accepted)
        found = [misspelled(batch.outputs[row], (known,)) for row, known in zip(rows, meant, strict=True)]
        return np.array([[float(len(misspelled_words))] for misspelled_words in found])

    def resources(self) -> Mapping[str, str]:
        return {"words": f"pyspellchecker {word_list_fingerprint()}"}


def _meant(batch: Batch, row: int) -> str:
    """Return the values of a row's meaning representation, of triples the subjects too; free text as it is."""
    meaning = batch.meanings[row]
    return batch.mrs[row] if meaning is None else _values(meaning)


@cache_by_size(1 << 20)
def _values(meaning: MeaningRepresentation) -> str:
    return " ".join(text for slot in meaning.slots for text in (slot.value, slot.subject))
