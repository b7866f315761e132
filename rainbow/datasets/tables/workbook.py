"""A sheet of an Excel workbook as a table."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from rainbow.base.storage import Place, opened
from rainbow.corpus.corpus_table import written_number
from rainbow.datasets.tables.headers import check_columns

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["workbook_table"]


_LARGE = 1 << 24  # bytes: of larger ones it is not read which cells are merged
_TITLES = 10  # rows, at most, that a title stands in before the names of columns


def workbook_table(path: Place, sheet: str | None = None) -> pd.DataFrame:
    """Return the table in a sheet; of a formula, the value that was saved, of cells that are merged downwards in each.

    Its first row names the columns; lines with one cell before it are a title.

    Parameters
    ----------
    path
        The workbook (``.xlsx``).
    sheet
        The name of the sheet, by default the first that holds a table: two columns or more, and a row. Others with the
        same columns are read with it, as one table with a column ``sheet``.

    Raises
    ------
    ValueError
        If it is no workbook, has no such sheet, or two columns of one name.
    """
    import pandas as pd
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(opened(path), read_only=path.stat().st_size > _LARGE, data_only=True)
    except (BadZipFile, InvalidFileException, KeyError, OSError, ValueError) as error:
        raise ValueError(f"it is no Excel workbook that can be read ({error}): save it as .xlsx or .csv") from None
    try:
        if sheet is not None and sheet not in book.sheetnames:
            raise ValueError(f"it has no sheet {sheet!r}: there are {', '.join(book.sheetnames)}")
        wanted = [one for one in book.worksheets if (one.title == sheet if sheet else _is_table(one))]
        wanted = wanted or book.worksheets[:1]
        columns = _table(wanted[0], 0)[0]
        tables = {one.title: _table(one)[1] for one in wanted if _table(one, 0)[0] == columns}
    finally:
        book.close()
    check_columns(columns)
    others = [title for title in book.sheetnames if title not in tables]
    if others and not sheet:
        read = ", ".join(map(repr, tables))
        warnings.warn(f"{path.name}: sheet {read} is read: --sheet names another: {', '.join(others)}", stacklevel=2)
    parts = [pd.DataFrame(rows, columns=columns, dtype=object) for rows in tables.values()]
    if len(parts) > 1 and "sheet" not in columns:
        parts = [part.assign(sheet=title) for title, part in zip(tables, parts, strict=True)]
    return pd.concat(parts, ignore_index=True)


def _table(sheet: Any, most: int | None = None) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns of a sheet, and its rows, or so many of them at most."""
    rows = sheet.iter_rows(values_only=True)
    first = list(islice(rows, _TITLES))
    start = next((place for place, row in enumerate(first) if sum(_has(row)) > 1), 0)
    header, second = ([*map(_name, row)] for row in (*first[start : start + 2], (), ())[:2])
    if _is_above(header, second):
        between = " " if sum(map(bool, header)) < sum(map(bool, second)) else " / "
        header = [between.join(filter(None, names)) for names in zip_longest(_spread(header), second)]
        start += 1
    rows = _down(sheet, chain(first[start + 1 :], rows), start + 2)
    columns = [place for place, name in enumerate(header) if name]
    filled = [[_cell(row, place) for place in columns] for row in islice(rows, most) if any(_has(row))]
    return [header[place] for place in columns], filled


def _down(sheet: Any, rows: Iterable[tuple[Any, ...]], number: int) -> Iterator[tuple[Any, ...]]:
    """Return rows, the first of this number, with what stands in the first of merged cells in those below it too."""
    merged = sheet.merged_cells.ranges if hasattr(sheet, "merged_cells") else ()
    below = {(row, part.min_col - 1) for part in merged if part.min_row >= number for row in _rows_below(part)}
    above: tuple[Any, ...] = ()
    for place, row in enumerate(rows, number):
        above = tuple(above[column] if (place, column) in below else cell for column, cell in enumerate(row))
        yield above


def _rows_below(part: Any) -> range:
    return range(part.min_row + 1, part.max_row + 1)


def _is_table(sheet: Any) -> bool:
    """Return whether a sheet has rows of several cells, unlike one of notes."""
    rows = islice(sheet.iter_rows(values_only=True), 2 * _TITLES) if hasattr(sheet, "iter_rows") else ()
    return sum(sum(_has(row)) > 1 for row in rows) > 1


def _name(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()


def _is_above(header: list[str], second: list[str]) -> bool:
    """Return whether names of groups of columns stand in the first line, and those of columns in the second."""
    groups, names = ([name for name in line if name] for line in (header, second))
    # Columns without a group may have their names in the first line, where those of groups leave cells empty.
    merged = 0 < len(groups) < len(header) and all(map(any, zip_longest(header, second)))
    fewer = merged or 0 < len(groups) < len(names)
    return fewer and len({*names}) < len(names) and not any(map(written_number, names))


def _spread(header: list[str]) -> list[str]:
    """Return the name of a group for each of its columns: cells that are merged have it in the first alone."""
    spread: list[str] = []
    for name in header:
        spread.append(name or (spread[-1] if spread else ""))
    return spread


def _has(row: tuple[Any, ...]) -> list[bool]:
    return [cell is not None and cell != "" for cell in row]


def _cell(row: tuple[Any, ...], place: int) -> str:
    """Return a cell as a CSV file would have it: empty where there is nothing, a number by its digits."""
    cell = row[place] if place < len(row) else None
    return "" if cell is None else cell if isinstance(cell, str) else str(cell)
