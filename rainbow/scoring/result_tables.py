"""Declarations and writing of result tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rainbow.base.files import write_csv
from rainbow.base.lazy import pd

# Columns that hold text in every table that has them.
TEXTS = ("dataset", "system", "rating", "metric", "reason", "id", "item")


class Table(NamedTuple):
    """A table of results, saved as CSV in an analysis folder."""

    name: str  # of its file, without ``.csv``
    question: str  # that it answers
    columns: str = ""  # that hold text in addition to :data:`TEXTS`, even if they look like numbers

    @property
    def texts(self) -> set[str]:
        """Columns that hold text."""
        return {*TEXTS, *self.columns.split()}


def write_tables(folder: Path, tables: Mapping[str, pd.DataFrame], *, guard: bool = False) -> None:
    """Write each table as ``NAME.csv``; `guard` escapes spreadsheet formulas."""
    for name, table in tables.items():
        write_csv(folder / f"{name}.csv", table, guard=guard)
