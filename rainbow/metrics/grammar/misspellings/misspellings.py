"""Grammar-based: misspelled words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.meaning import MeaningRepresentation, parse
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.metrics.grammar.misspellings.spelling import misspelled, misspelled_stems, stems, word_list_fingerprint
from rainbow.text.tokens.encode import encode

__all__ = ["Misspellings"]


@register
@dataclass(frozen=True)
class Misspellings(Metric):
    """Number of words that are misspelled: absent from the word list of pyspellchecker (msp).

    Repeats count. The values of the row's meaning representation are spelled right by definition. From 0 up, lower
    is better.

    Parameters
    ----------
    as_published
        Count names too, as the stored column of Novikova et al. (2017) does.

    Examples
    --------
    >>> batch = Batch(["the zazou restaurnat"], mrs=["inform(name=zazou)"])
    >>> Misspellings().score(batch).tolist(), Misspellings(as_published=True).score(batch).tolist()
    ([[1.0]], [[2.0]])
    """

    as_published: bool = False

    name = "misspellings"
    group = "grammar"
    columns = (Column("msp", False, 0.0),)
    surface_only = True

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            values = [_slot_values("" if self.as_published else batch.mrs[row]) for row in rows]
            accepted = encode(stems, values)
            words = encode(misspelled_stems, [batch.outputs[row] for row in rows], accepted.vocabulary)
            return compiled.absent_words(words, accepted)
        return np.array(
            [[float(len(misspelled(batch.outputs[row], self._accepted(batch.meanings[row]))))] for row in rows]
        )

    def _accepted(self, meaning: MeaningRepresentation | None) -> tuple[str, ...]:
        return () if meaning is None or self.as_published else tuple(slot.value for slot in meaning.slots)

    def resources(self) -> Mapping[str, str]:
        return {"words": f"pyspellchecker {word_list_fingerprint()}"}


@lru_cache(maxsize=1 << 16)
def _slot_values(mr: str) -> str:
    return " ".join(slot.value for slot in parse(mr).slots) if mr else ""
