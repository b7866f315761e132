"""Fold text to the plain lower-case spelling of English word lists."""

import re
import unicodedata

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def fold_text(text: str) -> str:
    """Return the text in lower case, without accents and ligatures and with plain apostrophes."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.replace("’", "'")).lower()
    return _BEYOND_ASCII.sub(lambda match: "" if unicodedata.combining(match[0]) else match[0], decomposed)
