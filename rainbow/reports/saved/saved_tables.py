"""Saved tables, read without loss of digits."""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import numpy as np

from rainbow.analysis.analyse import TABLES as ANALYSIS
from rainbow.analysis.system_estimates import SYSTEM_ESTIMATES
from rainbow.audit.audit_tables import TABLES as AUDIT
from rainbow.base.formatting import RowFormatter
from rainbow.base.lazy import pd
from rainbow.learned.tables import TABLES as LEARNED
from rainbow.reports.number_format import FORMATS, Number, NumberFormat, format_interval, format_range, format_signed
from rainbow.scoring.result_tables import Table
from rainbow.systems.tables import POSITION_BIAS, PREFERENCES
from rainbow.systems.tables import TABLES as SYSTEMS

# Every table that may lie in the folder of an analysis, by its name.
TABLES = {
    table.name: table for table in (*ANALYSIS, SYSTEM_ESTIMATES, *LEARNED, *AUDIT, *SYSTEMS, PREFERENCES, POSITION_BIAS)
}


FORMATTER = RowFormatter(FORMATS, interval=format_interval, range=format_range)


class SavedRow:
    """A row of a saved table; its columns are attributes."""

    __slots__ = ("_row", "_source")

    def __init__(self, row: Any, source: str) -> None:
        self._row, self._source = row, source

    def __getattr__(self, column: str) -> Any:
        return getattr(self._row, column)

    def number(self, column: str, form: NumberFormat = format_signed) -> Number:
        """Return one number of the row with its source."""
        value = float(getattr(self._row, column))
        return Number(value, form(value), f"{self._source}:{self._row.Index}:{column}")

    def text(self, template: str, **names: Any) -> str:
        """Return a template with columns and `names` filled in, each in the number format that follows its colon."""
        return FORMATTER.fill(template, self._row, **names)


class SavedFile(NamedTuple):
    """An input file of a report: name, content and SHA-256."""

    name: str
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, kw_only=True)
class SavedTables:
    """Saved tables of a dataset."""

    name: str  # of the dataset; ``-published`` is part of it where things were computed as they were published
    # the tables of ``analysis/NAME/`` by name; a row's label is its place in the file, from 0
    tables: Mapping[str, pd.DataFrame]
    files: tuple[SavedFile, ...]  # what all this was read from
    prefix: str = ""  # begins the sources of numbers, on a page about several datasets

    def __getstate__(self) -> dict[str, Any]:
        """Drop the files when pickled; figures need only the tables."""
        return vars(self) | {"files": ()}

    @property
    def page(self) -> str:
        """Name of the page, and of its file."""
        return self.name.strip("/").replace("/", "-")

    @property
    def by_file(self) -> dict[str, pd.DataFrame]:
        """CSV tables by file name."""
        stems = {file.name: PurePosixPath(file.name) for file in self.files}
        return {name: self.tables[path.stem] for name, path in stems.items() if path.suffix == ".csv"}

    def number(self, table: str, row: Any, column: str, form: NumberFormat = format_signed) -> Number:
        """Return one number of a table with its source."""
        value = float(self.tables[table].at[row, column])  # type: ignore[arg-type]  # a column of numbers
        return Number(value, form(value), f"{self.prefix}{table}:{row}:{column}")

    def rows(self, table: str, **filters: str) -> pd.DataFrame:
        """Return the rows with these values; none if the table is missing."""
        if table not in self.tables:
            return pd.DataFrame()
        frame = self.tables[table]
        values = np.ones(len(frame), dtype=bool)
        for column, value in filters.items():
            values &= (frame[column] == value).to_numpy()
        return frame[values]

    def lines(self, table: str, **filters: str) -> list[SavedRow]:
        """Return the rows with these values one by one."""
        return self.lines_of(table, self.rows(table, **filters))

    def lines_of(self, table: str, rows: pd.DataFrame) -> list[SavedRow]:
        """Return chosen rows of a table one by one."""
        return [SavedRow(row, f"{self.prefix}{table}") for row in rows.itertuples()]

    def lookup(self, table: str, *columns: str, **filters: str) -> dict[Any, SavedRow]:
        """Return the rows with the `filters` values, indexed by `columns`."""
        key = attrgetter(*columns)
        return {key(line): line for line in self.lines(table, **filters)}


def read_tables(files: tuple[SavedFile, ...]) -> dict[str, pd.DataFrame]:
    """Return the tables among files by name."""
    paths = {PurePosixPath(file.name): file.content for file in files}
    return {
        path.stem: read_table(content, TABLES[path.stem]) for path, content in paths.items() if path.suffix == ".csv"
    }


def read_table(content: bytes, table: Table) -> pd.DataFrame:
    """Read a CSV file with exact numbers, and names such as NA or 1 as text."""
    read = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
    return read.assign(**{str(name): _numeric_column(read[name].tolist()) for name in read if name not in table.texts})


def _numeric_column(texts: list[str]) -> list[float] | list[str]:
    """Return a column as numbers with NaN for empty cells; unchanged if it holds other text."""
    try:
        return [float(text) if text else math.nan for text in texts]
    except ValueError:
        return texts
