"""Scores of whole systems made of sums over their outputs: NIST-5, BLEU-4, ROUGE-4 and string edit similarity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.word.bleu.corpus_bleu import bleu_of_sums, bleu_statistics
from rainbow.metrics.word.edit import StringEditSimilarity
from rainbow.metrics.word.nist.information import InformationWeights, mteval_tokens, nist_of_sums, nist_statistics
from rainbow.stats.resampling.paired_resampling import OfSums
from rainbow.systems.replications.belz_reiter.rouge_recall import rouge_recall
from rainbow.text.ngrams.ngram_counts import most_counts, ngram_counts
from rainbow.text.tokens.alphanumeric import alphanumeric_tokens

__all__ = ["SegmentSums", "segment_sums"]


class SegmentSums(NamedTuple):
    """A score of a set of outputs that is a function of sums over them.

    Attributes
    ----------
    sums
        What is added up, shape (outputs, k).
    of_sums
        The score, of sums of shape (r, k): shape (r,).
    """

    sums: FloatArray
    of_sums: OfSums

    @property
    def score(self) -> float:
        """The score of all outputs together."""
        return float(np.asarray(self.of_sums(self.sums.sum(axis=0, keepdims=True)))[0])


def segment_sums(
    outputs: Sequence[str], references: Sequence[Sequence[str]], weights: InformationWeights
) -> dict[str, SegmentSums]:
    """Return the four metrics of Belz and Reiter (2006) of a system, as sums from which all resamples can be scored.

    ``NIST-5`` and ``BLEU-4`` as the program mteval-v11b has them: lower-cased, BLEU's brevity penalty by the SHORTEST
    reference of each output (later versions take the closest), no smoothing. ``ROUGE-4``: the mean over outputs of
    recall with jackknife (:func:`~rainbow.systems.replications.belz_reiter.rouge_recall.rouge_recall`), on lower-cased
    runs of letters and digits. ``SE``: the mean over outputs of
    :class:`~rainbow.metrics.word.edit.StringEditSimilarity`.

    Parameters
    ----------
    outputs
        A text per item.
    references
        One or more texts per item.
    weights
        The information of n-grams of :func:`~rainbow.metrics.word.nist.information.mteval_tokens`, counted in the
        references of all items; its order is NIST's.

    Raises
    ------
    ValueError
        If the two differ in length, there is no output, or an item has no reference.

    References
    ----------
    Belz, A. and Reiter, E. (2006). Comparing automatic and human evaluation of NLG systems. EACL.

    Papineni, K., Roukos, S., Ward, T. and Zhu, W.-J. (2002). BLEU: a method for automatic evaluation of machine
    translation. ACL.

    Examples
    --------
    >>> references = [["ssw 16-20 backing sse later"], ["variable 4-8 by late evening"]]
    >>> weights = InformationWeights.fit(mteval_tokens(text) for texts in references for text in texts)
    >>> found = segment_sums(["ssw 16-20 backing sse", "variable 4-8 by evening"], references, weights)
    >>> {name: round(part.score, 3) for name, part in found.items()}
    {'NIST-5': 3.475, 'BLEU-4': 0.762, 'ROUGE-4': 0.5, 'SE': 0.889}
    """
    if not outputs or len(outputs) != len(references):
        raise ValueError(f"{len(outputs)} outputs, {len(references)} sets of references: give one set for each")
    if bare := [item for item, texts in enumerate(references) if not texts or isinstance(texts, str)]:
        raise ValueError(f"references of item {bare[0]}: give a list of one or more texts")
    tokens = [mteval_tokens(text) for text in outputs]
    reference_tokens = [[mteval_tokens(text) for text in texts] for texts in references]
    edit = StringEditSimilarity().score(Batch(list(outputs), [list(texts) for texts in references]))[:, 0]
    recall = [
        rouge_recall(alphanumeric_tokens(text), [alphanumeric_tokens(reference) for reference in texts])
        for text, texts in zip(outputs, references, strict=True)
    ]
    return {
        "NIST-5": _nist(tokens, reference_tokens, weights),
        "BLEU-4": _bleu(tokens, reference_tokens),
        "ROUGE-4": _mean(np.array(recall)),
        "SE": _mean(edit),
    }


def _mean(values: FloatArray) -> SegmentSums:
    return SegmentSums(np.stack([values, np.ones(len(values))], axis=1), lambda sums: sums[:, 0] / sums[:, 1])


def _bleu(outputs: list[list[str]], references: list[list[list[str]]]) -> SegmentSums:
    rows = []
    for tokens, texts in zip(outputs, references, strict=True):
        most = most_counts([ngram_counts(text) for text in texts])
        # Told of the shortest reference alone, BLEU's nearest is the shortest.
        rows.append(bleu_statistics(ngram_counts(tokens), most, len(tokens), [min(map(len, texts))]))
    return SegmentSums(np.array(rows, dtype=float), bleu_of_sums)


def _nist(outputs: list[list[str]], references: list[list[list[str]]], weights: InformationWeights) -> SegmentSums:
    rows = []
    for tokens, texts in zip(outputs, references, strict=True):
        counts, *others = (ngram_counts(text, weights.order) for text in (tokens, *texts))
        rows.append(nist_statistics(counts, most_counts(others), len(tokens), [*map(len, texts)], weights))
    return SegmentSums(np.array(rows, dtype=float), nist_of_sums)
