"""The definitions of scores that a model was made with, against those of this machine."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["check_definitions"]

# Before the view, which ends a signature.
_VERSION = re.compile(r"\|version:[^|]*(?=\|view:[^|]*$)")


def check_definitions(saved: Mapping[str, str], here: Mapping[str, str]) -> None:
    """Refuse a model whose columns are defined otherwise than here: what it learned would not hold.

    Parameters
    ----------
    saved, here
        The signature of every column; RAINBOW's version does not count.

    Raises
    ------
    ValueError
        If a signature differs; the message names the column and the first difference.

    Examples
    --------
    >>> check_definitions({"RE": "readability|syllables:a1"}, {"RE": "readability|syllables:b2"})
    Traceback (most recent call last):
    ValueError: this model was made with other definitions: RE was made with 'syllables:a1', and here has 'syllables:b2'
    """
    for column, signature in saved.items():
        then, now = (_VERSION.sub("", text) for text in (signature, here.get(column, "")))
        if then != now:
            before, after = _first_difference(then, now)
            raise ValueError(
                f"this model was made with other definitions: {column} was made with {before!r}, and here has {after!r}"
            )


def _first_difference(then: str, now: str) -> tuple[str, str]:
    parts, others = then.split("|"), now.split("|")
    for part, other in zip(parts, others, strict=False):
        if part != other:
            return part, other
    size = min(len(parts), len(others))
    return "|".join(parts[size:]), "|".join(others[size:])
