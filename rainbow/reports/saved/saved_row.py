"""Rows of saved tables, with their numbers and sentences about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

from rainbow.reports.number_format import FORMATS, Number, NumberFormat, format_interval, format_range, format_signed

# Fields of a template that stand for two columns, the ends of an interval: ``{range:fixed}`` for low and high,
# ``{range[ceiling]:fixed}`` for ceiling_low and ceiling_high.
ENDS = {"interval": format_interval, "range": format_range}


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
        return _RowFormatter(self._row).vformat(template, (), names) if "{" in template else template


class _RowFormatter(Formatter):
    """Fields are columns of a row, format specifications names of number formats."""

    def __init__(self, row: Any) -> None:
        self.row = row

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        name, _, prefix = field_name.rstrip("]").partition("[")
        if name not in ENDS:
            return (kwargs[name] if name in kwargs else getattr(self.row, name)), name
        low, high = (getattr(self.row, f"{prefix}_{end}".lstrip("_")) for end in ("low", "high"))
        return (ENDS[name], low, high), name

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec not in FORMATS:
            return format(value, format_spec)
        form = FORMATS[format_spec]
        return value[0](*value[1:], form) if isinstance(value, tuple) else form(value)
