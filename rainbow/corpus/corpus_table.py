"""The table behind a corpus: every column filled in, and every row checked."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rainbow.corpus.rows import RowError, item_name, parsed_meanings, reference_sets, texts_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "checked_table"]

COLUMNS = ("id", "dataset", "system", "item", "mr", "mr_type", "output", "references")


def checked_table(frame: pd.DataFrame, ratings: Sequence[str]) -> pd.DataFrame:
    """Return the table with every column of a corpus, in their order, then the others, ratings as numbers; all checked.

    Raises
    ------
    ValueError
        If there is no output, or no such rating column.
    RowError
        If a row has the id of another, no number as a rating, something else than a text or a list of references, or a
        meaning representation that cannot be read.
    """
    if "output" not in frame:
        raise ValueError("the table has no column 'output': say which column holds the generated texts")
    frame = frame.reset_index(drop=True)
    given = {name: frame[name] for name in COLUMNS if name in frame}
    size = len(frame)
    columns: dict[str, Any] = {
        "id": texts_of("id", given.get("id", list(map(str, range(1, size + 1))))),
        "output": texts_of("output", given["output"]),
        "references": reference_sets("references", given.get("references", [()] * size)),
    }
    for name in ("dataset", "system", "mr"):
        columns[name] = texts_of(name, _filled(given[name])) if name in given else [""] * size
    for name, default in _DERIVED.items():
        columns[name] = texts_of(name, given[name] if name in given else default(columns))
    _check_unique(columns["id"])
    others = {name: frame[name] for name in frame if name not in COLUMNS} | _numbers(frame, ratings)
    return type(frame)({name: _objects(columns[name]) for name in COLUMNS} | others)


def _filled(values: pd.Series[Any]) -> list[Any]:
    """Return the values with the empty string where there is none."""
    return ["" if missing else value for value, missing in zip(values, values.isna(), strict=True)]


def _items(columns: Mapping[str, Any]) -> list[str]:
    rows = zip(columns["mr"], columns["references"], columns["id"], strict=True)
    return [item_name(mr, references, identity) for mr, references, identity in rows]


def _acts(columns: Mapping[str, Any]) -> list[str]:
    return [meaning.act if meaning else "" for meaning in parsed_meanings(columns["mr"])]


# What follows from other columns where it is not given.
_DERIVED = {"item": _items, "mr_type": _acts}


def _objects(values: Sequence[Any]) -> pd.Series[Any]:
    """Return a column of Python objects: pandas' own string type would turn None into a float."""
    import pandas as pd

    return pd.Series(values, dtype=object)


def _check_unique(ids: Sequence[str]) -> None:
    first: dict[str, int] = {}
    for row, identity in enumerate(ids, start=1):
        if identity in first:
            raise RowError(row, f"id: {identity!r} already stands in row {first[identity]}")
        first[identity] = row


def _numbers(frame: pd.DataFrame, ratings: Sequence[str]) -> dict[Hashable, Any]:
    """Return these columns as numbers, NaN where there is none."""
    if missing := [name for name in ratings if name not in frame]:
        raise ValueError(
            f"there is no rating column {missing[0]!r}: the table has {', '.join(map(str, frame.columns))}"
        )
    return {name: [_number(row, name, value) for row, value in enumerate(frame[name], start=1)] for name in ratings}


def _number(row: int, name: str, value: Any) -> float:
    try:
        return float("nan") if value is None or value == "" else float(value)
    except (TypeError, ValueError):
        raise RowError(row, f"{name}: {value!r} is no number") from None
