"""Tables in files, read in chunks of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from rainbow.base.lazy import pd
from rainbow.base.storage import Place
from rainbow.datasets.read.answer_tables import is_answer_table, spread_ratings
from rainbow.datasets.read.delimited_files import delimited_frames
from rainbow.datasets.read.encoding import codec_name
from rainbow.datasets.read.formats import BINARY, DELIMITED, check_content, file_extension, unreadable_message
from rainbow.datasets.read.json_objects import json_frames, json_line_frames, split_frame
from rainbow.datasets.read.mqm import is_mqm_table, weight_errors
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
    if not (change := _find_conversion(first, weights)):
        yield first
        yield from parts
        return
    yield from split_frame(change(first if rows is None else next(read(None))), rows)


def convert_judgements(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a whole table, with rows of answers or errors converted to judgements."""
    change = _find_conversion(frame, {})
    return change(frame) if change else frame


def _find_conversion(
    frame: pd.DataFrame, weights: Mapping[str, float]
) -> Callable[[pd.DataFrame], pd.DataFrame] | None:
    names = [*map(str, frame)]
    return (
        spread_ratings
        if is_answer_table(names)
        else partial(weight_errors, changed=weights)
        if is_mqm_table(names)
        else None
    )


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
