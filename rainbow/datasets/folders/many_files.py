"""The files that a name stands for: those of a folder, or of a pattern."""

from __future__ import annotations

import re
from pathlib import Path

from rainbow.base.storage import Place, Remote, path_of

_PATTERN = re.compile(r"[*?\[]")


def is_many(name: str | Place) -> bool:
    """Return whether a name stands for many files: a pattern, or a folder that is there."""
    if isinstance(path := path_of(name), Path) and path.is_file():
        return False
    return bool(_PATTERN.search(_split(name)[0])) or _split(name)[0].endswith("/") or path.is_dir()


def _split(name: str | Place) -> tuple[str, str]:
    """Return a path, and what is said behind it of an object store (s3://bucket/in.parquet?region=eu-west-1)."""
    path, mark, query = str(name).partition("?")
    return (path, mark + query) if "=" in query and "://" in path else (str(name), "")


def many_files(name: str | Place) -> tuple[Place, tuple[Place, ...]]:
    """Return the folder and the files that a name stands for, in the order of their names."""
    path, query = _split(name)
    start = _PATTERN.search(path)
    head = path[: start.start()].rpartition("/")[0] if start else path.rstrip("/")
    folder = path_of((head or ("/" if path.startswith("/") else ".")) + query)
    pattern = path[len(head) :].lstrip("/") if start else "**/*.parquet"
    found: list[Place] = [*folder.glob(pattern)]
    files = tuple(
        file
        for file in sorted(found, key=str)
        if (start or not _hidden(file, folder)) and (isinstance(file, Remote) or file.is_file())
    )
    if not files:
        raise FileNotFoundError(f"there is no {'file' if start else '.parquet in'} {str(name)!r}")
    return folder, files


def _hidden(file: Place, folder: Place) -> bool:
    return any(part.startswith(("_", ".")) for part in file.parts[len(folder.parts) :])
