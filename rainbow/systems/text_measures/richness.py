"""Lexical richness, relative to text size."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec

from rainbow.base.caching import cache_by_size

SEGMENT = 50  # words


def type_token_ratio(words: Sequence[str]) -> float:
    """Return distinct words / words, in (0, 1]; NaN without words. Depends on text size."""
    return len(set(words)) / len(words) if words else math.nan


def mean_segmental_ttr(words: Sequence[str]) -> float:
    """Return the mean type-token ratio of successive segments of fixed length.

    Source: Johnson, W. (1944). Studies in language behavior: a program of research. Psychological Monographs 56 (2).
    """
    starts = range(0, len(words) - SEGMENT + 1, SEGMENT)
    ratios = [type_token_ratio(words[start : start + SEGMENT]) for start in starts]
    return sum(ratios) / len(ratios) if ratios else math.nan


FREQUENT = 2000  # lemmas
# Words of wordfreq's list that are looked through for the most frequent lemmas; rarer ones change no lemma's rank.
_SEARCHED = 40_000
_PACKAGES = ("simplemma", "wordfreq")


def missing_packages() -> str | None:
    """Return how to install the packages for lemmas and word frequencies, or None."""
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    return f"{' and '.join(missing)} not installed: pip install 'rainbow-nlg[lexical]'" if missing else None


@cache_by_size(1 << 20)
def lemmatise(word: str) -> str:
    """Return the lemma of an English word in lower case."""
    import simplemma

    return str(simplemma.lemmatize(word, lang="en")).lower()


@cache
def frequent_lemmas() -> frozenset[str]:
    """Return the 2,000 most frequent lemmas of English, by the frequency of their forms in wordfreq."""
    import wordfreq

    frequencies: Counter[str] = Counter()
    for word in wordfreq.top_n_list("en", _SEARCHED):
        if any(map(str.isalpha, word)):
            frequencies[lemmatise(word)] += wordfreq.word_frequency(word, "en")  # type: ignore[assignment]
    return frozenset(word for word, _ in frequencies.most_common(FREQUENT))


def lexical_sophistication(words: Iterable[str]) -> float:
    """Return LS2: the share of distinct lemmas not among the 2,000 most frequent of English.

    Source: Lu, X. (2012). The relationship of lexical richness to the quality of ESL learners' oral narratives. The
    Modern Language Journal 96 (2).
    """
    types = {lemmatise(word) for word in words if any(map(str.isalpha, word))}
    return len(types - frequent_lemmas()) / len(types) if types else math.nan
