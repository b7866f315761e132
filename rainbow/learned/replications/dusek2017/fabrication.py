"""Fabricated errors: texts made worse word by word, with made-up ratings (Dušek et al. 2017)."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.text.words.words_and_punctuation import text_words

# Number of errors in each copy of a text; the first is the text itself.
ERRORS = (0, 1, 2, 3, 4)
# Tokens that are replaced only if there are no other words.
PROTECTED_WORDS = frozenset(["!", "?", ",", ":", ".", "the", "a", "an"])
TRIES = 100
LOW, HIGH = 1.0, 6.0  # of the ratings; a text that nobody rated is taken for the best there is
RATING_STEP = 1.0  # what an error costs


class Source(NamedTuple):
    """A text in which errors are inserted."""

    texts: tuple[str, ...]  # as the network reads them, the output first
    row: int = -1  # of the corpus whose rating it has; -1 if it has none
    dataset: str = ""  # that people wrote it for, where that counts


class FabricatedTexts(NamedTuple):
    """Copies of sources with inserted errors."""

    texts: dict[str, list[str]]
    sources: IntArray  # the place of each one's source
    errors: IntArray  # how many were put into it


def fabricate_errors(sources: Sequence[Source], columns: Sequence[str], seed: int = 2017) -> FabricatedTexts:
    """Return four copies of every source, with one to four errors in its first text."""
    counts = Counter(word for source in sources for word in text_words(source.texts[0]))
    known = sorted(counts)
    sums = list(accumulate(counts[word] + 1 for word in known))  # words are drawn by frequency plus one

    def drawn(rng: Random) -> str:
        return known[bisect(sums, rng.randrange(sums[-1]))]

    texts: list[tuple[str, ...]] = []
    for source in sources:
        key = "\0".join((str(seed), *source.texts))
        rng = Random(key.encode("utf-8", "surrogatepass"))
        words = text_words(source.texts[0])
        texts += ((" ".join(insert_errors(words, count, rng, drawn)), *source.texts[1:]) for count in ERRORS)
    by_column = zip(*texts, strict=True) if texts else ((),) * len(columns)
    return FabricatedTexts(
        {name: list(column) for name, column in zip(columns, by_column, strict=True)},
        np.repeat(np.arange(len(sources)), len(ERRORS)),
        np.tile(ERRORS, len(sources)),
    )


def insert_errors(words: Sequence[str], count: int, rng: Random, drawn: Callable[[Random], str]) -> list[str]:
    """Return the words with this many errors inserted one after the other."""
    made = list(words)
    for _ in range(count):
        place = rng.randrange(len(made))
        for _ in range(TRIES):
            if made[place].lower() not in PROTECTED_WORDS:
                break
            place = rng.randrange(len(made))
        kinds = _ERRORS if len(made) > 1 else _ERRORS[1:]
        _apply_error(rng.choice(kinds), made, place, rng, drawn)
    return made


# One word taken away, said twice in a row or again elsewhere, another one put in, or in its place.
_ERRORS = ("remove", "double", "repeat", "insert", "replace")


def _apply_error(kind: str, words: list[str], place: int, rng: Random, drawn: Callable[[Random], str]) -> None:
    """Change the word at a place in one of the ways of :data:`_ERRORS`."""
    match kind:
        case "remove":
            del words[place]
        case "double":
            words.insert(place, words[place])
        case "repeat":
            words.insert(rng.randrange(len(words) + 1), words[place])
        case "insert":
            words.insert(place, _draw_other_word(words[place], rng, drawn))
        case "replace":
            words[place] = _draw_other_word(words[place], rng, drawn)


def _draw_other_word(word: str, rng: Random, drawn: Callable[[Random], str]) -> str:
    """Draw a word other than this one, unless hardly any other exists."""
    result = drawn(rng)
    for _ in range(TRIES):
        if result != word:
            break
        result = drawn(rng)
    return result


def lower_ratings(ratings: FloatArray, errors: IntArray) -> FloatArray:
    """Return the assumed ratings of texts with errors, shape (n, ratings), as in the original code.

    Shapes: ratings (n, ratings), errors (n,).
    """
    count = errors[:, None]
    worse = np.minimum(ratings - count * RATING_STEP, HIGH - 2 * RATING_STEP)
    made: FloatArray = np.where(count > 0, np.maximum(worse, LOW), ratings)
    return made
