"""ROUGE-N as recall, with the jackknife over references of the program ROUGE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

__all__ = ["rouge_recall"]


def rouge_recall(output: Sequence[str], references: Sequence[Sequence[str]], order: int = 4) -> float:
    """Return the share of a reference's n-grams that an output has, between 0 and 1, higher is better.

    Of one reference it is ``matches / n-grams of the reference``, each n-gram counted no more often than in the
    output. Of several it is a jackknife: with each reference left out in turn, the best of the others; then the mean.
    That makes scores comparable with those of a human text that is itself one of the references, and is why even a
    text that equals one of several references does not reach 1.

    Parameters
    ----------
    output
        Tokens.
    references
        One or more sequences of tokens. One with fewer tokens than n has no n-gram and a recall of 0.
    order
        n, from 1 up.

    Raises
    ------
    ValueError
        If there is no reference, the order is below 1, or a string stands where tokens belong.

    References
    ----------
    Lin, C.-Y. (2004). ROUGE: a package for automatic evaluation of summaries. Text Summarization Branches Out.

    Examples
    --------
    >>> output, best, other = ["a", "b", "c"], ["a", "b", "c"], ["a", "b", "d"]
    >>> rouge_recall(output, [best], 2), rouge_recall(output, [best, other], 2)
    (1.0, 0.75)
    """
    if order < 1:
        raise ValueError(f"n-grams of {order} tokens: give an order of at least 1")
    if not references:
        raise ValueError("there is no reference: give one or more")
    if isinstance(output, str) or any(isinstance(tokens, str) for tokens in references):
        raise ValueError("a string stands where tokens belong: split the output and every reference first")
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
