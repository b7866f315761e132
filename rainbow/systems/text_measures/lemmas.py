"""Lemmas and their frequency in English; needs the extra `lexical`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec

from rainbow.base.caching import cache_by_size

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
