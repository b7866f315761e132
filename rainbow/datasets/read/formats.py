"""File formats, by extension and by first bytes."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from rainbow.base.storage import Place

BINARY = (".parquet", ".xlsx")  # neither has an encoding or a delimiter
DELIMITED = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".psv": "|"}
TABLES = (*DELIMITED, ".jsonl", ".ndjson", ".json", *BINARY)
_PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")
_SPREADSHEETS = (".xls", ".ods", ".numbers")
_START = 1 << 20  # bytes
_LINES = 500
_LEAST_FIELDS = {"\t": 2, ";": 3, "|": 3}  # of a line in a .txt that is a table

# First bytes: a supported extension, or a description of an unsupported file.
_SIGNATURES = {
    rb"PAR1": ".parquet",
    rb"\x89PNG": "a PNG image",
    rb"\xff\xd8\xff": "a JPEG image",
    rb"GIF8[79]a": "a GIF image",
    rb"%PDF-": "a PDF document",
    rb"\{\\rtf": "an RTF document",
    rb"SQLite format 3": "an SQLite database",
    rb"ARROW1": "an Arrow file, which is not supported: save it as .parquet",
    rb"\x1f\x8b": "a gzip archive, not a table: unpack it first",
    rb"BZh\d1AY&SY": "a bzip2 archive, not a table: unpack it first",
    rb"\xfd7zXZ": "an xz archive, not a table: unpack it first",
    rb"\x28\xb5\x2f\xfd": "a zstd archive, not a table: unpack it first",
    rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "an old Excel workbook (.xls): save it as .xlsx or .csv",
    rb"(?i)(\xef\xbb\xbf)?\s*<(!doctype html|html|head|body)": "an HTML page",
    rb"(?i)(\xef\xbb\xbf)?\s*<\?xml": "an XML document",
}
# A file in a ZIP archive: the same.
_MEMBERS = {
    "xl/workbook.xml": ".xlsx",
    "content.xml": "an OpenDocument file (.ods): save it as .xlsx or .csv",
    "word/document.xml": "a Word document",
}
_JSON = {rb"(\xef\xbb\xbf)?\s*\{\s*\"": ".jsonl", rb"(\xef\xbb\xbf)?\s*\[\s*\{\s*\"": ".json"}


def file_extension(path: Place) -> str:
    """Return the file extension in lower case, corrected by the file's content."""
    suffix = path.suffix.lower()
    if isinstance(path, Path) and path.is_file():
        status = path.stat()
        return _cached_extension(path, status.st_size, status.st_mtime_ns)
    return ".tsv" if suffix == ".txt" and path.is_file() and _has_fields(path) else suffix


@lru_cache(maxsize=256)
def _cached_extension(path: Path, size: int, changed: int) -> str:
    suffix, content = path.suffix.lower(), _detect_content(path)
    if content in BINARY:
        return content
    if suffix in DELIMITED:
        return _match_signature(_JSON, _first_bytes(path)) or suffix
    return ".tsv" if suffix == ".txt" and not content and _has_fields(path) else suffix


def check_content(path: Place) -> None:
    """Raise ValueError if the file is an image, an archive or a document."""
    if message := _content_error(path):
        raise ValueError(message)


def _content_error(path: Place) -> str | None:
    content = _detect_content(path)
    if not content or content in BINARY or ("ML" in content and path.suffix.lower() == ".txt"):
        return None
    return f"this is {content}" if ":" in content else f"this is {content}, not a table"


def unreadable_message(path: Place) -> str:
    """Return the message for a file that is not a table."""
    if path.is_file() and (message := _content_error(path)):
        return message
    if path.suffix.lower() in _SPREADSHEETS:
        return f"cannot read {path.suffix}: save it as .xlsx or .csv"
    packed = "unpack it first; " if path.suffix in _PACKED else ""
    what = path.suffix or "a file without an extension"
    return f"cannot read {what}: {packed}use {', '.join(TABLES)} for tables, .txt for plain text"


def split_fields(lines: Iterable[str], delimiter: str) -> list[list[str]]:
    """Return the fields of the first nonempty lines; empty if they cannot be parsed."""
    try:
        return list(islice(filter(None, csv.reader(lines, delimiter=delimiter)), _LINES))
    except csv.Error:
        return []


def _first_bytes(path: Place) -> bytes:
    with path.open("rb") as file:
        start: bytes = file.read(64)
    return start


def _detect_content(path: Place) -> str | None:
    """Return a binary extension or a description of the content; None for text."""
    start = _first_bytes(path)
    if not start.startswith(b"PK\x03\x04"):
        return _match_signature(_SIGNATURES, start)
    try:
        with path.open("rb") as file, ZipFile(file) as archive:
            members = {*archive.namelist()}
    except (BadZipFile, NotImplementedError, OSError, ValueError):
        members = set()
    result = next((content for name, content in _MEMBERS.items() if name in members), None)
    damaged = ".xlsx" if path.suffix.lower() == ".xlsx" else "a ZIP archive, not a table: unpack it first"
    return result or damaged


def _match_signature(patterns: dict[bytes, str], start: bytes) -> str | None:
    return next((content for pattern, content in patterns.items() if re.match(pattern, start)), None)


def _has_fields(path: Place) -> bool:
    """Return whether all lines have equally many fields, unlike sentences with semicolons."""
    with path.open("rb") as file:
        start = file.read(_START)
    wide = start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    lines = start.decode("utf-16" if wide else "utf-8", "replace").splitlines()
    complete = lines[:-1] if len(start) == _START else lines
    counts = {mark: [len(fields) for fields in split_fields(complete, mark)] for mark in _LEAST_FIELDS}
    return any(
        len(widths) > 1 and {*widths} == {max(widths[0], _LEAST_FIELDS[mark])} for mark, widths in counts.items()
    )
