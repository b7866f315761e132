"""Edit distances: token-based string edit similarity and character-based Levenshtein distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Indel, Levenshtein

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool, score_rows
from rainbow.metrics.contract.registry import register
from rainbow.text.tokens.ptb import ptb_tokens


def _nltk_similarities(batch: Batch) -> FloatArray:
    from nltk.metrics.distance import edit_distance

    def similarity(output: str, references: Sequence[str]) -> float:
        ours, theirs = ptb_tokens(output), [ptb_tokens(reference) for reference in references]
        lengths = [len(ours) + len(tokens) for tokens in theirs]
        distances = [edit_distance(ours, tokens, substitution_cost=2) for tokens in theirs]
        return float(np.mean([1 - d / n if n else 1.0 for d, n in zip(distances, lengths, strict=True)]))

    return score_rows(similarity, batch)


@register
@dataclass(frozen=True)
class StringEditSimilarity(Metric):
    """String edit similarity over tokens, averaged over the references (SE of Belz & Reiter 2006).

    ``1 - d / (n + m)``, where d is the edit distance between the output's n and the reference's m tokens: insertions
    and deletions cost 1, substitutions 2. Between 0 and 1, higher is better. A system has the mean of its outputs.

    References
    ----------
    Belz, A. and Reiter, E. (2006). Comparing automatic and human evaluation of NLG systems. EACL.

    Examples
    --------
    >>> StringEditSimilarity().score(Batch(["a b c"], [["a c", "a b c"]])).tolist()
    [[0.9]]
    """

    name = "se"
    plain = "Share of words that can stay when the output is edited into a reference; the mean over references."
    group = "word"
    columns = (Column("SE", True, 0.0, 1.0, short="edit similarity"),)
    needs = frozenset({"references"})
    compares_words = True
    tokens = "ptb"
    system_columns = columns
    tools = (Tool("nltk", ("SE",), _nltk_similarities),)

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            return compiled.edit_similarity(*batch.encoded(ptb_tokens, rows), batch.threads)
        return np.array([[_mean_similarity(*tokens)] for tokens in batch.pairs(rows, ptb_tokens)])


def _mean_similarity(output: list[str], references: list[list[str]]) -> float:
    return sum(Indel.normalized_similarity(output, reference) for reference in references) / len(references)


def _nltk_distances(batch: Batch) -> FloatArray:
    from nltk.metrics.distance import edit_distance

    pairs = zip(batch.mrs, batch.outputs, strict=True)
    return np.array([[float(edit_distance(mr, output))] for mr, output in pairs])


@register
@dataclass(frozen=True)
class LevenshteinDistance(Metric):
    """Levenshtein distance in characters between the raw meaning representation and the output.

    The number of insertions, deletions and substitutions (1 each), as in the published column `lev.dist` of Novikova et
    al. (2017). References are not used. At least 0; neither direction is better.

    References
    ----------
    Novikova, J., Dušek, O., Cercas Curry, A. and Rieser, V. (2017). Why we need new evaluation metrics for NLG. EMNLP.

    Examples
    --------
    >>> LevenshteinDistance().score(Batch(["the inn"], inputs=["inform(name=inn)"])).tolist()
    [[12.0]]
    """

    name = "levenshtein"
    plain = "Number of character edits that turn the meaning representation, as written, into the output."
    group = "word"
    columns = (Column("Levenshtein", None, 0.0, short="character edits from the input"),)
    needs = frozenset({"mr"})
    surface_only = True
    tools = (Tool("nltk", ("Levenshtein",), _nltk_distances),)

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        return np.array([[float(Levenshtein.distance(batch.mrs[row], batch.outputs[row]))] for row in rows])
