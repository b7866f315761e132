"""NIST of single outputs and of whole systems."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.corpus_statistics import ByCollection, CompiledCounts, Statistics
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch, References
from rainbow.metrics.contract.reference_tool import Tool, score_rows
from rainbow.metrics.contract.registry import register
from rainbow.text.ngrams.ngram_counts import Ngram, max_counts, ngram_counts
from rainbow.text.tokens import Tokens
from rainbow.text.tokens.mteval import mteval_tokens

ORDER = 5  # longest n-gram of NIST as mteval computes it
MAX_NGRAM_LENGTH = 99  # no order beyond it is read from a file


@dataclass(frozen=True, eq=False, repr=False)
class InformationWeights(Statistics):
    """Information weights of n-grams, counted in reference segments; see :meth:`fit`."""

    counts: Mapping[Ngram, int]  # how often each n-gram of up to `order` tokens occurs in the segments
    total: int  # number of tokens in the segments
    order: int = ORDER  # length of the longest n-grams

    @classmethod
    def fit(cls, segments: Iterable[Tokens], order: int = ORDER) -> Self:
        """Return the weights from reference segments, counting repeated segments repeatedly."""
        counts: Counter[Ngram] = Counter()
        total = 0
        for segment in segments:
            total += len(segment)
            for results in ngram_counts(segment, order):
                counts.update(results)
        return cls(dict(counts), total, order)

    def information(self, ngram: Ngram) -> float:
        """Return the information of an n-gram in bits; unseen n-grams count as seen once."""
        before = self.counts.get(ngram[:-1], 1) if len(ngram) > 1 else max(self.total, 1)
        return math.log2(before / self.counts.get(ngram, 1))

    def to_json(self) -> dict[str, Any]:
        """Return the weights as plain lists and numbers for JSON, equal for equal weights."""
        return {
            "order": self.order,
            "total": self.total,
            "counts": [[list(ngram), count] for ngram, count in sorted(self.counts.items())],
        }

    def content(self) -> bytes:
        """Return the weights as JSON with sorted keys."""
        if not isinstance(self.counts, CompiledCounts):
            return super().content()
        return b'{"counts": %b, "order": %d, "total": %d}' % (self.counts.source.json(), self.order, self.total)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the weights from :meth:`to_json` data."""
        try:
            counts = {tuple(map(str, ngram)): int(count) for ngram, count in data["counts"]}
            order = int(data["order"])
            if any(len(ngram) > order for ngram in counts) or order > MAX_NGRAM_LENGTH:
                raise ValueError(f"an order of {order} does not fit these n-grams")
            return cls(counts, int(data["total"]), order)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError("these are not information weights: pass the result of to_json()") from error


HALVING_RATIO = 2 / 3  # length ratio at which the length penalty is one half
_BETA = math.log(2) / math.log(HALVING_RATIO) ** 2


class CollectionWeights(ByCollection[InformationWeights]):
    """Information weights of each collection of rows."""

    part = InformationWeights


def _nltk_scores(batch: Batch) -> FloatArray:
    """Return NLTK's scores against the first reference (fails below five tokens)."""
    from nltk.translate.nist_score import sentence_nist

    def score(output: str, references: Sequence[str]) -> float:
        ours, theirs = mteval_tokens(output), mteval_tokens(references[0])
        return sentence_nist([theirs], ours) if min(len(ours), len(theirs)) >= ORDER else math.nan

    return score_rows(score, batch)


def _self_weighted_scores(batch: Batch) -> FloatArray:
    def score(output: str, references: Sequence[str]) -> float:
        first = [mteval_tokens(references[0])]
        return nist(mteval_tokens(output), first, InformationWeights.fit(first))

    return score_rows(score, batch)


