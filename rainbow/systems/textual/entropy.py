"""Entropies of n-grams in bits: as counted, and corrected for what a small text cannot show."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from rainbow.text.ngrams.ngram_counts import Ngram


def entropy(counts: Mapping[Ngram, int]) -> float:
    """Return Shannon's entropy of relative frequencies, ``-sum over g of p(g) log2 p(g)``, in bits; NaN of nothing."""
    total = sum(counts.values())
    if not total:
        return math.nan
    return math.log2(total) - sum(count * math.log2(count) for count in counts.values()) / total


def miller_madow_entropy(counts: Mapping[Ngram, int]) -> float:
    """Return the entropy plus the first term of its bias, ``(types - 1) / (2 tokens)`` nats, in bits.

    Source: Miller, G. A. (1955). Note on the bias of information estimates. In: Information theory in psychology.
    """
    total = sum(counts.values())
    return entropy(counts) + (len(counts) - 1) / (2 * total * math.log(2)) if total else math.nan


def chao_shen_entropy(counts: Mapping[Ngram, int]) -> float:
    """Return the entropy in bits, estimated with what was not seen: Horvitz and Thompson's sum, adjusted for coverage.

    Source: Chao, A. and Shen, T.-J. (2003). Nonparametric estimation of Shannon's index of diversity when there are
    unseen species in sample. Environmental and Ecological Statistics 10.
    """
    total = sum(counts.values())
    coverage = 1 - sum(count == 1 for count in counts.values()) / total if total else 0
    if not coverage:
        return math.nan
    shares = [coverage * count / total for count in counts.values()]
    return -sum(share * math.log2(share) / (1 - (1 - share) ** total) for share in shares)


def contexts(ngrams: Mapping[Ngram, int]) -> Counter[Ngram]:
    """Count what stands before the last token of the n-grams."""
    found: Counter[Ngram] = Counter()
    for ngram, count in ngrams.items():
        found[ngram[:-1]] += count
    return found


def conditional_entropy(ngrams: Mapping[Ngram, int], before: Mapping[Ngram, int]) -> float:
    """Return ``-sum over g of p(g) log2(p(g) / p(context of g))`` in bits: how open the next token is; NaN of nothing.

    Source: Manning, C. D. and Schütze, H. (1999). Foundations of statistical natural language processing, section
    2.2.2.
    """
    total, total_before = sum(ngrams.values()), sum(before.values())
    if not total:
        return math.nan
    return -sum(
        count / total * math.log2(count / total * total_before / before[ngram[:-1]]) for ngram, count in ngrams.items()
    )
