"""Names of columns that no table may have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

__all__ = ["check_columns"]

MOST_COLUMNS = 10_000


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
