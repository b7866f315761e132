"""Data inside a page: packed, and as text that no content can break out of."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rainbow.reports.grid import Grid
from rainbow.reports.number import six

if TYPE_CHECKING:
    import pandas as pd


def script_json(value: Any) -> str:
    r"""Return a value as JSON that may stand inside a ``<script>`` element, whatever texts are in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def packed(value: Any) -> str:
    """Return a value as JSON, compressed (zlib, RFC 1950) and in base64: browsers expand that without help."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"))).decode()


def embedded(tables: Mapping[str, pd.DataFrame]) -> str:
    """Return tables as JSON, name to packed columns."""
    return script_json(
        {name: packed({str(column): _values(table[column]) for column in table}) for name, table in tables.items()}
    )


def _values(column: pd.Series[Any]) -> list[Any]:
    """Return a column as JSON has it: null for what is missing, lists of texts as they are."""
    return [_value(value) for value in column.tolist()]


def _value(value: Any) -> Any:
    value = value.tolist() if hasattr(value, "tolist") else value  # of NumPy
    if isinstance(value, float):
        return None if math.isnan(value) else six(value) if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): _value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_value(inner) for inner in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def grids_in(data: Any) -> Iterable[Grid]:
    """Return all tables for the page that stand somewhere in the data of a section."""
    if isinstance(data, Grid):
        yield data
    elif isinstance(data, Mapping):
        yield from (grid for value in data.values() for grid in grids_in(value))
    elif isinstance(data, list | tuple):
        yield from (grid for value in data for grid in grids_in(value))


def cells(grids: Iterable[Grid]) -> str:
    """Return what the cells of tables hold beside what is seen, row by row: value, place in a saved table, details."""
    found = {grid.name: [cell for row in grid.rows for cell in row.cells] for grid in grids}
    return packed(
        {
            name: [[cell.number.raw for cell in own], [cell.number.source for cell in own], [cell.tip for cell in own]]
            for name, own in found.items()
        }
    )
