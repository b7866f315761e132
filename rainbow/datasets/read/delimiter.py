"""Detection of field delimiter and decimal mark."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from typing import Any

from rainbow.base.storage import Place
from rainbow.datasets.read.encoding import MAX_DETECTION_BYTES, codec_name
from rainbow.datasets.read.formats import DELIMITED, file_extension, split_fields
from rainbow.datasets.read.header import count_preamble_lines

_MARKS = (",", ";", "\t", "|")
_WITH_COMMA, _WITH_POINT = re.compile(r"[+-]?\d+,\d+"), re.compile(r"[+-]?\d+\.\d+")
_SEPARATOR = re.compile(r"\s*sep=(.)")


def detect_delimiter(path: Place, encoding: str | None) -> str | None:
    """Return the delimiter of a ``.csv`` or ``.tsv`` file if it is not the default, else None."""
    usual = DELIMITED[file_extension(path)]
    with path.open("rb") as file:
        text = file.read(MAX_DETECTION_BYTES).decode(codec_name(encoding), "replace").removeprefix("\ufeff")
    if match := _SEPARATOR.match(text):  # for Excel
        return None if match[1] == usual else match[1]
    counts = {mark: _count_fields(text, mark) for mark in _MARKS}
    whole = {mark: match[0] for mark, match in counts.items() if match and len({*match}) == 1 and match[0] > 1}
    if whole:
        best = max(whole, key=lambda mark: (whole[mark], mark == usual))
        return None if best == usual else best
    if counts[usual][:1] != [1]:
        return None
    others = [mark for mark in _MARKS if counts[mark][:1] not in ([], [1])]
    if any(count > 1 for count in counts[usual]):
        if not others:
            return next((mark for mark in ("\t", "|") if mark not in text), None)
        return others[0] if len(others) == 1 else None
    # Rows may have fewer fields than the header, or a delimiter at their end.
    alike = [mark for mark in others if len({*counts[mark][1:]}) == 1 and counts[mark][1] > 1]
    return alike[0] if len(alike) == 1 else None


def _count_fields(text: str, mark: str) -> list[int]:
    """Return the number of fields of the header and the rows."""
    stream = io.StringIO(text, newline="")
    start = stream.readlines(1 << 16)
    stream.seek(0)
    for _ in range(count_preamble_lines(start, mark)):
        stream.readline()
    return [len(fields) for fields in split_fields(stream, mark) if any(map(str.strip, fields))]


def detect_decimal_mark(cells: Iterable[Any]) -> str | None:
    """Return a comma if the numbers have decimal commas, else None."""
    texts = [cell.strip() for cell in cells if isinstance(cell, str)]
    with_comma = [text for text in texts if _WITH_COMMA.fullmatch(text)]
    thousands = all(len(text.rpartition(",")[2]) == 3 for text in with_comma)
    return "," if with_comma and not thousands and not any(_WITH_POINT.fullmatch(text) for text in texts) else None
