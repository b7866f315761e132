"""Sheets of Excel workbooks as tables."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any
from zipfile import BadZipFile

from rainbow.base.lazy import pd
from rainbow.base.storage import Place
from rainbow.datasets.read.header import (
    FORM,
    MAX_HEADER_ROWS,
    check_width,
    deduplicate_names,
    is_form,
    read_header,
    repeated_names,
)

_LARGE = 1 << 24  # bytes: merged cells of larger workbooks are not read
_SEVERAL = 20  # rows in which a sheet that is a table has two rows with several cells

Table = tuple[list[str], list[list[str]]]  # names of columns, rows


def workbook_table(path: Place, sheet: str | None = None) -> pd.DataFrame:
    """Return the table in a sheet: by default the first, plus others with the same columns."""
    tables, others = _read_tables(path, sheet)
    columns = next(iter(tables.values()))[0]
    check_width(len(columns))
    if others and not sheet:
        read = ", ".join(map(repr, tables))
        warnings.warn(
            f"{path.name}: reading sheet {read}; choose another with --sheet: {', '.join(others)}", stacklevel=2
        )
    rows = [row for _, cells in tables.values() for row in cells]
    differing = {
        place for place, first in repeated_names(columns).items() if any(row[place] != row[first] for row in rows)
    }
    kept = deduplicate_names(columns, differing, path.name)
    frame = pd.DataFrame([[row[place] for place in kept] for row in rows], columns=list(kept.values()), dtype=object)
    if len(tables) > 1 and "sheet" not in frame:
        frame["sheet"] = [title for title, (_, cells) in tables.items() for _ in cells]
    return frame


def _read_tables(path: Place, sheet: str | None) -> tuple[dict[str, Table], list[str]]:
    """Return the tables with one set of columns by sheet name, and the other sheet names."""
    from openpyxl import load_workbook

    with path.open("rb") as file:
        try:
            book = load_workbook(file, read_only=path.stat().st_size > _LARGE, data_only=True)
            titles = list(book.sheetnames)
            if sheet is None or sheet in titles:
                tables = _sheet_tables(book, sheet)
                book.close()
        except BadZipFile:
            raise ValueError("it is not an Excel workbook: save it as .xlsx or .csv") from None
        except Exception as error:  # openpyxl raises what its XML and ZIP readers do
            raise ValueError(f"the Excel workbook cannot be read ({error}): save it as .xlsx or .csv") from None
    if sheet is not None and sheet not in titles:
        raise ValueError(f"unknown sheet {sheet!r}: choose from {', '.join(titles)}")
    if not tables:
        raise ValueError(FORM)
    return tables, [title for title in titles if title not in tables]


def _sheet_tables(book: Any, sheet: str | None) -> dict[str, Table]:
    starts = {one.title: _sheet_table(one, MAX_HEADER_ROWS) for one in book.worksheets if sheet in (None, one.title)}
    forms = [title for title, start in starts.items() if is_form(*start)]
    wanted = [title for title in starts if (sheet or _is_table(book[title])) and title not in forms]
    wanted = wanted or [title for title in starts if title not in forms][:1]
    return {title: _sheet_table(book[title]) for title in wanted if starts[title][0] == starts[wanted[0]][0]}


def _sheet_table(sheet: Any, limit: int | None = None) -> Table:
    """Return the column names of a sheet, and its rows or the first of them."""
    rows = sheet.iter_rows(values_only=True)
    first = list(islice(rows, MAX_HEADER_ROWS))
    width = max(map(len, first), default=0)
    names, used = read_header([[_cell_text(row, place).strip() for place in range(width)] for row in first])
    below = _fill_merged(sheet, chain(first[used:], rows), used + 1)
    columns = [place for place, name in enumerate(names) if name]
    filled = [[_cell_text(row, place) for place in columns] for row in islice(below, limit) if any(_is_filled(row))]
    return [names[place] for place in columns], filled


def _fill_merged(sheet: Any, rows: Iterable[tuple[Any, ...]], number: int) -> Iterator[tuple[Any, ...]]:
    """Yield rows with vertically merged cells filled; `number` is that of the first row."""
    merged = sheet.merged_cells.ranges if hasattr(sheet, "merged_cells") else ()
    ranges = [(part, range(part.min_row + 1, part.max_row + 1)) for part in merged if part.min_row >= number]
    below = {(row, part.min_col - 1) for part, rows_below in ranges for row in rows_below}
    above: tuple[Any, ...] = ()
    for place, row in enumerate(rows, number):
        above = tuple(above[column] if (place, column) in below else cell for column, cell in enumerate(row))
        yield above


def _is_table(sheet: Any) -> bool:
    """Return whether a sheet has rows with several cells, unlike a sheet of notes."""
    rows = islice(sheet.iter_rows(values_only=True), _SEVERAL)
    return sum(sum(_is_filled(row)) > 1 for row in rows) > 1


def _is_filled(row: tuple[Any, ...]) -> list[bool]:
    return [cell is not None and cell != "" for cell in row]


def _cell_text(row: tuple[Any, ...], place: int) -> str:
    """Return a cell as in a CSV file: empty if missing, numbers as digits."""
    cell = row[place] if place < len(row) else None
    return "" if cell is None else str(cell)
