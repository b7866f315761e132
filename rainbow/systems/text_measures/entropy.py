"""Entropies of n-grams in bits: plug-in estimates and bias-corrected estimates."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from rainbow.text.ngrams.ngram_counts import Ngram


def shannon_entropy(counts: Mapping[Ngram, int]) -> float:
    """Return the Shannon entropy ``-sum over g of p(g) log2 p(g)`` in bits; NaN without counts."""
    total = sum(counts.values())
    if not total:
        return math.nan
    return math.log2(total) - sum(count * math.log2(count) for count in counts.values()) / total


def miller_madow_entropy(counts: Mapping[Ngram, int]) -> float:
    """Return the Miller-Madow entropy in bits: bias-corrected by ``(types - 1) / (2 tokens)`` nats.

    Source: Miller, G. A. (1955). Note on the bias of information estimates. In: Information theory in psychology.
    """
    total = sum(counts.values())
    return shannon_entropy(counts) + (len(counts) - 1) / (2 * total * math.log(2)) if total else math.nan


def chao_shen_entropy(counts: Mapping[Ngram, int]) -> float:
    """Return the Chao-Shen entropy in bits: Horvitz-Thompson, adjusted for coverage.

    Source: Chao, A. and Shen, T.-J. (2003). Nonparametric estimation of Shannon's index of diversity when there are
    unseen species in sample. Environmental and Ecological Statistics 10.
    """
    total = sum(counts.values())
    coverage = 1 - sum(count == 1 for count in counts.values()) / total if total else 0
    if not coverage:
        return math.nan
    shares = [coverage * count / total for count in counts.values()]
    return -sum(share * math.log2(share) / (1 - (1 - share) ** total) for share in shares)


def count_contexts(ngrams: Mapping[Ngram, int]) -> Counter[Ngram]:
    """Count the contexts of the n-grams: all tokens but the last."""
    result: Counter[Ngram] = Counter()
    for ngram, count in ngrams.items():
        result[ngram[:-1]] += count
    return result


def conditional_entropy(ngrams: Mapping[Ngram, int], before: Mapping[Ngram, int]) -> float:
    """Return ``-sum over g of p(g) log2(p(g) / p(context of g))`` in bits; NaN without counts.

    Source: Manning, C. D. and Schütze, H. (1999). Foundations of statistical natural language processing, section
    2.2.2.
    """
    total, total_before = sum(ngrams.values()), sum(before.values())
    if not total:
        return math.nan
    return -sum(
        count / total * math.log2(count / total * total_before / before[ngram[:-1]]) for ngram, count in ngrams.items()
    )
