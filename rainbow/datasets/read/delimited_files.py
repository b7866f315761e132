"""Delimited tables: CSV, TSV and similar formats."""

from __future__ import annotations

import csv
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from rainbow.base.lazy import pd
from rainbow.base.storage import Place, readable_source
from rainbow.datasets.read import header as headers
from rainbow.datasets.read.line_limits import allow_long_fields, check_lines, check_nul

_ENCLOSED = re.compile(r'"([^"]|"")*"')
_NEARLY_ALL, _FEW = 0.9, 0.1  # of the rows


class Layout(NamedTuple):
    """Layout of a delimited file: column names by index, fields per row, lines to skip, quoting."""

    columns: dict[int, str]
    fields: int
    above: int
    quoting: Any


def delimited_frames(path: Place, rows: int | None, encoding: str, delimiter: str) -> Iterator[pd.DataFrame]:
    """Yield the table in frames of this many rows; as one frame for None."""
    check_lines(path)
    status = path.stat()
    layout = _file_layout(path, encoding, delimiter, status.st_size, status.st_mtime_ns)
    check_nul(path, encoding)
    with path.open(encoding=encoding, newline="") as stream:
        # pandas reads a path faster than a stream, but counts skipped lines otherwise: \r and quoted line breaks.
        above = [stream.readline() for _ in range(layout.above)]
        plain = not above or (len(above) == 1 and above[0].endswith("\n") and '"' not in above[0])
        try:
            read: Any = pd.read_csv(
                readable_source(path) if plain else stream,
                sep=delimiter,
                dtype=object,
                keep_default_na=False,
                encoding=encoding,
                quoting=layout.quoting,
                skiprows=layout.above if plain else 0,
                header=None,
                names=list(range(layout.fields)),
                index_col=False,
                chunksize=rows,
            )
            for frame in [read] if rows is None else read:
                yield _drop_empty_rows(frame[list(layout.columns)].set_axis(list(layout.columns.values()), axis=1))
        except pd.errors.ParserError as error:
            raise ValueError(f"{str(error).strip()}: is a closing quotation mark missing?") from None


