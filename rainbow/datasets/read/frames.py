"""The table in a file, a number of rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from rainbow.base.storage import Place
from rainbow.datasets.read.answers import is_answers, spread
from rainbow.datasets.read.delimited import delimited_frames
from rainbow.datasets.read.encoding import codec
from rainbow.datasets.read.formats import BINARY, DELIMITED, cannot_read, check_content, ending
from rainbow.datasets.read.json_objects import frames_of, json_frames, json_line_frames
from rainbow.datasets.read.mqm import is_mqm, weighted
from rainbow.datasets.read.parquet import parquet_frames
from rainbow.datasets.read.workbook import workbook_table

if TYPE_CHECKING:
    import pandas as pd


def frames(
    path: Place,
    rows: int | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | None = None,
) -> Iterator[pd.DataFrame]:
    """Return the table in a file in frames of some rows, all with the same columns; whole for None."""
    read = partial(_frames, path, encoding=encoding, delimiter=delimiter, sheet=sheet)
    return _rewritten(read(rows), read, rows)


def _rewritten(
    parts: Iterator[pd.DataFrame], read: Callable[[None], Iterator[pd.DataFrame]], rows: int | None
) -> Iterator[pd.DataFrame]:
    """Return the frames; if rows are answers or errors, those of the judgements that they belong to."""
    first = next(parts)
    if not (change := _change(first)):
        yield first
        yield from parts
        return
    yield from frames_of(change(first if rows is None else next(read(None))), rows)


def judgements(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a whole table; if its rows are answers or errors, the judgements that they belong to."""
    change = _change(frame)
    return change(frame) if change else frame


def _change(frame: pd.DataFrame) -> Callable[[pd.DataFrame], pd.DataFrame] | None:
    names = [*map(str, frame)]
    return spread if is_answers(names) else weighted if is_mqm(names) else None


def _frames(
    path: Place, rows: int | None, *, encoding: str | None, delimiter: str | None, sheet: str | None
) -> Iterator[pd.DataFrame]:
    kind = ending(path)
    if kind not in BINARY and path.is_file():
        check_content(path)
    match kind:
        case _ if kind in DELIMITED:
            return delimited_frames(path, rows, codec(encoding), _delimiter(kind, delimiter))
        case ".jsonl" | ".ndjson":
            return json_line_frames(path, rows, codec(encoding))
        case ".json":
            return json_frames(path, rows, codec(encoding))
        case ".parquet":
            return parquet_frames(path, rows)
        case ".xlsx":
            return frames_of(workbook_table(path, sheet), rows)
        case _:
            raise ValueError(cannot_read(path))


def _delimiter(kind: str, given: str | None) -> str:
    delimiter = {"\\t": "\t", "tab": "\t"}.get(given or DELIMITED[kind], given or DELIMITED[kind])
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise ValueError(f"--delimiter {given!r}: give one character, or tab")
    return delimiter
