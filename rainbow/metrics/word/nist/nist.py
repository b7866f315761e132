"""NIST."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.base.statistics import ByCollection, CompiledCounts
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch, References
from rainbow.metrics.contract.registry import register
from rainbow.metrics.word.nist.information import (
    HALVING_RATIO,
    ORDER,
    InformationWeights,
    mteval_tokens,
    nist,
    nist_published,
    quoted,
)

__all__ = ["CollectionWeights", "Nist", "nist_information"]


class CollectionWeights(ByCollection[InformationWeights]):
    """The information weights of each collection of rows."""

    part = InformationWeights


@register
@dataclass(frozen=True)
class Nist(Metric):
    """NIST of each output by itself: shared n-grams up to five tokens, weighted by the information they carry.

    The formula, length penalty and tokens of mteval-v13a (:func:`rainbow.metrics.word.nist.information.nist`). The
    information weights are counted in the references that the metric is fitted on, those of an item once. From 0 up,
    higher is better; what a perfect output scores depends on the weights, so compare only scores with the same
    signature.

    Parameters
    ----------
    as_published
        Take the LAST reference only and put every text between quotation marks, as for the tables of Novikova et al.
        (2017).
    statistics
        The information weights of every collection of rows; None until :meth:`fit`.

    References
    ----------
    Doddington, G. (2002). Automatic evaluation of machine translation quality using n-gram co-occurrence statistics.
    HLT.

    Examples
    --------
    >>> batch = Batch(["a cheap pub"], [["a cheap pub.", "a nice cafe."]])
    >>> Nist().fit(batch).score(batch).round(4).tolist()
    [[2.2339]]
    """

    as_published: bool = False
    statistics: CollectionWeights | None = None

    name = "nist"
    group = "word"
    columns = (Column("NIST", True, 0.0),)
    needs = frozenset({"references"})

    def fit(self, batch: Batch) -> Self:
        """Return the metric with the information weights of each collection's documents (:meth:`Batch.documents`)."""
        weights = {name: self._weights(documents) for name, documents in batch.documents().items()}
        return dataclasses.replace(self, statistics=CollectionWeights(weights))

    def _weights(self, documents: References) -> InformationWeights:
        if kernels():
            sets = documents.encoded(mteval_tokens)
            counted = compiled.InformationWeights(sets, documents.row_sets, ORDER, self.as_published)
            return InformationWeights(CompiledCounts(counted), counted.total)
        return InformationWeights.fit(self._segments(documents.prepared(mteval_tokens)))

    def _segments(self, documents: Iterable[list[list[str]]]) -> list[list[str]]:
        if self.as_published:
            return [quoted(texts[-1]) for texts in documents if texts]
        return [tokens for texts in documents for tokens in texts]

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        scores = np.empty((len(rows), 1))
        for collection, (places, chosen) in batch.by_collection(rows).items():
            weights = (self.statistics or CollectionWeights({}))[collection]
            if kernels():
                encoded, own = batch.encoded(mteval_tokens, chosen), weights.prepared(_compiled_weights)
                scores[places] = compiled.nist(*encoded, own, HALVING_RATIO, self.as_published, batch.threads)
            else:
                scores[places, 0] = self._plain_scores(batch, chosen, weights)
        return scores

    def _plain_scores(self, batch: Batch, rows: Sequence[int], weights: InformationWeights) -> list[float]:
        score = nist_published if self.as_published else nist
        outputs, references = batch.prepared(mteval_tokens), batch.references.prepared(mteval_tokens)
        return [score(outputs[row], references[row], weights) for row in rows]

    def resources(self) -> dict[str, str]:
        return {"tokens": "mteval-13a"}


def nist_information(batch: Batch, weights: CollectionWeights) -> FloatArray:
    """Return the information of the n-grams that each output shares with its references, shape (rows, orders)."""
    information = np.empty((len(batch), ORDER))
    for collection, (places, rows) in batch.by_collection(range(len(batch))).items():
        encoded, own = batch.encoded(mteval_tokens, rows), weights[collection].prepared(_compiled_weights)
        information[places] = compiled.nist_information(*encoded, own, batch.threads)
    return information


def _compiled_weights(weights: InformationWeights) -> compiled.InformationWeights:
    if isinstance(weights.counts, CompiledCounts):
        source: compiled.InformationWeights = weights.counts.source
        return source
    return compiled.InformationWeights(weights.total, weights.order, dict(weights.counts))
