"""Names of columns that no table may have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

__all__ = ["check_columns", "check_names"]

MOST_COLUMNS = 10_000
_NAME = 4  # words that the name of a column has at most, but for a question


def check_columns(columns: Sequence[str]) -> None:
    """Refuse a table with very many columns, or two of one name, of which only the first would be looked at.

    Raises
    ------
    ValueError
        If it is so.

    Examples
    --------
    >>> check_columns(["text", "ref", "ref"])
    Traceback (most recent call last):
    ValueError: two columns are named 'ref': give each a name of its own (references may stand in several columns)
    """
    if len(columns) > MOST_COLUMNS:
        raise ValueError(f"there are {len(columns):,} columns: at most {MOST_COLUMNS:,} are read")
    if twice := next((name for name, times in Counter(columns).items() if times > 1), None):
        raise ValueError(
            f"two columns are named {twice!r}: give each a name of its own (references may stand in several columns)"
        )


def check_names(names: Sequence[str]) -> None:
    """Refuse a table whose first line is a row: it has a number, and a text, in place of names of columns.

    Raises
    ------
    ValueError
        If it is so.

    Examples
    --------
    >>> check_names(["The inn is cheap and near.", "4"])
    Traceback (most recent call last):
    ValueError: the first line holds 'The inn is cheap and near.' and '4': is it a row? Write names of columns before it
    """
    numbers = [name for name in names if re.fullmatch(r"\d+([.,]\d+)?", name)]
    texts = [name for name in names if len(name.split()) > _NAME and "?" not in name]
    if texts and (numbers or len(texts) == len(names) > 1):
        other = [*numbers, *texts[1:]][0]
        raise ValueError(
            f"the first line holds {texts[0]!r:.60} and {other!r:.60}: is it a row? Write names of columns before it"
        )
