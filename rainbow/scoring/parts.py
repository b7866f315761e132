"""Finished chunks of a table on disk, so that a run that was interrupted need not start anew."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from rainbow.base.files import write_atomically
from rainbow.scoring.saved_scores import COMPRESSION

__all__ = ["Parts", "part_key", "read_part", "write_part"]

_KEY = b"rainbow part"
_DIGITS = 16


class Parts:
    """The folder beside a table where its finished chunks lie until it is whole; only one run may work in it.

    Parameters
    ----------
    path
        The table.
    resume
        Whether parts that lie there may be used.

    Raises
    ------
    OSError
        If another run is writing this table.
    """

    def __init__(self, path: Path, *, resume: bool = True) -> None:
        self.path = path
        self.folder = path.with_name(f".{path.name}.partial")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self.folder / "lock", path)
        for file in self.folder.iterdir():
            if file.name != "lock" and not (resume and _is_part(file)):
                file.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.folder.is_dir() and not len(self):
            self.remove()
        self._lock.close()

    def __len__(self) -> int:
        return sum(map(_is_part, self.folder.iterdir()))

    def find(self, before: int, key: str) -> Path | None:
        """Return the part that starts after so many rows, if it is whole and has this key; one that has not is removed.

        A part that does not fit was made from other rows, by other metrics or for other bounds, or it is damaged.
        """
        for file in sorted(self.folder.glob(f"{before:0{_DIGITS}d}-*.parquet")):
            if _is_whole(file) and _key_of(file) == key:
                return file
            file.unlink()
        return None

    def has(self, before: int) -> bool:
        """Return whether there is a part, fit or not, that starts after so many rows."""
        return any(self.folder.glob(f"{before:0{_DIGITS}d}-*.parquet"))

    def remove(self) -> None:
        """Remove the folder: the table is whole."""
        self._lock.close()
        shutil.rmtree(self.folder)


def part_key(made_by: str, before: int, rows: Any) -> str:
    """Return a digest of all that a part depends on.

    Parameters
    ----------
    made_by
        What scores it: metrics with their parameters, view, implementation.
    before
        How many rows come before.
    rows
        The rows as an Arrow table.
    """
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema.remove_metadata()) as stream:
        stream.write_table(rows.replace_schema_metadata(None))
    digest = hashlib.blake2b(f"{made_by}\n{before} {len(rows)}\n".encode(), digest_size=16)
    digest.update(sink.getvalue())
    return digest.hexdigest()


def write_part(folder: Path, before: int, table: Any, about: Mapping[str, Any]) -> Path:
    """Write a part; its name has a digest of its content, so that damage is seen."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    metadata = {**(table.schema.metadata or {}), _KEY: json.dumps(about).encode()}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(metadata), sink, compression=COMPRESSION)
    content = sink.getvalue()
    path = folder / f"{before:0{_DIGITS}d}-{_digest(content)}.parquet"
    return write_atomically(path, lambda target: target.write_bytes(content))


def read_part(path: Path) -> dict[str, Any]:
    """Return what was written about a part, its key among it."""
    import pyarrow.parquet as pq

    about: dict[str, Any] = json.loads(pq.read_schema(path).metadata[_KEY])
    return about


def _is_part(file: Path) -> bool:
    return file.suffix == ".parquet" and not file.name.startswith(".") and "-" in file.name


def _key_of(file: Path) -> Any:
    try:
        return read_part(file).get("key")
    except (ValueError, TypeError, KeyError):  # it is whole, but none of ours
        return None


def _is_whole(file: Path) -> bool:
    return file.stem.partition("-")[2] == _digest(file.read_bytes())


def _digest(content: Any) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _locked(file: Path, path: Path) -> Any:
    """Open a file that no other run can have open at the same time; it is free again when this process ends."""
    opened = file.open("a")
    try:
        import fcntl
    except ImportError:  # Windows: two runs at the same time are not told from one another
        return opened
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        opened.close()
        raise OSError(f"another run is writing {path}: wait for it, or end it") from None
    return opened
