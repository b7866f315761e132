"""Reference texts as a person would read them."""

from __future__ import annotations

import re

__all__ = ["readable", "readable_references"]

_MARKER = re.compile(r"(?P<word>\w+) -(?P<ending>s|ly)\b")
_CLITIC = re.compile(r"\s+(?='(?:s|m|d|re|ve|ll)\b)")
_PUNCTUATION = re.compile(r"\s+(?=[.,;:?!])")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)\Z")
_CONSONANT_AND_Y = re.compile(r"(?<=[^aeiou])y\Z")


def readable(text: str) -> str:
    """Return a text of the dialogue data as plain English: endings joined, no blank before punctuation.

    The data writes endings as tokens of their own (``hotel -s``, ``moderate -ly``) and sets blanks round
    punctuation and before clitics (``the hotel 's address is , …``). Nothing else is changed.

    Examples
    --------
    >>> readable("child -s are welcome , the inn 's rooms are moderate -ly priced .")
    "children are welcome, the inn's rooms are moderately priced."
    """
    text = _MARKER.sub(_joined, text)
    text = _PUNCTUATION.sub("", _CLITIC.sub("", text))
    return " ".join(text.split())


def readable_references(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the distinct texts as plain English, in order.

    Examples
    --------
    >>> readable_references(("near soma ?", "near soma", "near soma ?"))
    ('near soma?', 'near soma')
    """
    return tuple(dict.fromkeys(map(readable, texts)))


def _joined(match: re.Match[str]) -> str:
    word, ending = match["word"], match["ending"]
    return _plural(word) if ending == "s" else word + ending


def _plural(noun: str) -> str:
    if noun == "child":
        return "children"
    if _SIBILANT.search(noun):
        return noun + "es"
    return _CONSONANT_AND_Y.sub("ie", noun) + "s"
