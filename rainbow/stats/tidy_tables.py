"""Tidy result tables: one row per result, with None where there is no reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rainbow.base.lazy import pd

# The column that says why a line has no number.
REASON = "reason"


def tidy_table(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Return a table with these columns in order and one line per row, even if empty.

    Shapes: returns (rows, columns).
    """
    lines = list(rows)
    table = pd.DataFrame(lines, columns=list(columns))
    if REASON in table:
        table[REASON] = pd.Series([line.get(REASON) for line in lines], dtype=object)
    return table


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table as dictionaries."""
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def require_columns(frame: pd.DataFrame, columns: Iterable[str]) -> None:
    """Raise an error if a table lacks one of these columns."""
    if missing := [name for name in columns if name not in frame]:
        raise ValueError(
            f"the table has no column {missing[0]!r}: the columns are {', '.join(map(str, frame.columns))}"
        )
