"""Tables of JSON objects, one per line or in a list."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from rainbow.base.lazy import pd
from rainbow.base.storage import Place
from rainbow.datasets.read.header import MAX_COLUMNS, check_columns
from rainbow.datasets.read.line_limits import check_lines

_DEEP = "is nested too deeply: write flat objects"
_HALF = re.compile("[\ud800-\udfff]")  # of a surrogate pair
_BETWEEN = "[], \t\r\n"
_NO_OBJECT = ': expected one object per line, {"output": …}'


class LineError(ValueError):
    """A line that is not valid JSON, with its number."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line} is not valid JSON{message}")
        self.line = line


def json_line_frames(path: Place, rows: int | None, encoding: str) -> Iterator[pd.DataFrame]:
    """Yield the objects of a JSON Lines file in frames; multi-line objects as a whole."""
    check_lines(path)
    status = path.stat()
    try:
        if rows is None:
            yield pd.DataFrame(list(_iterate_objects(path, encoding)), dtype=object)
            return
        # A later row may have a column that the first ones have not.
        columns = _object_keys(path, encoding, status.st_size, status.st_mtime_ns)
    except LineError as error:
        try:
            result = _parse_objects(path.read_text(encoding=encoding))
        except ValueError:
            if error.line > 1:
                raise error from None
            raise
        yield from _check_rows(result, rows)
        return
    objects = _iterate_objects(path, encoding)
    some = list(islice(objects, rows))
    while True:
        yield pd.DataFrame(some, columns=list(columns), dtype=object)
        if not (some := list(islice(objects, rows))):
            return


def _check_rows(objects: list[dict[str, Any]], rows: int | None) -> Iterator[pd.DataFrame]:
    for number, row in enumerate(objects, 1):
        _check_object(f"object {number}", row)
    check_columns(list(dict.fromkeys(name for row in objects for name in row)))
    yield from split_frame(pd.DataFrame(objects, dtype=object), rows)


def split_frame(frame: pd.DataFrame, rows: int | None) -> Iterator[pd.DataFrame]:
    """Yield a table in frames of this many rows; as one frame for None."""
    step = rows or max(len(frame), 1)
    for start in range(0, max(len(frame), 1), step):
        yield frame.iloc[start : start + step]


@lru_cache(maxsize=8)
def _object_keys(path: Place, encoding: str, size: int, changed: int) -> tuple[str, ...]:
    """Return the keys of all rows in order, cached until the file changes."""
    return tuple(dict.fromkeys(key for row in _iterate_objects(path, encoding) for key in row))


def _iterate_objects(path: Place, encoding: str) -> Iterator[dict[str, Any]]:
    names: dict[str, None] = {}
    with path.open(encoding=encoding) as lines:
        for number, line in enumerate(lines, 1):
            if line.isspace():
                continue
            row = _parse_object(number, line)
            names |= dict.fromkeys(row)
            if len(names) > MAX_COLUMNS:
                check_columns(list(names))
            yield row


def _parse_object(number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise LineError(number, f": {error.msg}") from None
    except RecursionError:
        raise ValueError(f"line {number} {_DEEP}") from None
    if not isinstance(row, dict):
        raise LineError(number, _NO_OBJECT)
    if "\\ud" in line.lower():
        _check_object(f"line {number}", row)
    return row


def _parse_objects(text: str) -> list[dict[str, Any]]:
    """Return objects that span lines, concatenated or in one list, tolerating extra commas."""
    decoder, result, brackets, place = json.JSONDecoder(), list[dict[str, Any]](), "", 0
    while True:
        while place < len(text) and text[place] in _BETWEEN:
            brackets += text[place].strip(_BETWEEN[2:])
            place += 1
        if place == len(text):
            break
        try:
            row, stop = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            raise LineError(error.lineno, f": {error.msg} (one object per line is a .jsonl)") from None
        except RecursionError:
            raise ValueError(f"it {_DEEP}") from None
        if not isinstance(row, dict):
            raise LineError(text.count("\n", 0, place) + 1, _NO_OBJECT)
        result.append(row)
        place = stop
    if brackets == "[":
        raise LineError(text.count("\n") + 1, ": the list is not closed: is the file complete?")
    if brackets not in ("", "[]"):
        raise LineError(1, _NO_OBJECT)
    return result


def json_frames(path: Place, rows: int | None, encoding: str) -> Iterator[pd.DataFrame]:
    """Yield the objects of a JSON list in frames; the file is read as a whole."""
    text = path.read_text(encoding=encoding)
    try:
        result = json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and error.lineno == 2:  # an object a line, called .json
            yield from json_line_frames(path, rows, encoding)
            return
        result = _parse_objects(text)
    except RecursionError:
        raise ValueError(f"it {_DEEP}") from None
    result = _find_rows(result) if isinstance(result, dict) else result
    if not isinstance(result, list) or not all(isinstance(row, dict) for row in result):
        raise ValueError('it is not a list of objects: write [{"output": …}, …]')
    yield from _check_rows(result, rows)


def _find_rows(data: dict[str, Any]) -> Any:
    """Return the rows inside an object: a pandas or W&B table, its longest list, or its objects."""
    if {"columns", "data"} <= data.keys() <= {"columns", "data", "index"}:
        return _zip_rows(data["columns"], data["data"])
    columns = [list(value.values()) if _is_column(value) else value for value in data.values()]
    lists = [value for value in data.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    if not lists and columns and all(isinstance(cells, list) and len(cells) == len(columns[0]) for cells in columns):
        return _zip_rows(list(data), list(zip(*columns, strict=True)))
    if len(lists) == 1 or len({*map(len, lists)}) > 1:
        return max(lists, key=len)
    if isinstance(within := data.get("results"), dict) and isinstance(within.get("results"), list):
        return within["results"]  # of promptfoo
    if len(data) > 1 and all(isinstance(value, dict) for value in data.values()):
        return [{"id": key, **value} for key, value in data.items()]
    return data


def _zip_rows(names: Any, rows: Any) -> Any:
    try:
        return [dict(zip(names, row, strict=True)) for row in rows]
    except (TypeError, ValueError):
        raise ValueError("its rows and columns have different numbers of cells: export the table again") from None


def _is_column(value: Any) -> bool:
    """Return whether an object has row numbers as keys, as pandas writes columns."""
    return isinstance(value, dict) and list(value) == list(map(str, range(len(value)))) != []


def _check_object(place: str, row: dict[str, Any]) -> None:
    if half := _HALF.search(json.dumps(row, ensure_ascii=False)):
        raise ValueError(f"{place} contains {half[0]!a}, half of a surrogate pair: write both halves, or neither")
