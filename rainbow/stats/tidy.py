"""Tidy tables of results: a line for every result, and None where nothing is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["records", "require", "tidy"]

# The column that says why a line has no number.
REASON = "reason"


def tidy(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Return a table of these columns, in their order, with a line for every row; also if there is none.

    Parameters
    ----------
    rows
        Values by column.
    columns
        The columns of the table. In `reason` None stays None, where pandas would make it NaN.

    Returns
    -------
    DataFrame
        Shape (rows, columns).

    Examples
    --------
    >>> table = tidy([{"r": 0.5, "reason": None}, {"r": float("nan"), "reason": "x is constant"}], ["r", "reason"])
    >>> table["reason"].tolist()
    [None, 'x is constant']
    >>> len(tidy([], ["r", "reason"]))
    0
    """
    import pandas as pd

    lines = list(rows)
    table = pd.DataFrame(lines, columns=list(columns))
    if REASON in table:
        table[REASON] = pd.Series([line[REASON] for line in lines], dtype=object)
    return table


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table, values by the names of columns.

    Examples
    --------
    >>> records(tidy([{"r": 0.5}], ["r"]))
    [{'r': 0.5}]
    """
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def require(frame: pd.DataFrame, columns: Iterable[str]) -> None:
    """Refuse a table that lacks one of these columns.

    Raises
    ------
    ValueError
        If it does; the message names the first and what the table has.

    Examples
    --------
    >>> import pandas as pd
    >>> require(pd.DataFrame({"TER": [0.5]}), ["TER", "quality"])
    Traceback (most recent call last):
    ValueError: the table has no column 'quality': it has TER
    """
    if missing := [name for name in columns if name not in frame]:
        raise ValueError(f"the table has no column {missing[0]!r}: it has {', '.join(map(str, frame.columns))}")
