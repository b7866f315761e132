"""Tokens of ASCII letters and digits, as ROUGE counts them."""

import re

__all__ = ["alphanumeric_tokens"]

_TOKEN = re.compile(r"[a-z0-9]+")


def alphanumeric_tokens(text: str) -> list[str]:
    """Return the runs of ASCII letters and digits of a text, lower-cased; all else separates them.

    Examples
    --------
    >>> alphanumeric_tokens("The Inn's £50.")
    ['the', 'inn', 's', '50']
    """
    return _TOKEN.findall(text.lower())
