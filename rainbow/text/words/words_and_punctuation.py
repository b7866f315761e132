"""Words and punctuation marks of a text, and their positions."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


def text_words(text: str) -> list[str]:
    """Return the lower-cased words and punctuation marks of a text."""
    return _WORD.findall(text.lower())


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each word and punctuation mark."""
    return [match.span() for match in _WORD.finditer(text)]
