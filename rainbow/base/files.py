"""Files: written complete or not at all, and the problems that were found in them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple
from uuid import uuid4

from rainbow.base.formatting import plain
from rainbow.base.lazy import pd
from rainbow.base.storage import Place


def check_writable(folder: Path) -> None:
    """Raise an error before long work starts if a folder is not writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OSError(f"{folder} is not writable ({error.strerror}): choose another place with --out") from None


def write_atomically(path: Path, write: Callable[[Path], object]) -> Path:
    """Let `write` fill a temporary file and move it into place once it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{uuid4().hex}.part")
    try:
        write(part)
        replace_file(part, path)
    finally:
        part.unlink(missing_ok=True)
    return path


def write_text(path: Path, text: str) -> Path:
    """Write text as UTF-8 atomically; lone surrogates are escaped."""
    return write_atomically(path, lambda part: part.write_bytes(text.encode("utf-8", "backslashreplace")))


def write_json(path: Path, value: Any) -> Path:
    """Write a value as indented JSON, converted by :func:`~rainbow.base.formatting.plain`."""
    return write_text(path, json.dumps(plain(value), ensure_ascii=False, indent=1))


def write_csv(path: Path, table: pd.DataFrame, *, guard: bool = False) -> Path:
    """Write a table as CSV atomically, optionally with formulas escaped (:func:`escape_formulas`)."""
    if path.suffix.lower() not in (".csv", ".tsv", ".txt", ""):
        raise ValueError(f"{path}: tables are written as CSV: use the name {path.with_suffix('.csv').name}")
    shown = escape_formulas(table) if guard else table
    return write_atomically(path, partial(shown.to_csv, index=False))


def escape_formulas(table: pd.DataFrame) -> pd.DataFrame:
    """Prefix with ' every text that a spreadsheet would evaluate as a formula."""
    texts = [name for name in table if table[name].dtype == object or str(table[name].dtype).startswith("str")]
    table = table.assign(**{str(name): [_escape_formula(value) for value in table[name]] for name in texts})
    return table.rename(columns=_escape_formula)


def _escape_formula(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value) else value


_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def write_bytes(path: Place, content: Any) -> None:
    """Write bytes to a file atomically."""
    if isinstance(path, Path):
        write_atomically(path, lambda target: target.write_bytes(content))
    else:
        path.write_bytes(content)


def replace_file(new: Path, path: Place) -> None:
    """Replace a file by another so that one complete version survives a power cut."""
    if not isinstance(path, Path):
        path.upload(new)
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


class Note(NamedTuple):
    """One problem in a file."""

    place: str  # the file and the line, as a person would look them up
    problem: str  # the problem
    fix: str  # the fix, applied on request
    harmless: bool = False  # whether it is done without being asked: nothing is lost or guessed

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}; {self.fix}"


def raise_problems(notes: Iterable[Note]) -> None:
    """Raise an error for problems that are not harmless."""
    serious = [note for note in notes if not note.harmless]
    if not serious:
        return
    first, others = serious[0], len(serious) - 1
    more = f"; {others} more such problems" if others else ""
    raise ValueError(f"{first.place}: {first.problem} (fix the file, or use --lenient: {first.fix}){more}")
