"""Limits on line length, to protect memory."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial

from rainbow.base.storage import Place

MAX_LINE_BYTES = 1 << 24  # bytes


def check_lines(path: Place) -> None:
    """Raise ValueError if a line is longer than 16 MiB; checked again if the file changes."""
    status = path.stat()
    _measure_lines(path, status.st_size, status.st_mtime_ns)


def check_nul(path: Place, encoding: str) -> None:
    """Raise ValueError if the file contains a NUL byte, where pandas would end a cell."""
    status = path.stat()
    nul = _measure_lines(path, status.st_size, status.st_mtime_ns)
    if nul and not encoding.startswith(("utf-16", "utf-32")):
        raise ValueError(f"line {nul} contains a NUL byte, so it is not text: save the file as UTF-8 text")


@lru_cache(maxsize=8)
def _measure_lines(path: Place, size: int, changed: int) -> int:
    """Return the number of the first line with a NUL byte, or 0."""
    nul = 0
    with path.open("rb") as file:
        for number, line in enumerate(iter(partial(file.readline, MAX_LINE_BYTES + 1), b""), 1):
            if len(line) > MAX_LINE_BYTES:
                raise ValueError(f"line {number} is longer than {MAX_LINE_BYTES >> 20} MiB: write one row per line")
            if not nul and b"\0" in line:
                nul = number
    return nul


@contextmanager
def allow_long_fields() -> Iterator[None]:
    """Raise the field limit of the csv module to the maximum line length."""
    limit = csv.field_size_limit(MAX_LINE_BYTES)
    try:
        yield
    finally:
        csv.field_size_limit(limit)
