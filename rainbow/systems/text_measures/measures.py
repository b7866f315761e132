"""Measures of a text collection, by name."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rainbow.systems.text_measures.entropy import (
    chao_shen_entropy,
    count_contexts,
    miller_madow_entropy,
    shannon_entropy,
)
from rainbow.systems.text_measures.richness import (
    SEGMENT,
    lemmatise,
    lexical_sophistication,
    mean_segmental_ttr,
    missing_packages,
    type_token_ratio,
)
from rainbow.text.ngrams.ngram_counts import Ngram
from rainbow.text.tokens.cased_tokens import count_sentences, is_word

# Letters that a long word has at least (Björnsson's readability index LIX counts those of more than six).
LONG_WORD_LENGTH = 7
ORDERS = {1: "tokens", 2: "bigrams", 3: "trigrams"}


@dataclass(frozen=True, eq=False)
class TextStatistics:
    """Counts over texts: tokens with case and punctuation, words in lower case without it."""

    tokens: Sequence[list[str]]  # those of each text (:func:`rainbow.text.tokens.cased_tokens.cased_tokens`)

    @cached_property
    def size(self) -> int:
        """The number of tokens."""
        return sum(map(len, self.tokens))

    @cached_property
    def words(self) -> list[str]:
        """The words of all texts in order, in lower case."""
        return [token.lower() for tokens in self.tokens for token in tokens if is_word(token)]

    @cached_property
    def sentences(self) -> int:
        """The number of sentences."""
        return sum(map(count_sentences, self.tokens))

    @cached_property
    def ngrams(self) -> dict[int, Counter[Ngram]]:
        """The counts of unigrams, bigrams and trigrams."""
        result: dict[int, Counter[Ngram]] = {order: Counter() for order in (1, 2, 3)}
        for tokens in self.tokens:
            for order, counts in result.items():
                counts.update(zip(*(tokens[start:] for start in range(order)), strict=False))
        return result


Function = Callable[[TextStatistics], float]
Entropy = Callable[[Mapping[Ngram, int]], float]


class Measure(NamedTuple):
    """A numeric measure of a text collection."""

    name: str  # as in the published tables, where they have it
    function: Function  # gives it; NaN where it is not defined
    undefined: str  # why it is not, where it is not
    unavailable: Callable[[], str | None] = lambda: None  # returns the missing resource, or None


def compute_measure(measure: Measure, statistics: TextStatistics) -> tuple[float, str | None]:
    """Return the value and None, or NaN and the reason why the measure is undefined."""
    if reason := measure.unavailable():
        return math.nan, reason
    value = float(measure.function(statistics))
    return value, measure.undefined if math.isnan(value) else None


def _ratio_or_nan(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


def _size_measures() -> Iterator[Measure]:
    nothing = "there is no text"
    yield Measure("outputs", lambda texts: len(texts.tokens), nothing)
    yield Measure("tokens", lambda texts: texts.size, nothing)
    yield Measure("words", lambda texts: len(texts.words), nothing)
    yield Measure("sentences", lambda texts: texts.sentences, nothing)
    yield Measure("average_length_tokens", lambda texts: _ratio_or_nan(texts.size, len(texts.tokens)), nothing)
    yield Measure(
        "average_sentence_length_tokens",
        lambda texts: _ratio_or_nan(texts.size, texts.sentences),
        "there is no sentence",
    )
    yield Measure(
        "long_words_percent",
        lambda texts: 100 * _ratio_or_nan(sum(len(word) >= LONG_WORD_LENGTH for word in texts.words), len(texts.words)),
        "there is no word",
    )


def _count_measures(order: int) -> Iterator[Measure]:
    what, undefined = ORDERS[order], f"no text has {order} tokens"

    def once(texts: TextStatistics) -> int:
        return sum(count == 1 for count in texts.ngrams[order].values())

    yield Measure(f"distinct_{what}", lambda texts: len(texts.ngrams[order]), undefined)
    yield Measure(f"unique_{what}", once, undefined)
    yield Measure(
        f"unique_{what}_percent", lambda texts: 100 * _ratio_or_nan(once(texts), len(texts.ngrams[order])), undefined
    )


def _entropy_measures(order: int, name: str, function: Entropy, undefined: str) -> Iterator[Measure]:
    """Yield the n-gram entropy, and the conditional entropy H(n-gram) - H(context)."""
    what, suffix = ORDERS[order], f"_{name}" if name else ""
    yield Measure(f"entropy_{what}{suffix}", lambda texts: function(texts.ngrams[order]), undefined)
    if order > 1:
        yield Measure(
            f"conditional_entropy_{what}{suffix}",
            lambda texts: function(texts.ngrams[order]) - function(count_contexts(texts.ngrams[order])),
            undefined,
        )


def _richness_measures() -> Iterator[Measure]:
    few = f"there are fewer than {SEGMENT} words"
    yield Measure("TTR", lambda texts: type_token_ratio(texts.words), "there is no word")
    yield Measure(f"MSTTR-{SEGMENT}", lambda texts: mean_segmental_ttr(texts.words), few)
    yield Measure(
        f"MSTTR-{SEGMENT}_lemmas",
        lambda texts: mean_segmental_ttr(list(map(lemmatise, texts.words))),
        few,
        missing_packages,
    )
    yield Measure(
        "LS2", lambda texts: lexical_sophistication(texts.words), "there is no word with a letter", missing_packages
    )


def _all_measures() -> Iterator[Measure]:
    yield from _size_measures()
    for order in ORDERS:
        yield from _count_measures(order)
    for order in ORDERS:
        empty = f"no text has {order} tokens"
        yield from _entropy_measures(order, "", shannon_entropy, empty)
        yield from _entropy_measures(order, "miller_madow", miller_madow_entropy, empty)
        yield from _entropy_measures(order, "chao_shen", chao_shen_entropy, "no n-gram occurs twice")
    yield from _richness_measures()


MEASURES = tuple(_all_measures())
