"""Fold text to the plain lower-case spelling that English word lists use."""

import unicodedata

__all__ = ["fold"]


def fold(text: str) -> str:
    """Give the text in lower case, without accents, with plain apostrophes and ligatures taken apart.

    Letters that Unicode does not decompose (`ß`, other scripts) stay as they are. Time linear in the text.

    Examples
    --------
    >>> fold("Café’s")
    "cafe's"
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.replace("’", "'")).lower()
    return "".join(character for character in decomposed if not unicodedata.combining(character))
