"""Translation edit rate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool, differs_by_output, score_rows
from rainbow.metrics.contract.registry import register
from rainbow.metrics.word.ter.shifts import shift_edits
from rainbow.text.tokens.sacrebleu_tokens import lower_cased_words


def _sacrebleu_scores(batch: Batch) -> FloatArray:
    from sacrebleu.metrics.ter import TER

    scorer = TER()
    return score_rows(lambda output, references: scorer.sentence_score(output, references).score / 100, batch)


@register
@dataclass(frozen=True)
class Ter(Metric):
    """Translation edit rate: edits to the nearest reference, per reference word.

    ``(fewest edits over the references) / (mean number of words of the references)``, where shifting a phrase,
    deleting, inserting and substituting a word cost 1 each (:func:`rainbow.metrics.word.ter.shifts.shift_edits`). Words
    are lower-cased and separated by spaces; punctuation is part of them. The edits are those of sacrebleu's TER with
    default options, as a fraction instead of per cent. At least 0 (above 1 for very long outputs), lower is better.

    An empty output scores 1, as all words of the references are missing. (sacrebleu divides the length of the shortest
    reference by the mean length, which is less than 1 if lengths differ.)

    For a system, the fewest edits of all outputs are divided by the summed mean reference lengths.

    References
    ----------
    Snover, M., Dorr, B., Schwartz, R., Micciulla, L. and Makhoul, J. (2006). A study of translation edit rate with
    targeted human annotation. AMTA.

    Post, M. (2018). A call for clarity in reporting BLEU scores. WMT.

    Examples
    --------
    >>> Ter().score(Batch(["in the centre it is", ""], [["It is in the centre", "a b c"]] * 2)).tolist()
    [[0.25], [1.0]]
    """

    name = "ter"
    plain = "Edits per reference word that turn the output into the nearest reference; moving a phrase is one edit."
    group = "word"
    columns = (Column("TER", False, 0.0, short="edits to a reference"),)
    needs = frozenset({"references"})
    compares_words = True
    tokens = "blanks, lower-cased"
    system_columns = columns
    tools = (
        Tool(
            "sacrebleu",
            ("TER",),
            _sacrebleu_scores,
            (
                "for an empty output, sacrebleu divides the length of the shortest reference by the mean length; "
                "here the score is 1"
            ),
            differs_by_output(lambda output: not output.strip()),
        ),
    )

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            return compiled.ter(*batch.encoded(lower_cased_words, rows), batch.threads)
        return np.array([[_edit_rate(*words)] for words in batch.pairs(rows, lower_cased_words)])

    def compute_sums(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        references = batch.references.preprocess(lower_cased_words)
        lengths = np.array([np.mean([len(words) for words in references[row]]) for row in rows])
        # The rate of a row is its edits divided by the mean length of its references.
        return np.column_stack([self.compute(batch, rows)[:, 0] * lengths, lengths])


def _edit_rate(output: list[str], references: Sequence[list[str]]) -> float:
    if not output:
        return 1.0
    # Most promising references first; skip those that cannot beat the best so far.
    fewest = float("inf")
    for least, reference in sorted((_edit_bound(output, reference), reference) for reference in references):
        if least >= fewest:
            break
        fewest = min(fewest, shift_edits(output, reference))
    return fewest * len(references) / sum(map(len, references))


def _edit_bound(output: list[str], reference: list[str]) -> int:
    """Return a lower bound on the edits, ignoring word order."""
    return max(len(output), len(reference)) - (Counter(output) & Counter(reference)).total()
