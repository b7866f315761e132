"""Data embedded in a page, compressed and escaped."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from rainbow.base.lazy import pd
from rainbow.meaning import MeaningRepresentation, parse_if_structured
from rainbow.meaning.compiled_realisation import known_values
from rainbow.meaning.realisation import realisation
from rainbow.reports.grid import Grid
from rainbow.reports.number_format import format_raw
from rainbow.text.words.mentions import mention_words


def script_json(value: Any) -> str:
    r"""Return a value as JSON that is safe inside a ``<script>`` element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def compress_json(value: Any) -> str:
    """Return a value as zlib-compressed JSON in base64, which browsers can expand."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"))).decode()


def embed_tables(tables: Mapping[str, pd.DataFrame]) -> str:
    """Return tables as JSON of compressed columns."""
    return script_json(
        {
            name: compress_json({str(column): list(map(_json_cell, table[column].tolist())) for column in table})
            for name, table in tables.items()
        }
    )


def _json_cell(value: Any) -> Any:
    """Return a value for JSON: null if missing, lists of texts unchanged."""
    value = value.tolist() if hasattr(value, "tolist") else value  # of NumPy
    if isinstance(value, float):
        return None if math.isnan(value) else format_raw(value) if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): _json_cell(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_json_cell(inner) for inner in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def find_grids(data: Any) -> Iterable[Grid]:
    """Return all tables in the data of a section."""
    if isinstance(data, Grid):
        yield data
    elif isinstance(data, Mapping):
        yield from (grid for value in data.values() for grid in find_grids(value))
    elif isinstance(data, list | tuple):
        yield from (grid for value in data for grid in find_grids(value))


def cell_details(grids: Iterable[Grid]) -> str:
    """Return the hidden details of table cells: value, position in a saved table, description."""
    result = {grid.name: [cell for row in grid.rows for cell in row.cells] for grid in grids}
    return compress_json(
        {
            name: [[cell.number.raw for cell in own], [cell.number.source for cell in own], [cell.tip for cell in own]]
            for name, own in result.items()
        }
    )


def slot_coverage(scores: pd.DataFrame) -> dict[str, Any]:
    """Return the slots of every meaning representation, and a letter per slot and output."""
    meanings = {mr: meaning for mr in dict.fromkeys(scores["mr"]) if mr and (meaning := _parse_mr(mr))}
    pairs = zip(scores["mr"], scores["references"], strict=True)
    known = dict.fromkeys((meanings[mr], tuple(texts)) for mr, texts in pairs if mr in meanings)
    return {
        "slots": {mr: [[slot.name, slot.value] for slot in meaning.slots] for mr, meaning in meanings.items()},
        "said": [
            _coverage_letters(meanings, mr, text) for mr, text in zip(scores["mr"], scores["output"], strict=True)
        ],
        "values": list(known_values(known).values),
    }


def _parse_mr(mr: str) -> MeaningRepresentation | None:
    try:
        return parse_if_structured(mr)
    except ValueError:  # of a notation that was named when it was scored
        return None


def _coverage_letters(meanings: Mapping[str, MeaningRepresentation], mr: str, text: str) -> str:
    if mr not in meanings:
        return ""
    return "".join(state[0] for state in realisation(meanings[mr], mention_words(text)).states)
