"""How a file is written: by the ending of its name, and by its lines where they are those of a table."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Sequence
from itertools import islice

from rainbow.base.storage import Place

__all__ = ["ending"]

_START = 1 << 20  # bytes that are looked at
_LINES = 50
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


def _has_fields(path: Place) -> bool:
    with path.open("rb") as file:
        start = file.read(_START)
    wide = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    lines = start.decode("utf-16" if wide else "utf-8", "replace").splitlines()
    whole = [*islice(filter(None, lines[:-1] if len(start) == _START else lines), _LINES)]
    return len(whole) > 1 and any(_alike(whole, mark, fewest) for mark, fewest in _BETWEEN.items())


def _alike(lines: Sequence[str], mark: str, fewest: int) -> bool:
    """Return whether all lines have as many fields, and so many at least."""
    try:
        fields = {len(row) for row in csv.reader(lines, delimiter=mark)}
    except csv.Error:
        return False
    return len(fields) == 1 and fields.pop() >= fewest
