"""What is given to be scored, row by row: no other shape is taken for it in silence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set, Sized
from typing import Any

from rainbow.meaning import parse

__all__ = ["check_lengths", "mr_rows", "reference_rows", "text_rows"]


def text_rows(name: str, values: Any) -> list[str]:
    """Return texts as a list of strings.

    Raises
    ------
    ValueError
        If they are one string, have no order or no length, or one is no string.

    Examples
    --------
    >>> text_rows("outputs", ["the inn", None])
    Traceback (most recent call last):
    ValueError: outputs, row 2: None is no text: give a string (it may be empty)
    """
    rows = _rows(name, values)
    for row, text in enumerate(rows, start=1):
        if not isinstance(text, str):
            raise ValueError(f"{name}, row {row}: {text!r:.60} is no text: give a string (it may be empty)")
    return rows


def reference_rows(values: Any) -> list[tuple[str, ...]]:
    """Return the references of every row as a tuple of strings, where a row is a list of them, or None for none.

    Raises
    ------
    ValueError
        If a row is anything else: one string, or lists within lists.

    Examples
    --------
    >>> reference_rows([["an inn", "the inn"], None])
    [('an inn', 'the inn'), ()]
    """
    return [_references(row, texts) for row, texts in enumerate(_rows("references", values), start=1)]


def mr_rows(values: Any) -> list[str]:
    """Return the meaning representation of every row; empty where it is None.

    Raises
    ------
    ValueError
        If one is no string, or cannot be read.

    Examples
    --------
    >>> mr_rows(["inform(name=inn)", "inform(name"])
    Traceback (most recent call last):
    ValueError: mrs, row 2: cannot read the meaning representation 'inform(name' ...
    """
    rows = text_rows("mrs", ["" if mr is None else mr for mr in _rows("mrs", values)])
    for row, mr in enumerate(rows, start=1):
        try:
            _ = mr and parse(mr)
        except ValueError as error:
            raise ValueError(f"mrs, row {row}: {error}") from None
    return rows


def check_lengths(size: int, **columns: Sized | None) -> None:
    """Refuse columns that have not one entry for each of `size` outputs.

    Raises
    ------
    ValueError
        If one has another length; the message names it and both.

    Examples
    --------
    >>> check_lengths(2, references=[["an inn"]], mrs=None)
    Traceback (most recent call last):
    ValueError: references has 1 entries for 2 outputs: give one for each
    """
    for name, column in columns.items():
        if column is not None and len(column) != size:
            raise ValueError(f"{name} has {len(column)} entries for {size} outputs: give one for each")


def _rows(name: str, values: Any) -> list[Any]:
    if isinstance(values, str):
        raise ValueError(f"{name} is one string, {values!r:.40}: give a list with an entry for each output")
    if not _is_list(values):
        raise ValueError(f"{name} is {values!r:.60}: give a list with an entry for each output")
    return list(values)


def _references(row: int, texts: Any) -> tuple[str, ...]:
    if texts is None:
        return ()
    where = f"row {row}, references"
    if not _is_list(texts):
        raise ValueError(f"{where}: {texts!r:.60}: give a list of strings for each output")
    for text in texts:
        if not isinstance(text, str):
            raise ValueError(f"{where}: {text!r:.60} is no text: give a list of strings for each output")
    return tuple(texts)


def _is_list(values: Any) -> bool:
    """Return whether these are a list, an array or a series: a generator is read only once, a set has no order."""
    several = isinstance(values, Iterable) and isinstance(values, Sized)
    return several and not isinstance(values, str | bytes | Mapping | Set)