def _drop_empty_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with at least one nonempty cell."""
    empty = frame.iloc[:, 0] == ""
    if not empty.any():
        return frame
    empty &= (frame[empty] == "").all(axis=1).reindex(frame.index, fill_value=False)
    return frame[~empty] if empty.any() else frame


@lru_cache(maxsize=8)
def _file_layout(path: Place, encoding: str, delimiter: str, size: int, changed: int) -> Layout:
    """Return the layout, cached until the file changes; ValueError if row lengths differ."""
    above = _count_preamble(path, encoding, delimiter)
    quoting: Any = csv.QUOTE_NONE if delimiter == "\t" and _is_unquoted(path, encoding, above) else csv.QUOTE_MINIMAL
    with path.open(encoding=encoding, newline="") as stream, allow_long_fields():
        for _ in range(above):
            stream.readline()
        lines = csv.reader(stream, delimiter=delimiter, quoting=quoting)
        try:
            return _read_layout(path.name, delimiter, quoting, above, lines)
        except csv.Error as error:
            raise ValueError(f"line {above + lines.line_num}: {error}: is a closing quotation mark missing?") from None


def _count_preamble(path: Place, encoding: str, delimiter: str) -> int:
    lines = list[str]()
    with path.open(encoding=encoding, newline="") as stream:
        for line in stream:
            lines.append(line)
            if not headers.is_preamble_line(line):
                break
    return headers.count_preamble_lines(lines, delimiter)


def _is_unquoted(path: Place, encoding: str, above: int) -> bool:
    """Return whether literal quotes give a tab-separated file rows of equal length."""
    stray, counts = False, set[int]()
    try:
        with path.open(encoding=encoding, newline="") as stream, allow_long_fields():
            for fields in csv.reader(islice(stream, above, None), delimiter="\t", quoting=csv.QUOTE_NONE):
                counts |= {len(fields)} if fields else set()
                stray |= any(cell.startswith('"') and not _ENCLOSED.fullmatch(cell) for cell in fields)
    except csv.Error:
        return False
    return stray and len(counts) == 1


def _read_layout(file: str, delimiter: str, quoting: Any, above: int, lines: Any) -> Layout:
    first, last = list[tuple[int, int, list[str]]](), above
    for fields in islice(lines, headers.MAX_HEADER_ROWS):
        begin, last = last + 1, above + lines.line_num
        if not _is_blank(fields):
            first.append((begin, last, fields))
    start = [fields for _, _, fields in first]
    if not start:
        raise ValueError("the file is empty: write a header with column names first")
    header, used = headers.read_header(start)
    headers.check_width(len(header))
    if headers.is_single_text(header):
        header, used = ["text"], 0
    elif headers.is_form(header, start[used:]):
        raise ValueError(headers.FORM)
    names = [cell or f"Unnamed: {place}" for place, cell in enumerate(header)]
    rows = _RowCounter(names, [place for place, cell in enumerate(header) if not cell], delimiter)
    for record in first[used:]:
        rows.add(*record)
    width, odd, plain = len(header), rows.twice or rows.nameless, 0
    for fields in lines:
        begin, last = last + 1, above + lines.line_num
        if len(fields) == width and not odd:
            plain += 1
        elif not _is_blank(fields):
            rows.add(begin, last, fields)
    rows.lengths[width] += plain
    fields_of_row = rows.check(file)
    columns = headers.deduplicate_names(names, rows.differing, file)
    named = {place: name for place, name in columns.items() if header[place] or place in rows.fill}
    return Layout(named or columns, fields_of_row, first[used - 1][1] if used else above, quoting)


def _is_blank(fields: list[str]) -> bool:
    return not fields or (len(fields) == 1 and not fields[0].strip())


class _RowCounter:
    """Row counts by length, and the content of columns without a unique name."""

    def __init__(self, header: list[str], unnamed: list[int], delimiter: str) -> None:
        self.header, self.nameless, self.delimiter = header, unnamed, delimiter
        self.lengths, self.first = Counter[int](), dict[int, tuple[int, int]]()
        self.twice = headers.repeated_names(header)
        self.differing, self.fill = set[int](), set[int]()
        self.before, self.broken = (0, 0), 0

    def add(self, begin: int, last: int, fields: list[str]) -> None:
        """Count a row; ValueError if it is too long or has an open quotation mark."""
        count, width = len(fields), len(self.header)
        if count > width + 1 or (count > width and fields[-1]) or (count < width and begin < last):
            raise ValueError(self._length_message(count, begin, last))
        self.lengths[count] += 1
        self.first.setdefault(count, (begin, last))
        if count < width:
            self.broken = self.broken or (begin if self.before == (begin - 1, width + 1 - count) else 0)
            self.before = begin, count
            fields = fields + [""] * (width - count)
        self.differing |= {place for place, first in self.twice.items() if fields[place] != fields[first]}
        self.fill |= {place for place in self.nameless if fields[place]}

    def check(self, file: str) -> int:
        """Return the number of fields per row; ValueError if rows differ, except for missing end cells."""
        width, total = len(self.header), self.lengths.total()
        counts = sorted(count for count in self.lengths if count < width)
        short, surplus = sum(self.lengths[count] for count in counts), self.lengths[width + 1]
        if surplus and surplus < _NEARLY_ALL * (total - short):
            raise ValueError(self._length_message(width + 1, *self.first[width + 1]))
        if short and (len(counts) > 1 or 2 * short < total):
            count = min(counts, key=self.first.__getitem__)
            line = self.first[count][0]
            if self.broken:
                lines = f"lines {self.broken - 1} and {self.broken}"
                raise ValueError(f"{lines} are one row with a line break in a cell: put quotes around the cell")
            if short > _FEW * total:
                raise ValueError(self._length_message(count, *self.first[count]))
            warnings.warn(
                f"{file}: {short} of {total} rows have fewer cells than the header, the first in line {line}: missing "
                "cells at the end are read as empty",
                stacklevel=2,
            )
        return width + (surplus > 0)

    def _length_message(self, count: int, begin: int, last: int) -> str:
        header = self.header
        marks = [mark for mark in ";|\t" if len(header) == 1 and mark in header[0]]
        quoted = f", with a quotation mark that is closed only in line {last}," if begin < last else ""
        first = self.delimiter.join(header)
        title = f"remove {first!r:.60}, or " if first.startswith("#") else ""
        return (
            f"line {begin}{quoted} has {count} fields, but the header has {len(header)}: {title}put quotes around "
            f"fields that contain {self.delimiter!r}, or set the field delimiter, --delimiter"
        ) + "".join(f" {mark!r}" for mark in marks[:1])
