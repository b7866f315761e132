"""The words that a network knows, and texts as their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.text.words.words_and_marks import text_words

__all__ = ["END", "FIRST", "UNKNOWN", "familiarity", "known_words", "numbered"]

# Numbers of what is not met in training, and of what ends every text; the words follow.
UNKNOWN, END = 0, 1
FIRST = 2
# A word that is met once only stands for all that are not known.
LEAST = 2


def known_words(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the words that texts have at least twice, sorted.

    Examples
    --------
    >>> known_words(["a cheap inn", "a pub", "an inn"])
    ('a', 'inn')
    """
    counts = Counter(word for text in texts for word in text_words(text))
    return tuple(sorted(word for word, count in counts.items() if count >= LEAST))


def numbered(texts: Sequence[str], places: Mapping[str, int]) -> list[list[int]]:
    """Return every text as the numbers of its words, the end behind them; `places` are those of the known words.

    Examples
    --------
    >>> numbered(["an inn", ""], {"inn": 0})
    [[0, 2, 1], [1]]
    """
    return [
        [*(places[word] + FIRST if word in places else UNKNOWN for word in text_words(text)), END] for text in texts
    ]


def familiarity(columns: Sequence[Sequence[str]], known: Sequence[Collection[str]]) -> FloatArray:
    """Return how much of every row is known, shape (rows,): the share of its words; of columns the geometric mean.

    Examples
    --------
    >>> familiarity([["a cheap inn", "a pub"], ["inform", ""]], [{"a", "inn"}, {"inform"}]).round(2).tolist()
    [0.82, 0.0]
    """
    shares = [[_share(text_words(text), own) for text in column] for column, own in zip(columns, known, strict=True)]
    familiar: FloatArray = np.prod(np.array(shares), axis=0) ** (1 / len(shares))
    return familiar


def _share(words: Sequence[str], known: Collection[str]) -> float:
    """Return the share of words that are known; 0 without a word."""
    return sum(word in known for word in words) / max(1, len(words))
