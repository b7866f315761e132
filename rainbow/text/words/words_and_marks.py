"""The words and punctuation marks of a text, and where they stand in it."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


def text_words(text: str) -> list[str]:
    """Return the words and punctuation marks of a text, lower-cased."""
    return _WORD.findall(text.lower())


def word_places(text: str) -> list[tuple[int, int]]:
    """Return where each word and punctuation mark begins and ends."""
    return [match.span() for match in _WORD.finditer(text)]
