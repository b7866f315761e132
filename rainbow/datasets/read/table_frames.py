"""Tables in files, read in chunks of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from rainbow.base.lazy import pd
from rainbow.base.storage import Place
from rainbow.datasets.read.delimited_files import delimited_frames
from rainbow.datasets.read.encoding import codec_name
from rainbow.datasets.read.formats import BINARY, DELIMITED, check_content, file_extension, unreadable_message
from rainbow.datasets.read.json_objects import json_frames, json_line_frames, split_frame
from rainbow.datasets.read.judgement_tables import find_conversion
from rainbow.datasets.read.parquet import parquet_frames
from rainbow.datasets.read.workbook import workbook_table
from rainbow.datasets.spans.span_table import parse_weights, read_span_table


def read_frames(
    path: Place,
    rows: int | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | None = None,
    error_weights: Sequence[str] = (),
) -> Iterator[pd.DataFrame]:
    """Yield the table in a file in frames of this many rows, with equal columns; one for None."""
    if (table := read_span_table([path], error_weights)) is not None:
        return split_frame(table, rows)
    read = partial(unconverted_frames, path, encoding=encoding, delimiter=delimiter, sheet=sheet)
    return _convert_frames(read(rows), read, rows, parse_weights(error_weights))


def _convert_frames(
    parts: Iterator[pd.DataFrame],
    read: Callable[[None], Iterator[pd.DataFrame]],
    rows: int | None,
    weights: Mapping[str, float],
) -> Iterator[pd.DataFrame]:
    """Yield the frames; rows of answers or errors are converted to judgements."""
    first = next(parts)
    if not (change := find_conversion(map(str, first), weights)):
        yield first
        yield from parts
        return
    yield from split_frame(change(first if rows is None else next(read(None))), rows)


def convert_judgements(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a whole table, with rows of answers or errors converted to judgements."""
    change = find_conversion(map(str, frame))
    return change(frame) if change else frame


def unconverted_frames(
    path: Place, rows: int | None, encoding: str | None, delimiter: str | None, sheet: str | None
) -> Iterator[pd.DataFrame]:
    """Yield the table as the file has it."""
    kind = file_extension(path)
    if kind not in BINARY and path.is_file():
        check_content(path)
    match kind:
        case _ if kind in DELIMITED:
            return delimited_frames(path, rows, codec_name(encoding), _field_delimiter(kind, delimiter))
        case ".jsonl" | ".ndjson":
            return json_line_frames(path, rows, codec_name(encoding))
        case ".json":
            return json_frames(path, rows, codec_name(encoding))
        case ".parquet":
            return parquet_frames(path, rows)
        case ".xlsx":
            return split_frame(workbook_table(path, sheet), rows)
        case _:
            raise ValueError(unreadable_message(path))


def _field_delimiter(kind: str, override: str | None) -> str:
    delimiter = {"\\t": "\t", "tab": "\t"}.get(override or DELIMITED[kind], override or DELIMITED[kind])
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise ValueError(f"--delimiter {override!r}: give one character, or tab")
    return delimiter
