"""Reference files: E2E dataset format or plain text."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rainbow.corpus import Corpus
from rainbow.datasets.read.encoding import read_text
from rainbow.datasets.read.formats import DELIMITED

_COLUMNS = {"mr": ("mr", "meaning_representation"), "ref": ("ref", "reference", "text")}


class ReferenceFile(NamedTuple):
    """References of each item in file order, and the first line of each item."""

    path: Path
    sets: Mapping[str, tuple[str, ...]]
    lines: Mapping[str, int]
    has_mrs: bool


def read_references(path: Path, encoding: str | None = None) -> ReferenceFile:
    """Read a file of references."""
    text = read_text(path, encoding)
    return _parse_plain_text(path, text) if path.suffix.lower() == ".txt" else _parse_table(path, text)


def read_background(path: Path, encoding: str | None = None) -> Corpus:
    """Read references for inputs without outputs, in the format of a corpus background."""
    file = read_references(path, encoding)
    try:
        return Corpus.from_texts([""] * len(file.sets), [*file.sets.values()], [*file.sets] if file.has_mrs else None)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _file_delimiter(path: Path) -> str:
    return DELIMITED.get(path.suffix.lower(), ",")


def _parse_table(path: Path, text: str) -> ReferenceFile:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_file_delimiter(path))
    header = [name.strip().lower() for name in next(rows, [])]
    places = {field: _column_index(path, header, names) for field, names in _COLUMNS.items()}
    sets: dict[str, list[str]] = {}
    lines: dict[str, int] = {}
    for row in rows:
        if not row:
            continue
        if len(row) <= max(places.values()):
            raise ValueError(
                f"{path}, line {rows.line_num}: it has {len(row)} fields, but the header has {len(header)}"
            )
        if not row[places["ref"]].strip():
            raise ValueError(f"{path}, line {rows.line_num}: the reference is empty: remove the line")
        mr = row[places["mr"]].strip()
        lines.setdefault(mr, rows.line_num)
        sets.setdefault(mr, []).append(row[places["ref"]])
    return ReferenceFile(path, {mr: tuple(texts) for mr, texts in sets.items()}, lines, has_mrs=True)


def _column_index(path: Path, header: list[str], names: tuple[str, ...]) -> int:
    for name in names:
        if name in header:
            return header.index(name)
    raise ValueError(f"{path}, line 1: the column {names[0]!r} is missing: write the header mr,ref")


def _parse_plain_text(path: Path, text: str) -> ReferenceFile:
    sets: dict[str, list[str]] = {}
    lines: dict[str, int] = {}
    inside = False
    for number, line in enumerate(text.replace("\r", "").split("\n"), 1):
        if not line.strip():
            inside = False
            continue
        if not inside:
            lines[str(len(sets) + 1)] = number
            sets[str(len(sets) + 1)] = []
            inside = True
        sets[str(len(sets))].append(line)
    return ReferenceFile(path, {item: tuple(texts) for item, texts in sets.items()}, lines, has_mrs=False)
