"""Rows of saved tables, with their numbers and sentences about them."""

from __future__ import annotations

from typing import Any

from rainbow.base.formatting import RowFormatter
from rainbow.reports.number_format import FORMATS, Number, NumberFormat, format_interval, format_range, format_signed

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
