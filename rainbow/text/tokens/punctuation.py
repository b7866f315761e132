"""Tell words from punctuation."""

import unicodedata
from collections.abc import Iterable

from rainbow.base.remembered import remembered
from rainbow.text.tokens.ptb import ptb_tokens


def drop_punctuation(tokens: Iterable[str]) -> list[str]:
    """Return the tokens that are more than punctuation (Unicode's general category P; symbols such as `|` are kept)."""
    return [token for token in tokens if not _is_punctuation(token)]


def ptb_words(text: str) -> list[str]:
    """Return the tokens of :func:`rainbow.text.tokens.ptb.ptb_tokens` that are more than punctuation."""
    return drop_punctuation(ptb_tokens(text))


@remembered(1 << 20)
def _is_punctuation(token: str) -> bool:
    return all(unicodedata.category(character).startswith("P") for character in token)
