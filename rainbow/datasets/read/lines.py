"""Limits on the length of a line, against files that would fill the memory."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial

from rainbow.base.storage import Place

LONGEST_LINE = 1 << 24  # bytes


def check_lines(path: Place) -> None:
    """Refuse a text file with a line of more than 16 MiB; a file is read again when it has changed."""
    status = path.stat()
    _measure_lines(path, status.st_size, status.st_mtime_ns)


def check_nul(path: Place, encoding: str) -> None:
    """Refuse a text file with a NUL byte, at which pandas ends a cell."""
    status = path.stat()
    nul = _measure_lines(path, status.st_size, status.st_mtime_ns)
    if nul and not encoding.startswith(("utf-16", "utf-32")):
        raise ValueError(f"line {nul} holds a NUL byte, which no text has: save the file as UTF-8 text")


@lru_cache(maxsize=8)
def _measure_lines(path: Place, size: int, changed: int) -> int:
    """Return the first line with a NUL byte, 0 for none."""
    nul = 0
    with path.open("rb") as file:
        for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE + 1), b""), 1):
            if len(line) > LONGEST_LINE:
                raise ValueError(f"line {number} is longer than {LONGEST_LINE >> 20} MiB: write one row per line")
            if not nul and b"\0" in line:
                nul = number
    return nul


@contextmanager
def long_fields() -> Iterator[None]:
    """Raise the field limit of the csv module to that of a line."""
    limit = csv.field_size_limit(LONGEST_LINE)
    try:
        yield
    finally:
        csv.field_size_limit(limit)
