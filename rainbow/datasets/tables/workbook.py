"""A sheet of an Excel workbook as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from rainbow.base.storage import Place, opened
from rainbow.datasets.tables.headers import check_columns

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["workbook_table"]


def workbook_table(path: Place, sheet: str | None = None) -> pd.DataFrame:
    """Return the table in a sheet whose first row names the columns; of a formula, the value that was saved.

    Parameters
    ----------
    path
        The workbook (``.xlsx``).
    sheet
        The name of the sheet, by default the first.

    Raises
    ------
    ValueError
        If it is no workbook, has no such sheet, or two columns of one name.
    """
    import pandas as pd
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(opened(path), read_only=True, data_only=True)
    except (BadZipFile, InvalidFileException, KeyError, OSError, ValueError) as error:
        raise ValueError(f"it is no Excel workbook that can be read ({error}): save it as .xlsx or .csv") from None
    try:
        if sheet is not None and sheet not in book.sheetnames:
            raise ValueError(f"it has no sheet {sheet!r}: there are {', '.join(book.sheetnames)}")
        rows = (book[sheet] if sheet else book.worksheets[0]).iter_rows(values_only=True)
        header = [None if cell is None else str(cell).strip() for cell in next(rows, ())]
        columns = [place for place, name in enumerate(header) if name]
        names = [str(header[place]) for place in columns]
        check_columns(names)
        filled = [[_cell(row, place) for place in columns] for row in rows if any(_has(row))]
    finally:
        book.close()
    return pd.DataFrame(filled, columns=names, dtype=object)


def _has(row: tuple[Any, ...]) -> list[bool]:
    return [cell is not None and cell != "" for cell in row]


def _cell(row: tuple[Any, ...], place: int) -> str:
    """Return a cell as a CSV file would have it: empty where there is nothing, a number by its digits."""
    cell = row[place] if place < len(row) else None
    return "" if cell is None else cell if isinstance(cell, str) else str(cell)
