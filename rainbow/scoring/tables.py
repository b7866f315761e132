"""Tables that are saved: each is declared once, in ``tables.py`` of the room that makes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rainbow.base.files import write_csv

if TYPE_CHECKING:
    import pandas as pd

# Columns that hold text in every table that has them.
TEXTS = ("dataset", "system", "rating", "metric", "reason", "id", "item")


class Table(NamedTuple):
    """A table of results, a CSV file in the folder of an analysis."""

    name: str  # of its file, without ``.csv``
    question: str  # that it answers
    columns: str = ""  # that hold text beside :data:`TEXTS`, however much they may look like numbers

    @property
    def texts(self) -> set[str]:
        """All columns that hold text."""
        return {*TEXTS, *self.columns.split()}


def write_tables(folder: Path, tables: Mapping[str, pd.DataFrame], *, guard: bool = False) -> None:
    """Write each table as ``NAME.csv``; `guard` keeps spreadsheets from taking cells for formulas."""
    for name, table in tables.items():
        write_csv(folder / f"{name}.csv", table, guard=guard)
