"""The tables in files, so many rows at a time."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from rainbow.base.storage import Place, opened
from rainbow.datasets.encoding import codec
from rainbow.datasets.tables.answers import is_answers, spread
from rainbow.datasets.tables.ending import ending
from rainbow.datasets.tables.headers import MOST_COLUMNS, check_columns
from rainbow.datasets.tables.mqm import is_mqm, weighted
from rainbow.datasets.tables.parquet import parquet_frames
from rainbow.datasets.tables.workbook import workbook_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BINARY", "DELIMITED", "TABLES", "cannot_read", "check_lines", "frames"]

BUFFER = 1 << 20  # bytes that are read at a time where lines are measured
# What is longer or wider than any table of texts is refused before it fills the memory.
LONGEST_LINE = 1 << 24  # bytes

BINARY = (".parquet", ".xlsx")  # what is no text, so that it has no encoding and no delimiter
DELIMITED = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".psv": "|"}
TABLES = (*DELIMITED, ".jsonl", ".ndjson", ".json", *BINARY)
_ENCLOSED = re.compile(r'"([^"]|"")*"')
_DEEP = "holds lists within lists without end: write flat objects"
_SHORT = 16  # letters
_NAME = 6  # words, at most, but of a question: more are a text
_SEPARATOR = re.compile("sep=.[\r\n]*")
_IMPORTED = 2  # rows: questions as they were asked, and their identifiers
_HALF = re.compile("[\ud800-\udfff]")  # of a surrogate pair


def frames(
    path: Place,
    rows: int | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    sheet: str | None = None,
) -> Iterator[pd.DataFrame]:
    r"""Return the table in a file in frames of so many rows, the last with what is left; whole for None.

    All frames have the same columns. One without rows is given where there are none.

    Parameters
    ----------
    path
        A ``.csv``, ``.tsv``, ``.jsonl``, ``.json`` (a list of objects), ``.parquet`` or ``.xlsx``.
    rows
        How many rows a frame has.
    encoding
        How a text file is encoded, by default UTF-8.
    delimiter
        What stands between the fields of a line, by default a comma, in a ``.tsv`` a tab, in a ``.psv`` a bar.
    sheet
        The sheet of a workbook, by default its first.

    Raises
    ------
    ValueError
        If the file cannot be read so.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.jsonl"
    ...     _ = path.write_text('{"a": 1}\n{"b": 2}\n')
    ...     [frame.columns.tolist() for frame in frames(path, 1)]
    [['a', 'b'], ['a', 'b']]
    """
    match ending(path):
        case kind if kind in DELIMITED:
            return _csv(path, rows, codec(encoding), _mark(path, delimiter))
        case ".jsonl" | ".ndjson":
            return _jsonl(path, rows, codec(encoding))
        case ".json":
            return _json(path, rows, codec(encoding))
        case ".parquet":
            return parquet_frames(path, rows)
        case ".xlsx":
            return iter_frames(workbook_table(path, sheet), rows)
        case _:
            raise ValueError(cannot_read(path))


def cannot_read(path: Place) -> str:
    """Return that a file is no table, and what to do.

    Examples
    --------
    >>> from pathlib import Path
    >>> cannot_read(Path("mine.csv.gz"))[:58]
    'cannot read .gz: unpack it first; tables are .csv, .tsv, .'
    """
    packed = "unpack it first; " if path.suffix in (".gz", ".bz2", ".xz", ".zst", ".zip") else ""
    what = path.suffix or "a file without an ending"
    return f"cannot read {what}: {packed}tables are {', '.join(TABLES)}, texts alone .txt"


def iter_frames(frame: pd.DataFrame, rows: int | None) -> Iterator[pd.DataFrame]:
    """Return a table in frames of so many rows, the last with what is left; whole for None."""
    step = rows or max(len(frame), 1)
    for start in range(0, max(len(frame), 1), step):
        yield frame.iloc[start : start + step]


def _mark(path: Place, delimiter: str | None) -> str:
    mark = delimiter or DELIMITED.get(ending(path), ",")
    mark = {"\\t": "\t", "tab": "\t"}.get(mark, mark)
    if len(mark) != 1 or mark in '"\r\n':
        raise ValueError(f"--delimiter {delimiter!r}: give one character, or tab")
    return mark


def check_lines(path: Place) -> None:
    """Refuse a file of lines with one of more than 16 MiB; a file is measured again when it has changed.

    Raises
    ------
    ValueError
        If there is one; the message names it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile() as file:
    ...     check_lines(Path(file.name))
    """
    status = path.stat()
    _measure_lines(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=8)
def _measure_lines(path: Place, size: int, changed: int) -> None:
    number, length = 1, 0
    with path.open("rb") as file:
        while block := file.read(BUFFER):
            end = block.find(b"\n")
            if length + (end if end >= 0 else len(block)) > LONGEST_LINE:
                raise ValueError(f"line {number} is longer than {LONGEST_LINE >> 20} MiB: write one row per line")
            length = length + len(block) if end < 0 else len(block) - block.rfind(b"\n") - 1
            number += block.count(b"\n")


def _csv(path: Place, rows: int | None, encoding: str, separator: str) -> Iterator[pd.DataFrame]:
    import pandas as pd

    check_lines(path)
    status = path.stat()
    names, quoting = _check_fields(path, encoding, separator, status.st_size, status.st_mtime_ns)
    rewritten = spread if is_answers(names) else weighted if is_mqm(names) else None
    read: Any = pd.read_csv(
        opened(path),
        sep=separator,
        dtype=object,
        keep_default_na=False,
        encoding=encoding,
        quoting=quoting,
        skiprows=_before(path, encoding),
        header="infer" if names else None,
        names=None if names else ["text"],
        chunksize=None if rewritten else rows,
    )
    if rewritten:
        yield from iter_frames(rewritten(read), rows)
        return
    if rows is None:
        yield _filled(read)
        return
    with read:
        yield from map(_filled, read)


def _before(path: Place, encoding: str) -> int:
    """Return how many lines stand before the header: one as ``sep=;``, which tells Excel what stands between fields."""
    with path.open(encoding=encoding, newline="") as stream:
        return int(bool(_SEPARATOR.fullmatch(stream.readline(_SHORT))))


def _is_import(cell: Any) -> bool:
    return isinstance(cell, str) and cell.startswith('{"ImportId":')


def _filled(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows in which anything stands, but for Qualtrics' two below its header."""
    start = frame.iloc[:_IMPORTED]
    found = [place for place, cells in enumerate(start.itertuples(index=False)) if any(map(_is_import, cells))]
    frame = frame.iloc[found[-1] + 1 :] if found else frame
    empty = (frame == "").all(axis=1)
    return frame[~empty] if empty.any() else frame


