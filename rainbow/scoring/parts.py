"""Chunks that are scored, each in a file: a part of the table, from which an interrupted run goes on."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

from rainbow.base.files import write_atomically
from rainbow.base.native import kernels
from rainbow.scoring.chunks import Chunk
from rainbow.scoring.plan import Plan
from rainbow.scoring.saved_scores import COMPRESSION
from rainbow.scoring.schema import arrow_table

__all__ = ["Part", "parts_folder", "parts_in", "reasons_in", "score_part"]

_KEY = b"rainbow part"
_DIGITS = 16


class Part(NamedTuple):
    """The file of a chunk's rows and scores, how many they are, and whether an interrupted run had left it."""

    path: Path
    rows: int
    resumed: bool


@contextmanager
def parts_folder(path: Path, *, resume: bool = True) -> Iterator[Path]:
    """Give the folder beside a table where its parts lie until it is whole; only one run may work in it.

    If work in it ends with an error, parts stay there.

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
    folder = path.with_name(f".{path.name}.partial")
    folder.mkdir(parents=True, exist_ok=True)
    lock, whole = _locked(folder / "lock", path), False
    try:
        for file in {*folder.iterdir()} - {folder / "lock", *(parts_in(folder) if resume else [])}:
            file.unlink()
        yield folder
        whole = True
    finally:
        lock.close()
        if whole or not parts_in(folder):
            shutil.rmtree(folder)


def parts_in(folder: Path) -> list[Path]:
    """Return the parts that lie in a folder."""
    return [
        file
        for file in folder.iterdir()
        if file.suffix == ".parquet" and not file.name.startswith(".") and "-" in file.name
    ]


def score_part(plan: Plan, schema: Any, folder: Path, threads: int, chunk: Chunk) -> Part:
    """Return the part of a chunk: the one that lies in the folder, if it is whole and made of this, or a new one.

    Parameters
    ----------
    plan, threads
        What scores the chunk, and how many threads kernels may use.
    schema
        Of the rows as an Arrow table.
    folder
        Where the parts lie.
    chunk
        The rows.
    """
    import pyarrow as pa

    table = arrow_table(chunk.rows.frame, schema)
    key = _key(plan, chunk.before, table)
    if found := _found(folder, chunk.before, key):
        return Part(found, len(table), resumed=True)
    scores = plan.score(chunk, threads)
    for name, values in zip(plan.columns, scores.values.T, strict=True):
        table = table.append_column(name, pa.Array.from_pandas(values, type=pa.float64()))
    about = {"key": key, "missing": scores.missing}
    return Part(_written(folder, chunk.before, table, about), len(table), resumed=False)


def reasons_in(part: Path) -> dict[str, dict[str, Any]]:
    """Return why values are missing in a part, as :class:`~rainbow.scoring.plan.Scores` says it."""
    missing: dict[str, dict[str, Any]] = _about(part)["missing"]
    return missing


def _key(plan: Plan, before: int, table: Any) -> str:
    """Return a digest of all that a part depends on: its rows, and all that their scores are made by."""
    import pyarrow as pa

    made_by = {
        "signatures": plan.signatures,
        "missing": [entry.missing for entry in plan.selected],
        # Where compiled kernels round otherwise than their twins, one table has the scores of one of them.
        "compiled": kernels() is not None,
    }
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema.remove_metadata()) as stream:
        stream.write_table(table.replace_schema_metadata(None))
    head = f"{json.dumps(made_by, sort_keys=True)}\n{before} {len(table)}\n"
    digest = hashlib.blake2b(head.encode(), digest_size=16)
    digest.update(sink.getvalue())
    return digest.hexdigest()


def _found(folder: Path, before: int, key: str) -> Path | None:
    """Return the part that starts after so many rows, if it is whole and has this key; one that has not is removed.

    A part that does not fit was made from other rows, by other metrics or for other bounds, or it is damaged.
    """
    for file in sorted(folder.glob(f"{before:0{_DIGITS}d}-*.parquet")):
        if _is_whole(file) and _key_of(file) == key:
            return file
        file.unlink()
    return None


def _is_whole(file: Path) -> bool:
    return file.stem.partition("-")[2] == _digest(file.read_bytes())


def _key_of(file: Path) -> Any:
    try:
        return _about(file).get("key")
    except (ValueError, TypeError, KeyError):  # it is whole, but none of ours
        return None


def _about(file: Path) -> dict[str, Any]:
    import pyarrow.parquet as pq

    about: dict[str, Any] = json.loads(pq.read_schema(file).metadata[_KEY])
    return about


def _written(folder: Path, before: int, table: Any, about: Mapping[str, Any]) -> Path:
    """Write a part; its name has a digest of its content, so that damage is seen."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    metadata = {**(table.schema.metadata or {}), _KEY: json.dumps(about).encode()}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(metadata), sink, compression=COMPRESSION)
    content = sink.getvalue()
    path = folder / f"{before:0{_DIGITS}d}-{_digest(content)}.parquet"
    return write_atomically(path, lambda target: target.write_bytes(content))


def _digest(content: Any) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _locked(file: Path, path: Path) -> IO[str]:
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
