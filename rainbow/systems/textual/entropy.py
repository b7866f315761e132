"""Entropies of n-grams in bits: as counted, and corrected for what a small text cannot show."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from rainbow.text.ngrams.ngram_counts import Ngram

__all__ = ["chao_shen_entropy", "conditional_entropy", "contexts", "entropy", "miller_madow_entropy"]


def entropy(counts: Mapping[Ngram, int]) -> float:
    """Return Shannon's entropy of relative frequencies, ``-sum over g of p(g) log2 p(g)``, in bits; NaN of nothing.

    It underestimates the entropy of the source, the more the smaller the text: compare texts of like size, or use
    :func:`miller_madow_entropy` or :func:`chao_shen_entropy`.

    Examples
    --------
    >>> entropy({("an",): 2, ("inn",): 1, ("bar",): 1})
    1.5
    """
    total = sum(counts.values())
    if not total:
        return math.nan
    return math.log2(total) - sum(count * math.log2(count) for count in counts.values()) / total


def miller_madow_entropy(counts: Mapping[Ngram, int]) -> float:
    """Return the entropy plus the first term of its bias, ``(types - 1) / (2 tokens)`` nats, in bits.

    References
    ----------
    Miller, G. A. (1955). Note on the bias of information estimates. In: Information theory in psychology.

    Examples
    --------
    >>> round(miller_madow_entropy({("an",): 2, ("inn",): 1, ("bar",): 1}), 3)  # 1.5 + 2 / 8 / ln 2
    1.861
    """
    total = sum(counts.values())
    return entropy(counts) + (len(counts) - 1) / (2 * total * math.log(2)) if total else math.nan


def chao_shen_entropy(counts: Mapping[Ngram, int]) -> float:
    """Return the entropy in bits, estimated with what was not seen: Horvitz and Thompson's sum, adjusted for coverage.

    ``-sum over g of q(g) log2 q(g) / (1 - (1 - q(g)) ** tokens)`` with ``q = c p`` and the coverage
    ``c = 1 - (types seen once) / tokens``. NaN where every n-gram is seen once: the coverage is unknown then.

    References
    ----------
    Chao, A. and Shen, T.-J. (2003). Nonparametric estimation of Shannon's index of diversity when there are unseen
    species in sample. Environmental and Ecological Statistics 10.

    Examples
    --------
    >>> round(chao_shen_entropy({("an",): 2, ("inn",): 1, ("bar",): 1}), 3)
    2.544
    """
    total = sum(counts.values())
    coverage = 1 - sum(count == 1 for count in counts.values()) / total if total else 0
    if not coverage:
        return math.nan
    shares = [coverage * count / total for count in counts.values()]
    return -sum(share * math.log2(share) / (1 - (1 - share) ** total) for share in shares)


def contexts(ngrams: Mapping[Ngram, int]) -> Counter[Ngram]:
    """Count what stands before the last token of the n-grams.

    Examples
    --------
    >>> contexts({("an", "inn"): 2, ("an", "egg"): 1})
    Counter({('an',): 3})
    """
    found: Counter[Ngram] = Counter()
    for ngram, count in ngrams.items():
        found[ngram[:-1]] += count
    return found


def conditional_entropy(ngrams: Mapping[Ngram, int], before: Mapping[Ngram, int]) -> float:
    """Return ``-sum over g of p(g) log2(p(g) / p(context of g))`` in bits: how open the next token is; NaN of nothing.

    Parameters
    ----------
    ngrams
        Counts of n-grams.
    before
        Counts of the (n - 1)-grams before their last tokens. With :func:`contexts` of the n-grams it is the entropy
        of a token given those before it. With the counts of all (n - 1)-grams of a text, as Dušek et al. (2020)
        have it, those at the ends of texts count as contexts too, and it comes out lower.

    References
    ----------
    Manning, C. D. and Schütze, H. (1999). Foundations of statistical natural language processing, section 2.2.2.

    Examples
    --------
    >>> bigrams = {("an", "inn"): 1, ("an", "egg"): 1, ("the", "inn"): 2}
    >>> conditional_entropy(bigrams, contexts(bigrams))
    0.5
    """
    total, total_before = sum(ngrams.values()), sum(before.values())
    if not total:
        return math.nan
    return -sum(
        count / total * math.log2(count / total * total_before / before[ngram[:-1]]) for ngram, count in ngrams.items()
    )
