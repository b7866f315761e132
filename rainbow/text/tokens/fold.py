"""Fold text to the plain lower-case spelling that English word lists use."""

import re
import unicodedata

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def fold(text: str) -> str:
    """Return the text in lower case, without accents, with plain apostrophes and ligatures taken apart."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.replace("’", "'")).lower()
    return _BEYOND_ASCII.sub(_without_accent, decomposed)


def _without_accent(found: re.Match[str]) -> str:
    return "" if unicodedata.combining(found[0]) else found[0]