@register
@dataclass(frozen=True)
class Nist(Metric):
    """Sentence-level NIST: shared n-grams up to five tokens, weighted by their information.

    Formula, length penalty and tokens are those of mteval-v13a (:func:`nist`). Information weights are computed from
    the references used for fitting, each item's once. At least 0, higher is better. The score of a perfect output
    depends on the weights, so compare only scores with the same signature.

    For NIST-5 of a system, numerators and denominators are summed over its outputs. The length penalty uses the mean
    length of all outputs divided by that of all references, so rows with many references have more weight.

    Parameters
    ----------
    as_published : bool
        Use only the LAST reference, and quote each text, as in the tables of Novikova et al. (2017).
    statistics : CollectionWeights, optional
        Information weights of each collection; None until :meth:`fit`.

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
    plain = "Like BLEU, but rarer n-grams count for more."
    group = "word"
    columns = (Column("NIST", True, 0.0, short="rare n-grams"),)
    needs = frozenset({"references"})
    compares_words = True
    tokens = "mteval-13a"
    system_columns = columns
    tools = (
        Tool(
            "nltk",
            ("NIST",),
            _nltk_scores,
            (
                "nltk weights n-grams by the references of one row only: both are compared on the first reference, "
                "with its weights, where both texts have five tokens"
            ),
            ours=_self_weighted_scores,
        ),
    )

    def fit(self, batch: Batch) -> Self:
        """Return the metric with information weights of each collection (:meth:`Batch.documents`)."""
        weights = {name: self._weights(documents) for name, documents in batch.documents().items()}
        return dataclasses.replace(self, statistics=CollectionWeights(weights))

    def _weights(self, documents: References) -> InformationWeights:
        if kernels():
            sets = documents.encoded(mteval_tokens)
            counted = compiled.InformationWeights(sets, documents.row_sets, ORDER, self.as_published)
            return InformationWeights(CompiledCounts(counted), counted.total)
        texts = documents.preprocess(mteval_tokens)
        if self.as_published:
            return InformationWeights.fit(quote_tokens(own[-1]) for own in texts if own)
        return InformationWeights.fit(chain.from_iterable(texts))

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            return self._compute_by_collection(compiled.nist, batch, rows, HALVING_RATIO)
        return np.array([[nist(*texts)] for texts in self._tokenised_rows(batch, rows)])

    def compute_sums(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            return self._compute_by_collection(compiled.nist_sums, batch, rows)
        return np.array([nist_sums(*texts) for texts in self._tokenised_rows(batch, rows)], dtype=float)

    def _compute_by_collection(
        self, kernel: Callable[..., FloatArray], batch: Batch, rows: Sequence[int], *parameters: float
    ) -> FloatArray:
        """Return the kernel results for these rows, each with its collection's weights."""
        parts = []
        for collection, (places, chosen) in batch.group_by_collection(rows).items():
            encoded = batch.encoded(mteval_tokens, chosen)
            weights = self._collection_weights(collection).cached(_compiled_weights)
            parts.append((places, kernel(*encoded, weights, *parameters, self.as_published, batch.threads)))
        values = np.empty((len(rows), parts[0][1].shape[1]))
        for places, part in parts:
            values[places] = part
        return values

    def _tokenised_rows(
        self, batch: Batch, rows: Sequence[int]
    ) -> Iterator[tuple[Tokens, list[Tokens], InformationWeights]]:
        """Yield each row's output and reference tokens, and the weights of its collection."""
        for row, (output, references) in zip(rows, batch.pairs(rows, mteval_tokens), strict=True):
            weights = self._collection_weights(batch.collections[row])
            if self.as_published:
                yield quote_tokens(output), [quote_tokens(references[-1])], weights
            else:
                yield output, references, weights

    def _collection_weights(self, collection: str) -> InformationWeights:
        return (self.statistics or CollectionWeights({}))[collection]

    def score_sums(self, sums: FloatArray) -> FloatArray:
        return _score_from_sums(sums)[..., None]


def _compiled_weights(weights: InformationWeights) -> compiled.InformationWeights:
    if isinstance(weights.counts, CompiledCounts):
        source: compiled.InformationWeights = weights.counts.source
        return source
    return compiled.InformationWeights(weights.total, weights.order, dict(weights.counts))


def nist(hypothesis: Tokens, references: Sequence[Tokens], weights: InformationWeights) -> float:
    """Return the NIST score of one hypothesis, at least 0; higher is better."""
    return float(_score_from_sums(np.array(nist_sums(hypothesis, references, weights))))


def nist_sums(hypothesis: Tokens, references: Sequence[Tokens], weights: InformationWeights) -> list[float]:
    """Return the NIST statistics of a hypothesis."""
    counts, *others = (ngram_counts(tokens, weights.order) for tokens in (hypothesis, *references))
    information = [
        _shared_information(ours, most, weights) for ours, most in zip(counts, max_counts(others), strict=True)
    ]
    ngrams = [sum(ours.values()) for ours in counts]
    return [*information, *ngrams, len(hypothesis), 1, sum(map(len, references)), len(references)]


def _shared_information(output: Mapping[Ngram, int], limits: Mapping[Ngram, int], weights: InformationWeights) -> float:
    """Return the information of the n-grams of one order shared with the references."""
    shared = (ngram for ngram in output if ngram in limits)
    return sum(min(output[ngram], limits[ngram]) * weights.information(ngram) for ngram in shared)


def _score_from_sums(sums: FloatArray) -> FloatArray:
    order = (sums.shape[-1] - 4) // 2
    length, outputs, reference_length, references = np.moveaxis(sums[..., -4:], -1, 0)
    mean_information = (sums[..., :order] / np.maximum(sums[..., order : 2 * order], 1)).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (length / outputs) / (reference_length / references)
    return np.asarray(mean_information * length_penalty(ratio))


def length_penalty(ratio: FloatArray) -> FloatArray:
    """Return NIST's brevity factor ``exp(-beta ln(ratio)^2)``: 1 from ratio 1, 0.5 at 2/3."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(ratio > 0, np.exp(-_BETA * np.log(np.minimum(ratio, 1.0)) ** 2), 0.0)


def quote_tokens(tokens: Tokens) -> list[str]:
    """Return the tokens in quotation marks, as in the published NIST scores."""
    return ['"', *tokens, '"']
