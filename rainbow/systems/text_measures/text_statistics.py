"""Counts behind the measures of a text collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rainbow.text.ngrams.ngram_counts import Ngram
from rainbow.text.tokens.cased_tokens import count_sentences, is_word


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
