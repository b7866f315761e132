"""System-level NIST-5, BLEU-4, ROUGE-4 and string edit similarity as segment sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.word.bleu import Bleu
from rainbow.metrics.word.edit_distance import StringEditSimilarity
from rainbow.metrics.word.nist import Nist
from rainbow.systems.corpus_scores.segment_sums import SegmentSums, segment_sums
from rainbow.text.tokens.alphanumeric import alphanumeric_tokens
from rainbow.text.tokens.mteval import mteval_tokens

Segments = Sequence[str]


def four_metrics(outputs: Segments, references: Sequence[Segments], nist: Nist) -> dict[str, SegmentSums]:
    """Return the four metrics of Belz and Reiter (2006) as segment sums for resampling.

    Source: Belz, A. and Reiter, E. (2006). Comparing automatic and human evaluation of NLG systems. EACL. Papineni, K.,
    Roukos, S., Ward, T. and Zhu, W.-J. (2002). BLEU: a method for automatic evaluation of machine translation. ACL.
    """
    if not outputs or len(outputs) != len(references):
        raise ValueError(f"{len(outputs)} outputs but {len(references)} sets of references: give one set for each")
    if bare := [item for item, texts in enumerate(references) if isinstance(texts, str) or not "".join(texts).strip()]:
        raise ValueError(f"item {bare[0]} has no references: give a list of one or more texts")
    batch = Batch(list(outputs), [list(texts) for texts in references])
    similarity = segment_sums(StringEditSimilarity(), batch)["SE"]
    recall = [
        rouge_recall(alphanumeric_tokens(text), [alphanumeric_tokens(reference) for reference in texts])
        for text, texts in zip(outputs, references, strict=True)
    ]
    return {
        "NIST-5": segment_sums(nist, batch)["NIST"],
        "BLEU-4": _use_shortest_references(segment_sums(Bleu(), batch)["BLEU"], batch),
        "ROUGE-4": SegmentSums(np.column_stack([recall, np.ones(len(recall))]), similarity.score_sums),
        "SE": similarity,
    }


def _use_shortest_references(bleu: SegmentSums, batch: Batch) -> SegmentSums:
    shortest = [min(map(len, texts)) for texts in batch.references.preprocess(mteval_tokens)]
    return bleu._replace(sums=np.column_stack([bleu.sums[:, :-1], shortest]))


def rouge_recall(output: Sequence[str], references: Sequence[Sequence[str]], order: int = 4) -> float:
    """Return the recall of a reference's n-grams, from 0 to 1; higher is better.

    Source: Lin, C.-Y. (2004). ROUGE: a package for automatic evaluation of summaries. Text Summarization Branches Out.
    """
    if order < 1:
        raise ValueError(f"n-grams of {order} tokens: use an order of at least 1")
    if not references:
        raise ValueError("no reference: give at least one")
    if isinstance(output, str) or any(isinstance(tokens, str) for tokens in references):
        raise ValueError("strings instead of tokens: split the output and every reference first")
    own = _ngrams(output, order)
    recalls = [_recall(own, _ngrams(tokens, order)) for tokens in references]
    if len(recalls) == 1:
        return recalls[0]
    # Without the best reference the second best counts, without any other the best one.
    *_, second, best = sorted(recalls)
    return (second + (len(recalls) - 1) * best) / len(recalls)


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


def _recall(output: Counter[tuple[str, ...]], reference: Counter[tuple[str, ...]]) -> float:
    return (output & reference).total() / reference.total() if reference else 0.0
