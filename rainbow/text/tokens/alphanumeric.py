"""Alphanumeric tokens as ROUGE counts them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

_TOKEN = re.compile(r"[a-z0-9]+")


def alphanumeric_tokens(text: str) -> list[str]:
    """Return the lower-cased runs of letters and digits of a text."""
    return _TOKEN.findall(text.lower()) if text.isascii() else _token_finder()(text.lower())


@lru_cache(maxsize=1)
def _token_finder() -> Callable[[str], list[str]]:
    import regex  # knows marks, which the vowel signs of Hindi and Thai are

    finder: Callable[[str], list[str]] = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*").findall
    return finder
