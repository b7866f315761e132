"""The words and punctuation marks of a text, and where they stand in it."""

from __future__ import annotations

import re

__all__ = ["text_words", "word_places"]

_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


def text_words(text: str) -> list[str]:
    """Return the words and punctuation marks of a text, lower-cased.

    Examples
    --------
    >>> text_words("Xname isn't cheap, is it ?")
    ['xname', "isn't", 'cheap', ',', 'is', 'it', '?']
    """
    return _WORD.findall(text.lower())


def word_places(text: str) -> list[tuple[int, int]]:
    """Return where each word and punctuation mark begins and ends.

    Examples
    --------
    >>> word_places("An inn.")
    [(0, 2), (3, 6), (6, 7)]
    """
    return [match.span() for match in _WORD.finditer(text)]
