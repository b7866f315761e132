"""File lookup for folders and patterns."""

from __future__ import annotations

import re
from pathlib import Path

from rainbow.base.storage import Place, Remote, path_of

_PATTERN = re.compile(r"[*?\[]")


def is_many_files(name: str | Place) -> bool:
    """Return whether a name refers to several files: a pattern or an existing folder."""
    if isinstance(path := path_of(name), Path) and path.is_file():
        return False
    return bool(_PATTERN.search(_split_query(name)[0])) or _split_query(name)[0].endswith("/") or path.is_dir()


def _split_query(name: str | Place) -> tuple[str, str]:
    """Return a path and its object store query (s3://bucket/in.parquet?region=eu-west-1)."""
    path, mark, query = str(name).partition("?")
    return (path, mark + query) if "=" in query and "://" in path else (str(name), "")


def find_files(name: str | Place) -> tuple[Place, tuple[Place, ...]]:
    """Return the folder and the sorted files that a name refers to."""
    path, query = _split_query(name)
    start = _PATTERN.search(path)
    head = path[: start.start()].rpartition("/")[0] if start else path.rstrip("/")
    folder = path_of((head or ("/" if path.startswith("/") else ".")) + query)
    pattern = path[len(head) :].lstrip("/") if start else "**/*.parquet"
    results: list[Place] = [*folder.glob(pattern)]
    files = tuple(
        file
        for file in sorted(results, key=str)
        if (start or not _is_hidden(file, folder)) and (isinstance(file, Remote) or file.is_file())
    )
    if not files:
        raise FileNotFoundError(f"no {'such file:' if start else 'Parquet file in'} {str(name)!r}")
    return folder, files


def _is_hidden(file: Place, folder: Place) -> bool:
    return any(part.startswith(("_", ".")) for part in file.parts[len(folder.parts) :])