@lru_cache(maxsize=8)
def _check_fields(path: Place, encoding: str, separator: str, size: int, changed: int) -> tuple[tuple[str, ...], Any]:
    """Return the header (none of texts alone), and whether quotes mean anything; refuse a line of other length.

    Pandas fills up a line that is too short, and shifts the columns where all lines are too long. Between tabs, quotes
    may be part of the texts. A file is looked at again when it has changed.
    """
    quoting = csv.QUOTE_NONE if separator == "\t" and _is_unquoted(path, encoding) else csv.QUOTE_MINIMAL
    return _header(path, encoding, separator, quoting), quoting


def _is_unquoted(path: Place, encoding: str) -> bool:
    """Return whether fields between tabs have quotes that do not enclose them, and all lines as many fields."""
    stray, counts = False, set[int]()
    try:
        with path.open(encoding=encoding, newline="") as stream, _long_fields():
            for fields in islice(
                csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE), _before(path, encoding), None
            ):
                counts |= {len(fields)} if fields else set()
                stray |= any(field.startswith('"') and not _ENCLOSED.fullmatch(field) for field in fields)
    except csv.Error:
        return False
    return stray and len(counts) == 1


def _header(path: Place, encoding: str, separator: str, quoting: Any) -> tuple[str, ...]:
    with path.open(encoding=encoding, newline="") as stream, _long_fields():
        for _ in range(_before(path, encoding)):
            stream.readline()
        lines = csv.reader(stream, delimiter=separator, quoting=quoting)
        try:
            if not (header := next(lines, [])):
                raise ValueError("the file is empty, or begins with an empty line: write names of columns first")
            check_columns(header)
            first = separator.join(header)
            title = f"take out {first!r:.60}, or " if first.startswith("#") else ""
            last = lines.line_num
            for fields in lines:
                begin, last = last + 1, lines.line_num
                if fields and len(fields) != len(header):
                    marks = [mark for mark in ";|\t" if len(header) == 1 and mark in header[0]]
                    quoted = f", with a quotation mark that goes on to line {last}," if begin < last else ""
                    raise ValueError(
                        f"line {begin}{quoted} has {len(fields)} fields, the header has {len(header)}: {title}put "
                        f"quotes round fields that hold {separator!r}, or name what stands between fields, --delimiter"
                        + "".join(f" {mark!r}" for mark in marks[:1])
                    )
        except csv.Error as error:
            raise ValueError(f"line {lines.line_num}: {error}: is a quotation mark not closed?") from None
    is_text = len(header) == 1 and len(header[0].split()) > _NAME and "?" not in header[0]
    return () if is_text else tuple(header)


