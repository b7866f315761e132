"""How a table is written: its encoding, what stands between fields, commas before decimals."""

from __future__ import annotations

import codecs
import io
import re
import warnings
from collections.abc import Iterable
from typing import Any

from rainbow.base.storage import Place
from rainbow.datasets.encoding import codec
from rainbow.datasets.tables.ending import ending, fields_in
from rainbow.datasets.tables.frames import DELIMITED

__all__ = ["decimal_mark", "delimiter_of", "encoding_of"]

LOOKED_AT = 1 << 24  # bytes from the start of a file
_STRANGE = re.compile(r"[^\x00-\x7f]{3,}")  # letters of another alphabet, read as Western Europe's
# Whose letters have several bytes, or are those of one language alone: hardly anything else reads as these.
_PLAIN = frozenset(["gb18030", "gbk", "gb2312", "big5", "cp932", "shift_jis", "euc_jp", "cp949", "euc_kr", "cp874"])
_COHERENT = 40.0  # per cent, of others
_GUESSED_BY = 1 << 16  # bytes
_MARKS = (",", ";", "\t", "|")
_WITH_COMMA, _WITH_POINT = re.compile(r"[+-]?\d+,\d+"), re.compile(r"[+-]?\d+\.\d+")


def encoding_of(path: Place) -> str | None:
    r"""Return how a text file is encoded if that is not UTF-8; None if it is.

    Raises
    ------
    ValueError
        If it is neither UTF-8 nor in the letters of Western Europe, and it is not clear in whose.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "mine.csv")
    ...     _ = file.write_bytes("text\ncafé\n".encode("latin-1"))
    ...     encoding_of(file)
    'cp1252'
    """
    with path.open("rb") as file:
        start = file.read(LOOKED_AT)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    for encoding in ("utf-8", "cp1252"):
        try:
            text = codecs.getincrementaldecoder(encoding)().decode(start, final=len(start) < LOOKED_AT)
        except UnicodeDecodeError:
            continue
        if encoding == "utf-8":
            return None
        break
    else:
        if guessed := _guessed(start):
            return guessed
        encoding, text = "latin-1", start.decode("latin-1")
    strange = _STRANGE.findall(text)
    if 2 * sum(map(len, strange)) <= sum(letter > "\x7f" for letter in text):
        return encoding
    if guessed := _guessed(start):
        return guessed
    raise ValueError(f"it is not UTF-8, nor {encoding} ({strange[0]!r:.30}): say how it is encoded, --encoding")


def _guessed(start: bytes) -> str | None:
    """Return how letters that are not those of Western Europe are encoded, and warn; None where that is not clear."""
    from charset_normalizer import from_bytes

    best = from_bytes(start[:_GUESSED_BY]).best()
    if best is None or not (best.encoding in _PLAIN or best.percent_coherence >= _COHERENT):
        return None
    try:
        codecs.getincrementaldecoder(best.encoding)().decode(start, final=len(start) < LOOKED_AT)
    except UnicodeDecodeError:
        return None
    warnings.warn(f"it is read as {best.encoding}, as its letters look: --encoding names another", stacklevel=3)
    return str(best.encoding)


def delimiter_of(path: Place, encoding: str | None) -> str | None:
    r"""Return what stands between the fields of a ``.csv`` or ``.tsv`` if that is not what its ending says.

    It is the mark that parts all lines into as many fields as the first, and into the most; a tab where the first line
    has none and others would be parted by commas in their texts.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "mine.csv")
    ...     _ = file.write_text("text;quality\nan inn, cheap;3,5\n")
    ...     delimiter_of(file, None)
    ';'
    """
    usual = DELIMITED[ending(path)]
    with path.open("rb") as file:
        text = file.read(LOOKED_AT).decode(codec(encoding), "replace")
    if text.removeprefix("\ufeff").startswith("sep="):  # what tells Excel
        return text.removeprefix("\ufeff")[4]
    counts = {mark: fields_in(io.StringIO(text, newline=""), mark) for mark in _MARKS}
    whole = {mark: found[0] for mark, found in counts.items() if found and len({*found}) == 1 and found[0] > 1}
    if whole:
        best = max(whole, key=lambda mark: (whole[mark], mark == usual))
        return None if best == usual else best
    one = counts[usual][:1] == [1] and any(count > 1 for count in counts[usual])
    others = [mark for mark in _MARKS if counts[mark][:1] not in ([], [1])]
    if one and not others:
        return next((mark for mark in ("\t", "|") if mark not in text), None)
    return others[0] if one and len(others) == 1 and others[0] != usual else None


def decimal_mark(cells: Iterable[Any]) -> str | None:
    """Return a comma if one stands before the decimals of numbers; None if a point does, or nothing is known.

    Examples
    --------
    >>> decimal_mark(["3,5", "4"]), decimal_mark(["3,5", "4.5"]), decimal_mark(["1,200", "3,500"])
    (',', None, None)
    """
    texts = [cell.strip() for cell in cells if isinstance(cell, str)]
    with_comma = [text for text in texts if _WITH_COMMA.fullmatch(text)]
    thousands = all(len(text.rpartition(",")[2]) == 3 for text in with_comma)
    return "," if with_comma and not thousands and not any(_WITH_POINT.fullmatch(text) for text in texts) else None
