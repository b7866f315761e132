"""Scored chunks saved as parts, from which an interrupted run resumes."""

from __future__ import annotations

import hashlib
import json
import shutil
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.files import write_bytes
from rainbow.base.lazy import pa, pq
from rainbow.base.locks import hold_lock
from rainbow.base.native import kernels
from rainbow.base.storage import Place, read_parquet_table, readable_source
from rainbow.scoring.chunks import Piece
from rainbow.scoring.plan import Plan
from rainbow.scoring.saved_scores import COMPRESSION
from rainbow.scoring.summaries import Moments
from rainbow.scoring.table_schema import arrow_table

# Why there is no score in a column that others computed.
NOT_GIVEN = "none given"

_KEY = b"rainbow part"
_DIGITS = 16


class Part(NamedTuple):
    """File with the rows and scores of one chunk."""

    path: Place  # the file
    rows: int  # how many rows it has
    resumed: bool  # whether an interrupted run had left it
    missing: dict[str, dict[str, Any]]
    moments: dict[str, Moments]  # for each column of scores mean, deviation and range


@contextmanager
def lock_parts_folder(path: Place, *, resume: bool = True, permanent: bool = False) -> Iterator[Place]:
    """Yield the folder of a table's parts, locked for this run."""
    folder = path if permanent else path.with_name(f".{path.name}.partial")
    folder.mkdir(parents=True, exist_ok=True)
    lock, whole = folder / ".lock", False
    with hold_lock(lock, path):
        try:
            for file in {*folder.iterdir()} - {lock, *(list_parts(folder) if resume else [])}:
                if not permanent or file in list_parts(folder):
                    file.unlink()
            yield folder
            whole = True
        finally:
            if not permanent and (whole or not list_parts(folder)):
                _remove_folder(folder)
            elif permanent:
                lock.unlink(missing_ok=True)


def _remove_folder(folder: Place) -> None:
    if isinstance(folder, Path):
        shutil.rmtree(folder)
        return
    for file in folder.iterdir():
        file.unlink(missing_ok=True)


def list_parts(folder: Place) -> list[Place]:
    """Return the parts in a folder."""
    return [file for file in folder.iterdir() if file.suffix == ".parquet" and file.name.startswith("part-")]


def part_names(folder: Place) -> dict[int, list[str]]:
    """Return the names of the parts in a folder by the number of rows before them."""
    result: dict[int, list[str]] = {}
    for name in sorted(file.name for file in list_parts(folder)):
        before = name.split("-")[1]
        result.setdefault(int(before) if before.isdigit() else -1, []).append(name)
    return result


@dataclass(frozen=True)
class PartMaker:
    """Creates the part of a chunk, or reuses a valid one."""

    plan: Plan
    schema: Any
    folder: Place
    threads: int = 1
    external: tuple[str, ...] = ()

    def __call__(self, piece_and_parts: tuple[Piece, Sequence[str]]) -> Part:
        """Return the saved part of a piece; delete invalid parts at its position."""
        if isinstance(self.folder, Path) and not self.folder.is_dir():
            name = socket.gethostname()
            raise RuntimeError(f"{name} cannot access {self.folder}: use a shared disk or s3://")
        piece, names = piece_and_parts
        chunk = piece.chunk()
        table = arrow_table(chunk.rows.frame, self.schema)
        key = _part_key(self.plan, chunk.before, table)
        if result := _find_part(self.folder, names, key):
            missing = _part_metadata(result)["missing"]
            return self._describe_part(result, read_parquet_table(result), missing, resumed=True)
        scores = self.plan.score(chunk, self.threads)
        for name, values in zip(self.plan.columns, scores.values.T, strict=True):
            table = table.append_column(name, pa.Array.from_pandas(values, type=pa.float64()))
        path = _write_part(self.folder, chunk.before, table, {"key": key, "missing": scores.missing})
        return self._describe_part(path, table, scores.missing, resumed=False)

    def _describe_part(self, path: Place, table: Any, missing: Mapping[str, Any], *, resumed: bool) -> Part:
        values = {name: table[name].to_numpy() for name in (*self.external, *self.plan.columns)}
        empty = {name: np.flatnonzero(np.isnan(values[name])).tolist() for name in self.external}
        given = {name: {NOT_GIVEN: rows} for name, rows in empty.items() if rows}
        moments = {name: Moments.from_values(column) for name, column in values.items()}
        return Part(path, len(table), resumed, {**missing, **given}, moments)


def _part_key(plan: Plan, before: int, table: Any) -> str:
    """Return a digest of the rows and metric definitions that a part depends on."""
    made_by = {
        "signatures": plan.signatures,
        "missing": [entry.missing for entry in plan.selected],
        # Compiled kernels may round differently from their twins; one table has the scores of one of them.
        "compiled": kernels() is not None,
    }
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema.remove_metadata()) as stream:
        stream.write_table(table.replace_schema_metadata(None))
    head = f"{json.dumps(made_by, sort_keys=True)}\n{before} {len(table)}\n"
    return _digest(head.encode(), sink.getvalue())


def _find_part(folder: Place, names: Sequence[str], key: str) -> Place | None:
    """Return the first valid part with this key; the others are removed."""
    for file in (folder / name for name in names):
        try:
            if file.stem.rpartition("-")[2] == _digest(file.read_bytes()) and _saved_key(file) == key:
                return file
        except FileNotFoundError:  # a piece that is done again has removed it before
            continue
        file.unlink(missing_ok=True)
    return None


def _saved_key(file: Place) -> Any:
    try:
        return _part_metadata(file).get("key")
    except (ValueError, TypeError, KeyError):  # it is whole, but none of ours
        return None


def _part_metadata(file: Place) -> dict[str, Any]:
    about: dict[str, Any] = json.loads(pq.read_schema(readable_source(file)).metadata[_KEY])
    return about


def _write_part(folder: Place, before: int, table: Any, details: Mapping[str, Any]) -> Place:
    """Write a part; its name contains a digest that reveals damage."""
    metadata = {**(table.schema.metadata or {}), _KEY: json.dumps(details).encode()}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(metadata), sink, compression=COMPRESSION)
    content = sink.getvalue()
    path = folder / f"part-{before:0{_DIGITS}d}-{_digest(content)}.parquet"
    write_bytes(path, content)
    return path


def _digest(*parts: Any) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
