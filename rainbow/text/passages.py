"""Sentences of a text, and those of a long text that an output has most in common with."""

from __future__ import annotations

import re
from collections import Counter

from rainbow.base.caching import cache_by_size

# Longer sentences are cut into pieces.
PIECE_WORDS = 60  # words
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\s*\n\s*")
_WORD = re.compile(r"\w+")


def join_lines(text: str) -> str:
    """Return a text in one line."""
    return " ".join(text.split())


@cache_by_size(1 << 20)
def word_counts(text: str) -> Counter[str]:
    """Return how often each lower-cased word occurs in a text."""
    return Counter(_WORD.findall(text.lower()))


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text; one as long as a paragraph in pieces."""
    sentences = [sentence.split() for sentence in _SENTENCE.split(text)]
    return [
        " ".join(own[start : start + PIECE_WORDS]) for own in sentences for start in range(0, len(own), PIECE_WORDS)
    ]


def shared_sentences(text: str, output: str, limit: int, first: bool = True) -> str:
    """Return the sentences of a text that share most words with an output, up to a limit of words; the first if set."""
    own = word_counts(output).keys()
    sentences = split_sentences(text)
    shared = [len(own & word_counts(sentence).keys()) for sentence in sentences]
    order = sorted(range(len(sentences)), key=lambda place: (place > 0 or not first, -shared[place], place))
    kept, left = [], limit
    for place in order:
        if (words := len(sentences[place].split())) <= left:
            kept.append(place)
            left -= words
    return " ".join(sentences[place] for place in sorted(kept))
