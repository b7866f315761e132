"""How a file is written: by the ending of its name, and by its lines where they are those of a table."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable
from itertools import islice

from rainbow.base.storage import Place

__all__ = ["ending", "fields_in"]

_START = 1 << 20  # bytes that are looked at
_LINES = 500
_BETWEEN = {"\t": 2, ";": 3, "|": 3}  # fields that a line has at least


def ending(path: Place) -> str:
    r"""Return the ending of a file in lower case; ``.tsv`` for a ``.txt`` whose lines all have as many fields.

    Between them stands a tab, as in what Excel saves as Unicode text, or semicolons or bars, two at least.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "mine.txt")
    ...     _ = file.write_text("text\tquality\nan inn\t4\n", encoding="utf-16")
    ...     ending(file), ending(Path("MINE.CSV"))
    ('.tsv', '.csv')
    """
    found = path.suffix.lower()
    return ".tsv" if found == ".txt" and path.is_file() and _has_fields(path) else found


def fields_in(lines: Iterable[str], mark: str) -> list[int]:
    """Return how many fields each of the first lines has, empty ones left out; none where they cannot be read so.

    Examples
    --------
    >>> fields_in(["a;b", "", "c;d;e"], ";")
    [2, 3]
    """
    try:
        return [len(fields) for fields in islice(filter(None, csv.reader(lines, delimiter=mark)), _LINES)]
    except csv.Error:
        return []


def _has_fields(path: Place) -> bool:
    """Return whether all lines have as many fields, and enough of them to be no sentence with a semicolon in it."""
    with path.open("rb") as file:
        start = file.read(_START)
    wide = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    lines = start.decode("utf-16" if wide else "utf-8", "replace").splitlines()
    whole = lines[:-1] if len(start) == _START else lines
    counts = {mark: fields_in(whole, mark) for mark in _BETWEEN}
    return any(len(found) > 1 and {*found} == {max(found[0], _BETWEEN[mark])} for mark, found in counts.items())
