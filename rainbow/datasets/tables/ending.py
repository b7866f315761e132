"""How a file is written: by the ending of its name, and by its lines where they are those of a table."""

from __future__ import annotations

import codecs
from itertools import islice

from rainbow.base.storage import Place

__all__ = ["ending"]

_START = 1 << 20  # bytes that are looked at
_LINES = 50


def ending(path: Place) -> str:
    r"""Return the ending of a file in lower case; ``.tsv`` for a ``.txt`` whose lines all have as many tabs.

    That is what Excel saves as Unicode text.

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
    return ".tsv" if found == ".txt" and path.is_file() and _has_tabs(path) else found


def _has_tabs(path: Place) -> bool:
    with path.open("rb") as file:
        start = file.read(_START)
    wide = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    lines = start.decode("utf-16" if wide else "utf-8", "replace").splitlines()
    whole = lines[:-1] if len(start) == _START else lines
    tabs = {line.count("\t") for line in islice(filter(None, whole), _LINES)}
    return len(tabs) == 1 and tabs != {0} and len(whole) > 1
