"""ROUGE-N recall with the jackknife over references of the original ROUGE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


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
