"""Validation of everything that is passed row by row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set, Sized
from typing import Any
from unicodedata import normalize

from rainbow.meaning import MeaningRepresentation, parse_if_structured
from rainbow.meaning.formats import check_format

_NO_LISTS = (str, bytes, Mapping, Set)


class RowError(ValueError):
    """An error in one row."""

    def __init__(self, row: int, problem: str) -> None:
        super().__init__(row, problem)
        self.row, self.problem = row, problem

    def __str__(self) -> str:
        return f"row {self.row}, {self.problem}"

    def after(self, rows: int) -> RowError:
        """Return the same error with the row number increased."""
        return RowError(self.row + rows, self.problem)


def validate_texts(name: str, values: Any, *, optional: bool = False) -> list[str]:
    """Return texts as strings in NFC; if `optional`, None and NaN become the empty string."""
    texts = as_rows(name, values)
    for place, text in enumerate(texts):
        if isinstance(text, str):
            if not text.isascii():
                texts[place] = to_nfc(text)
            continue
        if not (optional and _is_missing(text)):
            raise RowError(
                place + 1, f"{_entry_name(name)}: {text!r:.60} is not a text: give a string (it may be empty)"
            )
        texts[place] = ""
    return texts


def validate_references(name: str, values: Any, *, single: bool = False) -> list[tuple[str, ...]]:
    """Return the references of every row as a tuple of strings in NFC; a row is a list, None or NaN."""
    rows = enumerate(as_rows(name, values), start=1)
    return [_references(row, (texts,) if single and isinstance(texts, str) else texts, name) for row, texts in rows]


def _references(row: int, texts: Any, name: str) -> tuple[str, ...]:
    if _is_missing(texts):
        return ()
    if isinstance(texts, str):
        raise RowError(row, f"{name}: a single string {texts!r:.60}: give a list of strings")
    if not _is_list(texts):
        raise RowError(row, f"{name}: {texts!r:.60} is not a list: give a list of strings")
    for text in texts:
        if not isinstance(text, str):
            raise RowError(row, f"{name}: {text!r:.60} is not a text: give a list of strings")
    given = tuple(texts)
    return given if all(map(str.isascii, given)) else tuple(map(to_nfc, given))


def to_nfc(text: str) -> str:
    """Return a text in Unicode NFC."""
    return normalize("NFC", text)


def parse_meanings(mrs: Iterable[str], mr_format: str | None = None) -> tuple[MeaningRepresentation | None, ...]:
    """Return the parsed meaning representation of every row; None if it is empty or free text."""
    check_format(mr_format)
    results: list[MeaningRepresentation | None] = []
    for row, text in enumerate(mrs, start=1):
        try:
            results.append(parse_if_structured(text, mr_format) if text else None)
        except ValueError as error:
            raise RowError(row, f"mr: {error}") from None
    return tuple(results)


def check_lengths(size: int, columns: Mapping[str, Any], subject: str = "outputs") -> None:
    """Raise an error for a column that is not a list of length `size`; None means no column."""
    for name, values in columns.items():
        if values is None:
            continue
        _check_list(name, values)
        if len(values) != size:
            raise ValueError(f"{name} has {len(values)} entries for {size} {subject}: give one for each")


def item_name(mr: str, references: Sequence[str], default: str = "") -> str:
    """Return the item of a row; rows with the same input belong to one item."""
    return mr or (" | ".join(references) if references else default)


def as_rows(name: str, values: Any) -> list[Any]:
    """Return an argument as a list; ValueError for a string or an unordered or unsized collection."""
    _check_list(name, values)
    return list(values)


def _check_list(name: str, values: Any) -> None:
    if isinstance(values, str):
        raise ValueError(f"{name} is a single string, {values!r:.40}: give a list with an entry for each row")
    if not _is_list(values):
        raise ValueError(f"{name} is {values!r:.60}: give a list with an entry for each row")


def _is_list(values: Any) -> bool:
    """Return whether a value is a list, array or series; generators and sets are not."""
    if isinstance(values, (list, tuple)):
        return True
    return isinstance(values, Iterable) and isinstance(values, Sized) and not isinstance(values, _NO_LISTS)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _entry_name(name: str) -> str:
    """Return the name of one entry of an argument in error messages."""
    return name if name == "references" else name.removesuffix("s")
