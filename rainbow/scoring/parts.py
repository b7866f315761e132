"""Scored chunks saved as parts, from which an interrupted run resumes, and their assembly into tables."""

from __future__ import annotations

import hashlib
import json
import shutil
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.files import replace_file, write_bytes
from rainbow.base.lazy import pa, pq
from rainbow.base.locks import hold_lock
from rainbow.base.native import kernels
from rainbow.base.progress import RowProgress
from rainbow.base.storage import Place, read_parquet_table, readable_source
from rainbow.scoring.chunks import Piece
from rainbow.scoring.missing import MissingReasons, Moments, Reasons
from rainbow.scoring.plan import Plan
from rainbow.scoring.saved_scores import COMPRESSION, SIGNATURES, EarlierScores, open_table_writer
from rainbow.scoring.table_schema import arrow_table

# Reason for a missing score in a column that was computed elsewhere.
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


class Assembled(NamedTuple):
    """Number of rows, and missing values and moments per column."""

    rows: int
    missing: dict[str, Reasons]
    moments: dict[str, Moments]


class Summary:
    """Running summary of finished parts in row order."""

    def __init__(self) -> None:
        self.parts: list[tuple[Place, int]] = []
        self.rows = self.resumed = 0
        self.moments: dict[str, Moments] = {}
        self._missing = MissingReasons()

    def add(self, part: Part) -> None:
        """Add the next part."""
        self.parts.append((part.path, part.rows))
        self.rows += part.rows
        self.resumed += part.rows if part.resumed else 0
        self._missing.add(part.missing, part.rows)
        for name, moments in part.moments.items():
            self.moments.setdefault(name, Moments()).add(moments)

    def missing(self) -> dict[str, Reasons]:
        """Return why values are missing, as :meth:`MissingReasons.result` does."""
        return self._missing.result()

    def table(self) -> Assembled:
        """Return the metadata of the table."""
        missing = self.missing()
        return Assembled(self.rows, {name: missing.get(name, {}) for name in self.moments}, self.moments)


def finish_folder(summary: Summary, folder: Place, metadata: Mapping[str, Any]) -> None:
    """Write the metadata that turns a folder of parts into a table; remove other parts."""
    parts = [[path.name, rows] for path, rows in summary.parts]
    for stray in {file.name for file in list_parts(folder)} - {path.name for path, _ in summary.parts}:
        (folder / stray).unlink(missing_ok=True)
    about = {**metadata, "missing": summary.missing(), "rows": summary.rows, "parts": parts}
    write_bytes(folder / SIGNATURES, json.dumps(about, indent=1).encode())


def assemble_table(
    summary: Summary,
    paths: Sequence[Place],
    folder: Place,
    metadata: Mapping[str, Any],
    earlier: EarlierScores | None,
    guard: bool,
    progress: RowProgress,
) -> None:
    """Write the rows of all parts to each file, and move complete files into place."""
    metadata = _merge_about({**metadata, "missing": summary.missing()}, earlier)
    schema, done = _table_schema(pq.read_schema(readable_source(summary.parts[0][0])), metadata, earlier), 0
    with ExitStack() as open_files:
        drafts_in = open_files.enter_context(_temporary_folder(folder))
        drafts = {path: drafts_in / f"whole{number}{path.suffix}" for number, path in enumerate(paths)}
        with ExitStack() as tables:
            kept = tables.enter_context(earlier.columns()) if earlier else None
            writers = [
                tables.enter_context(open_table_writer(draft, schema, metadata, guard=guard))
                for draft in drafts.values()
            ]
            for part, rows in summary.parts:
                table = read_parquet_table(part)
                scores = kept(rows) if kept else None
                for name, column in () if scores is None else zip(scores.schema, scores.columns, strict=True):
                    table = table.append_column(name, column)
                for write in writers:
                    write(table.select(schema.names))
                done += rows
                progress("writing", done, summary.rows)
        for path, draft in drafts.items():
            replace_file(draft, path)


@contextmanager
def _temporary_folder(folder: Place) -> Iterator[Path]:
    """Yield a local folder for files before they are moved into place."""
    if isinstance(folder, Path):
        yield folder
        return
    with TemporaryDirectory() as local:
        yield Path(local)


def _merge_about(metadata: Mapping[str, Any], earlier: EarlierScores | None) -> dict[str, Any]:
    """Return the metadata of new and kept scores, the new ones last."""
    merged = dict(metadata)
    if earlier is None:
        return merged
    for what, before in (("signatures", earlier.about.signatures), ("missing", earlier.about.missing)):
        stay = {name: value for name, value in before.items() if name in earlier.names}
        order = [name for name in earlier.about.signatures if name in metadata[what] or name in stay]
        merged[what] = {name: (stay | metadata[what])[name] for name in dict.fromkeys([*order, *metadata[what]])}
    return merged


def _table_schema(part: Any, metadata: Mapping[str, Any], earlier: EarlierScores | None) -> Any:
    """Return the schema of the table: other columns first, then scores."""
    if earlier is None:
        return part
    scores = [name for name in metadata["signatures"] if name not in metadata["external"] or name in earlier.names]
    others = [field for field in part if field.name not in scores]
    return pa.schema([*others, *(pa.field(name, pa.float64()) for name in scores)])
