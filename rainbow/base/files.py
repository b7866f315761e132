"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

__all__ = ["replace_durably", "write_atomically"]


def write_atomically(path: Path, write: Callable[[Path], object]) -> Path:
    """Let `write` fill a new file beside `path` and put it in its place only when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{uuid4().hex}.part")
    try:
        write(part)
        replace_durably(part, path)
    finally:
        part.unlink(missing_ok=True)
    return path


def replace_durably(new: Path, path: Path) -> None:
    """Put a file in the place of another, so that after a power cut one of the two is there, whole."""
    with new.open("r+b") as file:
        os.fsync(file.fileno())
    new.replace(path)
    if os.name == "posix":  # elsewhere a folder cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