@contextmanager
def _long_fields() -> Iterator[None]:
    limit = csv.field_size_limit(LONGEST_LINE)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def _jsonl(path: Place, rows: int | None, encoding: str) -> Iterator[pd.DataFrame]:
    import pandas as pd

    check_lines(path)
    if rows is None:
        yield pd.DataFrame(list(_objects(path, encoding)), dtype=object)
        return
    # A later row may have a column that the first ones have not.
    status = path.stat()
    columns = _keys(path, encoding, status.st_size, status.st_mtime_ns)
    objects = _objects(path, encoding)
    some = list(islice(objects, rows))
    while True:
        yield pd.DataFrame(some, columns=list(columns), dtype=object)
        some = list(islice(objects, rows))
        if not some:
            return


@lru_cache(maxsize=8)
def _keys(path: Place, encoding: str, size: int, changed: int) -> tuple[str, ...]:
    """Return the keys of all rows, in the order in which they come; read again when the file has changed."""
    return tuple(dict.fromkeys(key for row in _objects(path, encoding) for key in row))


def _objects(path: Place, encoding: str) -> Iterator[dict[str, Any]]:
    names: dict[str, None] = {}
    with path.open(encoding=encoding) as lines:
        for number, line in enumerate(lines, 1):
            row = _object(number, line)
            names |= dict.fromkeys(row)
            if len(names) > MOST_COLUMNS:
                check_columns(list(names))
            yield row


def _json(path: Place, rows: int | None, encoding: str) -> Iterator[pd.DataFrame]:
    """Return the objects of a list; unlike the other formats, it is read as a whole."""
    import pandas as pd

    try:
        found = json.loads(path.read_text(encoding=encoding))
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and error.lineno == 2:  # an object a line, called .json
            yield from _jsonl(path, rows, encoding)
            return
        raise ValueError(f"line {error.lineno} is no JSON: {error.msg} (one object per line is a .jsonl)") from None
    except RecursionError:
        raise ValueError(f"it {_DEEP}") from None
    if isinstance(found, dict):
        found = _rows_within(found)
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise ValueError('it is no list of objects: write [{"output": …}, …]')
    for number, row in enumerate(found, 1):
        _check_whole(f"object {number}", row)
    check_columns(list(dict.fromkeys(name for row in found for name in row)))
    frame = pd.DataFrame(found, dtype=object)
    yield from iter_frames(frame, rows)


def _rows_within(found: dict[str, Any]) -> Any:
    """Return the rows of an object: those of a table as pandas and W&B write it, its longest list, or its objects."""
    if {"columns", "data"} <= found.keys() <= {"columns", "data", "index"}:
        return [dict(zip(found["columns"], row, strict=True)) for row in found["data"]]
    columns = [list(value.values()) if _is_numbered(value) else value for value in found.values()]
    lists = [value for value in found.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    if not lists and columns and all(isinstance(cells, list) and len(cells) == len(columns[0]) for cells in columns):
        return [dict(zip(found, row, strict=True)) for row in zip(*columns, strict=True)]
    if len(lists) == 1 or len({*map(len, lists)}) > 1:
        return max(lists, key=len)
    if isinstance(within := found.get("results"), dict) and isinstance(within.get("results"), list):
        return within["results"]  # of promptfoo
    if len(found) > 1 and all(isinstance(value, dict) for value in found.values()):
        return [{"id": key, **value} for key, value in found.items()]
    return found


def _is_numbered(value: Any) -> bool:
    """Return whether an object has the numbers of rows as keys: a column, as pandas writes it."""
    return isinstance(value, dict) and list(value) == list(map(str, range(len(value)))) != []


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {number} is no JSON: {error.msg}") from None
    except RecursionError:
        raise ValueError(f"line {number} {_DEEP}") from None
    if not isinstance(row, dict):
        raise ValueError(f'line {number} is no JSON object: write one object per line, {{"output": …}}')
    if "\\ud" in line.lower():
        _check_whole(f"line {number}", row)
    return row


def _check_whole(place: str, row: dict[str, Any]) -> None:
    if half := _HALF.search(json.dumps(row, ensure_ascii=False)):
        raise ValueError(f"{place} holds {half[0]!a}, half of a character: write both halves, or neither")
