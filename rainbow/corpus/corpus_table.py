"""The table behind a corpus: every column filled in, and every row checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rainbow.meaning import MeaningRepresentation, parse

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "COLUMNS",
    "RowError",
    "check_texts",
    "check_unique",
    "parsed_meaning",
    "reference_sets",
    "with_defaults",
    "with_ratings",
]

COLUMNS = ("id", "dataset", "system", "item", "mr", "mr_type", "output", "references")


class RowError(ValueError):
    """What is wrong with one row.

    Parameters
    ----------
    row
        Which one, counted from 1.
    problem
        The field, and what is wrong with it.

    Examples
    --------
    >>> error = RowError(3, "mr: it is empty")
    >>> str(error), str(error.after(100))
    ('row 3, mr: it is empty', 'row 103, mr: it is empty')
    """

    def __init__(self, row: int, problem: str) -> None:
        super().__init__(row, problem)
        self.row, self.problem = row, problem

    def __str__(self) -> str:
        return f"row {self.row}, {self.problem}"

    def after(self, rows: int) -> RowError:
        """Return the same error where so many other rows come before."""
        return RowError(self.row + rows, self.problem)


def parsed_meaning(row: int, text: str) -> MeaningRepresentation:
    """Return the meaning representation of a row; RowError if it cannot be read."""
    try:
        return parse(text)
    except ValueError as error:
        raise RowError(row, f"mr: {error}") from None


def with_defaults(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with every column of a corpus, in their order, then the others.

    Raises
    ------
    ValueError
        If there is no output, or references or meaning representations cannot be read; the message names the row.
    """
    if "output" not in frame:
        raise ValueError("the table has no column 'output': say which column holds the generated texts")
    frame = frame.reset_index(drop=True)
    size = len(frame)
    columns: dict[str, Any] = {name: frame[name] for name in COLUMNS if name in frame}
    columns.setdefault("id", [str(row) for row in range(1, size + 1)])
    for name in ("dataset", "system", "mr"):
        columns[name] = _filled(columns[name]) if name in columns else [""] * size
    columns["references"] = reference_sets(columns["references"]) if "references" in columns else [()] * size
    if "item" not in columns:
        columns["item"] = _items(columns["id"], columns["mr"], columns["references"])
    if "mr_type" not in columns:
        columns["mr_type"] = [
            parsed_meaning(row, text).act if text else "" for row, text in enumerate(columns["mr"], 1)
        ]
    others = {name: frame[name] for name in frame if name not in COLUMNS}
    return type(frame)({name: _objects(columns[name]) for name in COLUMNS} | others)


def _objects(values: Any) -> pd.Series[Any]:
    """Return a column of Python objects: pandas' own string type would turn None into a float."""
    import pandas as pd

    return pd.Series(list(values), dtype=object)


def _filled(values: pd.Series[Any]) -> list[Any]:
    """Return the values with the empty string where there is none."""
    return ["" if missing else value for value, missing in zip(values, values.isna(), strict=True)]


def reference_sets(column: Iterable[Any]) -> list[tuple[str, ...]]:
    """Return the references of every row as a tuple; RowError if a row has anything but a list of texts."""
    return [_as_tuple(row, value) for row, value in enumerate(column, start=1)]


def _as_tuple(row: int, value: object) -> tuple[str, ...]:
    if value is None or (isinstance(value, float) and value != value):
        return ()
    if isinstance(value, str):
        raise RowError(row, f"references: one string {value[:40]!r}: give a list of references")
    if not isinstance(value, Iterable):
        raise RowError(row, f"references: {value!r} is no list of references")
    texts = tuple(value)
    for text in texts:
        if not isinstance(text, str):
            raise RowError(row, f"references: {text!r} is no text: give a list of strings for each row")
    return texts


def _items(ids: Any, mrs: Any, references: Any) -> list[str]:
    """Name the input of every row: rows with the same input are outputs for one item."""
    return [
        mr or (" | ".join(texts) if texts else identity)
        for identity, mr, texts in zip(ids, mrs, references, strict=True)
    ]


def check_texts(frame: pd.DataFrame) -> None:
    """Refuse, with RowError, what is no text where one must be."""
    for name in COLUMNS[:-1]:
        for row, value in enumerate(frame[name], start=1):
            if not isinstance(value, str):
                raise RowError(row, f"{name}: {value!r} is no text: give a string (it may be empty)")


def check_unique(ids: Sequence[str]) -> None:
    """Refuse, with RowError, an id that another row has."""
    first: dict[str, int] = {}
    for row, identity in enumerate(ids, start=1):
        if identity in first:
            raise RowError(row, f"id: {identity!r} already stands in row {first[identity]}")
        first[identity] = row


def with_ratings(frame: pd.DataFrame, ratings: Sequence[str]) -> pd.DataFrame:
    """Return the table with these columns as numbers, NaN where there is none.

    Raises
    ------
    ValueError
        If there is no such column, or a cell is no number; the message names the row.
    """
    for name in ratings:
        if name not in frame:
            raise ValueError(f"there is no rating column {name!r}: the table has {', '.join(map(str, frame.columns))}")
        frame[name] = [_number(row, name, value) for row, value in enumerate(frame[name], start=1)]
    return frame


def _number(row: int, name: str, value: Any) -> float:
    try:
        return float("nan") if value is None or value == "" else float(value)
    except (TypeError, ValueError):
        raise RowError(row, f"{name}: {value!r} is no number") from None
