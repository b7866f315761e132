"""CIDEr and CIDEr-D: n-grams shared with the references, weighted by tf-idf."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.corpus_statistics import CompiledCounts
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Column, Metric, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import (
    SPLIT_TOKENS,
    Tool,
    coco_scores,
    differs_by_output,
    rows_with_split_tokens,
)
from rainbow.metrics.contract.registry import register
from rainbow.text.ngrams.document_frequencies import CollectionFrequencies, DocumentFrequencies
from rainbow.text.ngrams.ngram_counts import LONGEST, Ngram, NgramCounts, ngram_counts
from rainbow.text.tokens.ptb import ptb_tokens

SCALE = 10.0  # scale factor of Vedantam et al.
SIGMA = 6.0  # standard deviation, in tokens, of the length penalty of CIDEr-D


@register
@dataclass(frozen=True)
class Cider(Metric):
    """CIDEr and CIDEr-D: tf-idf n-gram cosines averaged over n = 1 to 4 and references, times 10.

    Let h and r be the tf-idf vectors of an output and a reference: n-gram count times the log of the number of
    documents divided by the number of documents that contain the n-gram.

    - CIDEr: ``h . r / (|h| |r|)``, as defined in the paper, but without stemming.
    - CIDEr-D: ``exp(-(length of output - length of reference)^2 / (2 * 6^2)) * min(h, r) . r / (|h| |r|)``, robust
      against repeated informative words. **The MS-COCO tools report this as CIDEr.**

    Between 0 and 10, higher is better. A text of fewer than four tokens has no 4-grams and cannot reach 10, even if it
    equals its reference. NaN if the statistics cover only one document: all weights are then log(1 / 1) = 0.

    A document is the set of all references of one item. Document frequencies are fitted (:meth:`fit`), never taken from
    the scored rows, so a score does not depend on the other rows.

    A system has the mean of its outputs; its CIDEr-D is named CIDEr, as in published tables.

    Parameters
    ----------
    as_published : bool
        Report CIDEr-D in the column CIDEr, as in tables made by the MS-COCO tools.
    statistics : DocumentFrequencies, optional
        Document frequencies of each collection; None until :meth:`fit`.

    References
    ----------
    Vedantam, R., Zitnick, C. L. and Parikh, D. (2015). CIDEr: consensus-based image description evaluation. CVPR.

    Examples
    --------
    >>> batch = Batch(["the inn is cheap", "a bar"], [["the inn is not cheap"], ["the bar is cheap"]])
    >>> Cider().fit(batch).score(batch).round(2).tolist()
    [[4.23, 4.17], [1.77, 1.67]]
    """

    as_published: bool = False
    statistics: DocumentFrequencies | None = None

    name = "cider"
    plain = "Overlap of n-grams with the references, where rare n-grams count more than common ones."
    group = "word"
    columns = make_columns(
        {
            ("CIDEr", True, 0.0, SCALE, "weighted n-grams, CIDEr"): plain,
            ("CIDErD", True, 0.0, SCALE, "weighted n-grams, CIDEr-D"): (
                "The same as CIDEr, but repeating an n-gram or exceeding the length of the references gains nothing."
            ),
        }
    )
    needs = frozenset({"references"})
    compares_words = True
    tokens = "ptb"
    system_columns = (Column("CIDEr_cosine", True, 0.0, SCALE), Column("CIDEr", True, 0.0, SCALE))
    undefined = "the corpus statistics of its collection cover only one document, so no n-gram has a weight"
    tools = (
        Tool("pycocoevalcap", ("CIDErD",), partial(coco_scores, "cider"), SPLIT_TOKENS, rows_with_split_tokens),
        Tool(
            "pycocoevalcap",
            ("CIDEr",),
            partial(coco_scores, "cider"),
            "the MS-COCO tools report CIDEr-D as CIDEr, with clipped counts and a length penalty",
            differs_by_output(lambda _: True),
        ),
    )

    def fit(self, batch: Batch) -> Self:
        """Return the metric with document frequencies of each collection (:meth:`Batch.documents`)."""
        documents = batch.documents()
        if kernels():
            counted = [
                (name, compiled.DocumentFrequencies(sets.encoded(ptb_tokens), sets.row_sets))
                for name, sets in documents.items()
            ]
            statistics = DocumentFrequencies(
                {
                    name: CollectionFrequencies(own.documents, CompiledCounts(own))
                    for name, own in counted
                    if own.documents
                }
            )
        else:
            prepared = {name: sets.preprocess(ptb_tokens, ngram_counts) for name, sets in documents.items()}
            statistics = DocumentFrequencies.count(prepared)
        return dataclasses.replace(self, statistics=statistics)

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        scores = np.full((len(rows), len(self.columns)), np.nan)
        for collection, (places, chosen) in batch.group_by_collection(rows).items():
            if (frequencies := (self.statistics or DocumentFrequencies({}))[collection]).documents > 1:
                scores[places] = (_compiled_scores if kernels() else _python_scores)(batch, chosen, frequencies)
        return scores[:, [1, 1]] if self.as_published else scores


def _compiled_scores(batch: Batch, rows: Sequence[int], frequencies: CollectionFrequencies) -> FloatArray:
    encoded = batch.encoded(ptb_tokens, rows)
    weights = frequencies.cached(_compiled_frequencies)
    # The norms of reference vectors are cached with the references.
    weighted = batch.references.kept(weights, lambda: compiled.WeightedSets(encoded.references, weights))
    return compiled.cider(*encoded, weighted, SIGMA, SCALE, batch.threads)


def _compiled_frequencies(frequencies: CollectionFrequencies) -> compiled.DocumentFrequencies:
    if isinstance(frequencies.counts, CompiledCounts):
        source: compiled.DocumentFrequencies = frequencies.counts.source
        return source
    return compiled.DocumentFrequencies(frequencies.documents, dict(frequencies.counts))


def _python_scores(batch: Batch, rows: Sequence[int], frequencies: CollectionFrequencies) -> FloatArray:
    outputs = batch.preprocess(ptb_tokens, ngram_counts)
    references = batch.references.preprocess(ptb_tokens, ngram_counts)
    # Rows with the same references share one list, so their vectors are computed once and freed early.
    groups: dict[int, list[int]] = {}
    for position, row in enumerate(rows):
        groups.setdefault(id(references[row]), []).append(position)
    scores = np.empty((len(rows), 2))
    for positions in groups.values():
        of_references = [_tf_idf_vector(counts, frequencies) for counts in references[rows[positions[0]]]]
        for position in positions:
            scores[position] = _output_scores(_tf_idf_vector(outputs[rows[position]], frequencies), of_references)
    return scores


class _Vector(NamedTuple):
    """tf-idf weights of a text's n-grams and their norm, per order, and the number of tokens."""

    weights: tuple[Mapping[Ngram, float], ...]
    norms: tuple[float, ...]
    tokens: int


