"""Tell words from punctuation."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

__all__ = ["drop_punctuation"]


def drop_punctuation(tokens: Iterable[str]) -> list[str]:
    """Give the tokens that are more than punctuation (Unicode's general category P; symbols such as `|` are kept).

    Examples
    --------
    >>> drop_punctuation(["what", "?!", "x.", "|"])
    ['what', 'x.', '|']
    """
    return [token for token in tokens if not _is_punctuation(token)]


@lru_cache(maxsize=65536)
def _is_punctuation(token: str) -> bool:
    return all(unicodedata.category(character).startswith("P") for character in token)
