"""Files that appear whole or not at all."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from rainbow.base.printed import plain
from rainbow.base.storage import Place

if TYPE_CHECKING:
    import pandas as pd


def check_writable(folder: Path) -> None:
    """Refuse a folder that cannot be written, before work begins whose result would be lost."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OSError(f"{folder} cannot be written ({error.strerror}): name another place, --out") from None


def write_atomically(path: Path, write: Callable[[Path], object]) -> Path:
    """Let `write` fill a new file beside `path` and put it in its place only when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{uuid4().hex}.part")
    try:
        write(part)
        put_in_place(part, path)
    finally:
        part.unlink(missing_ok=True)
    return path


def write_text(path: Path, text: str) -> Path:
    """Write a text as UTF-8, whole or not at all; halves of surrogate pairs as their escapes."""
    return write_atomically(path, lambda part: part.write_bytes(text.encode("utf-8", "backslashreplace")))


def write_json(path: Path, value: Any) -> Path:
    """Write a value as JSON for people to read, as :func:`~rainbow.base.printed.plain` gives it."""
    return write_text(path, json.dumps(plain(value), ensure_ascii=False, indent=1))


def write_csv(path: Path, table: pd.DataFrame, *, guard: bool = False) -> Path:
    """Write a table as CSV, whole or not at all; guarded against spreadsheets if asked for (:func:`guarded`)."""
    if path.suffix.lower() not in (".csv", ".tsv", ".txt", ""):
        raise ValueError(f"{path}: tables are written as CSV: name the file {path.with_suffix('.csv').name}")
    shown = guarded(table) if guard else table
    return write_atomically(path, partial(shown.to_csv, index=False))


def guarded(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose texts no spreadsheet takes for a formula: ' stands before those that begin like one."""
    texts = [name for name in table if table[name].dtype == object or str(table[name].dtype).startswith("str")]
    table = table.assign(**{str(name): [_guarded(value) for value in table[name]] for name in texts})
    return table.rename(columns=_guarded)


def _guarded(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value) else value


_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def write_whole(path: Place, content: Any) -> None:
    """Write bytes as a file, which appears whole or not at all."""
    if isinstance(path, Path):
        write_atomically(path, lambda target: target.write_bytes(content))
    else:
        path.write_bytes(content)


def put_in_place(new: Path, path: Place) -> None:
    """Put a local file in the place of another, so that after a power cut one of the two is there, whole."""
    if not isinstance(path, Path):
        path.take_in(new)
        return
    with new.open("r+b") as file:
        os.fsync(file.fileno())
    new.replace(path)
    if os.name == "posix":  # elsewhere a folder cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
