"""chrF++: characters and words in common with a reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from rainbow.metrics.base import Column, FloatArray, Metric
from rainbow.metrics.batch import Batch
from rainbow.metrics.registry import register

__all__ = ["ChrF"]


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
        from sacrebleu.metrics.chrf import CHRF

        scorer = CHRF(word_order=2)
        return np.array([[scorer.sentence_score(batch.outputs[row], batch.references[row]).score] for row in rows])

    def resources(self) -> dict[str, str]:
        return {"sacrebleu": version("sacrebleu")}
