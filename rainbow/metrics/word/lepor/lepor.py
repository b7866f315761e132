"""LEPOR and hLEPOR."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Metric, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool, differs_by_text, score_rows
from rainbow.metrics.contract.registry import register
from rainbow.metrics.word.lepor.lepor_factors import hlepor, lepor, published_lepor
from rainbow.text.tokens.ptb import ptb_tokens


def _hlepor_scores(batch: Batch) -> FloatArray:
    score = import_hlepor().single_hlepor_score

    def best(output: str, references: Sequence[str]) -> float:
        tokens = " ".join(ptb_tokens(output))
        texts = [" ".join(ptb_tokens(reference)) for reference in references]
        return max(float(score(text, tokens, separate_punctuation=False)) for text in texts)

    return score_rows(best, batch)


def import_hlepor() -> Any:
    """Import hLepor without nltk's sentence splitter and type hints, which it does not need here."""
    import sys
    from types import SimpleNamespace
    from unittest.mock import patch

    subscripted = type("NDArray", (), {"__class_getitem__": classmethod(lambda cls, _: cls)})
    hints: Any = SimpleNamespace(NDArray=subscripted)
    missing = "nptyping" not in sys.modules
    sys.modules.setdefault("nptyping", hints)
    try:
        with patch("nltk.download"):
            from hlepor import hlepor as module
    finally:  # only this module: others imported meanwhile cannot be imported twice
        if missing:
            del sys.modules["nptyping"]
    return module


def _has_repeated_word(text: str) -> bool:
    return len({*ptb_tokens(text)}) < len(ptb_tokens(text))


@register
@dataclass(frozen=True)
class Lepor(Metric):
    """LEPOR and hLEPOR: length, word order, precision and recall combined, best over references.

    LEPOR is the product of the factors, hLEPOR their weighted harmonic mean; see
    :mod:`rainbow.metrics.word.lepor.lepor_factors` for the formulas. Both are between 0 and 1, higher is better.

    Parameters
    ----------
    alpha, beta : float
        Positive weights of recall and of precision.
    weights : tuple of float
        Positive weights in hLEPOR of length, word order, and the mean of precision and recall.
    as_published : bool
        Compute the column LEPOR as the program of 2012 does: FIRST reference only, split at spaces.

    References
    ----------
    Han, A. L. F., Wong, D. F. and Chao, L. S. (2012). LEPOR: a robust evaluation metric for machine translation with
    augmented factors. COLING 2012: Posters.

    Han, A. L. F. et al. (2013). Language-independent model for machine translation evaluation with reinforced factors.
    MT Summit XIV.

    Examples
    --------
    >>> Lepor().score(Batch(["x is a cheap pub near y"], [["x is a pub near y", "near y"]])).round(4).tolist()
    [[0.8075, 0.9514]]
    """

    alpha: float = 9.0
    beta: float = 1.0
    weights: tuple[float, float, float] = (2.0, 1.0, 7.0)
    as_published: bool = False

    name = "lepor"
    plain = "Whether the output has the words of a reference, in its order and at its length, as one number."
    group = "word"
    columns = make_columns(
        0.0,
        1.0,
        ("LEPOR", True, "words, order and length", plain),
        (
            "hLEPOR",
            True,
            "words, order and length, weighted",
            "The same as LEPOR, but word matches count more than order and length.",
        ),
    )
    needs = frozenset({"references"})
    compares_words = True
    tokens = "ptb"
    tools = (
        Tool(
            "hLepor",
            ("hLEPOR",),
            _hlepor_scores,
            "the hLepor package aligns repeated words differently",
            differs_by_text(_has_repeated_word),
        ),
    )

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        values = self._compute_scores(batch, rows)
        if self.as_published:
            values[:, 0] = [
                published_lepor(batch.outputs[row].lower().split(), batch.references[row][0].lower().split())
                for row in rows
            ]
        return values

    def _compute_scores(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            texts = batch.encoded(ptb_tokens, rows)
            return compiled.lepor(*texts, self.alpha, self.beta, self.weights, batch.threads)
        return np.array([self._scores(*tokens) for tokens in batch.pairs(rows, ptb_tokens)])

    def _scores(self, output: list[str], references: list[list[str]]) -> tuple[float, float]:
        return (
            lepor(output, references, alpha=self.alpha, beta=self.beta),
            hlepor(output, references, alpha=self.alpha, beta=self.beta, weights=self.weights),
        )
