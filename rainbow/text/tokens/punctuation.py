"""Separation of words and punctuation."""

import unicodedata
from collections.abc import Iterable

from rainbow.base.caching import cache_by_size
from rainbow.text.tokens.ptb import ptb_tokens


def drop_punctuation(tokens: Iterable[str]) -> list[str]:
    """Return the tokens that are not pure punctuation (Unicode category P; symbols such as `|` are kept)."""
    return [token for token in tokens if not _is_punctuation(token)]


def ptb_words(text: str) -> list[str]:
    """Return the tokens of :func:`rainbow.text.tokens.ptb.ptb_tokens` that are not pure punctuation."""
    return drop_punctuation(ptb_tokens(text))


@cache_by_size(1 << 20)
def _is_punctuation(token: str) -> bool:
    return all(unicodedata.category(character).startswith("P") for character in token)