def _tf_idf_vector(counts: NgramCounts, frequencies: CollectionFrequencies) -> _Vector:
    weights = tuple({ngram: count * frequencies.weight(ngram) for ngram, count in order.items()} for order in counts)
    norms = tuple(math.sqrt(sum(weight * weight for weight in order.values())) for order in weights)
    return _Vector(weights, norms, sum(counts[0].values()))


def _output_scores(output: _Vector, references: Sequence[_Vector]) -> tuple[float, float]:
    """Return CIDEr and CIDEr-D of one output."""
    cosine = clipped = 0.0
    for reference in references:
        similarity = _cosines(output, reference)
        cosine += similarity[0]
        clipped += similarity[1] * math.exp(-((output.tokens - reference.tokens) ** 2) / (2 * SIGMA**2))
    size = LONGEST * len(references)
    return SCALE * cosine / size, SCALE * clipped / size


def _cosines(output: _Vector, reference: _Vector) -> tuple[float, float]:
    """Return the cosine, and the cosine with clipped output weights, summed over orders."""
    cosine = clipped = 0.0
    for ours, theirs, norm, other_norm in zip(
        output.weights, reference.weights, output.norms, reference.norms, strict=True
    ):
        if not norm or not other_norm:
            continue
        common = [(weight, theirs[ngram]) for ngram, weight in ours.items() if ngram in theirs]
        cosine += sum(weight * other for weight, other in common) / (norm * other_norm)
        clipped += sum(min(weight, other) * other for weight, other in common) / (norm * other_norm)
    return cosine, clipped
