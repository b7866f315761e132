"""One table from its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NamedTuple

from rainbow.base.files import replace_durably
from rainbow.base.progress import RowProgress
from rainbow.scoring.missing import MissingReasons, Reasons
from rainbow.scoring.moments import Moments
from rainbow.scoring.parts import read_part
from rainbow.scoring.saved_scores import COMPRESSION, as_csv, described

__all__ = ["Assembled", "assemble"]


class Assembled(NamedTuple):
    """The number of rows, and for each column why values are missing and what the others are like."""

    rows: int
    missing: dict[str, Reasons]
    moments: dict[str, Moments]


def assemble(
    parts: Sequence[Path],
    paths: Sequence[Path],
    folder: Path,
    about: Mapping[str, Any],
    columns: Sequence[str],
    progress: RowProgress,
) -> Assembled:
    """Write all parts into each of the files, part by part, and put them in their places when they are whole.

    Parameters
    ----------
    parts
        In the order of the rows.
    paths
        Where to write, as Parquet or CSV.
    folder
        Where the files lie until they are whole, on the same disk.
    about
        What :func:`rainbow.scoring.saved_scores.load_scores` gives as ``attrs``, but for the reasons of missing values.
    columns
        The scores.
    progress
        Called with ``"writing"``, the rows that are written, and the rows in all.
    """
    rows, missing = _gathered(parts, columns)
    moments = {name: Moments() for name in columns}
    about = {**about, "missing": missing}
    drafts = {path: folder / f"whole{number}{path.suffix}" for number, path in enumerate(paths)}
    with ExitStack() as open_files:
        writers = [_writer(draft, about, open_files) for draft in drafts.values()]
        done = 0
        for table in map(_read, parts):
            for write in writers:
                write(table)
            for name in columns:
                moments[name].add(table[name].to_numpy())
            done += len(table)
            progress("writing", done, rows)
    for path, draft in drafts.items():
        replace_durably(draft, path)
    return Assembled(rows, missing, moments)


def _gathered(parts: Sequence[Path], columns: Sequence[str]) -> tuple[int, dict[str, Reasons]]:
    """Return the number of rows, and the reasons of missing values by column."""
    import pyarrow.parquet as pq

    missing, rows = MissingReasons(), 0
    for part in parts:
        size = pq.read_metadata(part).num_rows
        missing.add(read_part(part)["missing"], size)
        rows += size
    found = missing.result()
    return rows, {name: found[name] for name in columns if name in found}


def _read(part: Path) -> Any:
    import pyarrow.parquet as pq

    return pq.read_table(part)


def _writer(path: Path, about: Mapping[str, Any], open_files: ExitStack) -> Callable[[Any], None]:
    if path.suffix == ".csv":
        return _csv_writer(open_files.enter_context(path.open("w", encoding="utf-8", newline="")))
    return _parquet_writer(path, about, open_files)


def _csv_writer(file: IO[str]) -> Callable[[Any], None]:
    def write(table: Any) -> None:
        frame = table.to_pandas(integer_object_nulls=True)
        as_csv(frame).to_csv(file, index=False, header=file.tell() == 0)

    return write


def _parquet_writer(path: Path, about: Mapping[str, Any], open_files: ExitStack) -> Callable[[Any], None]:
    import pyarrow.parquet as pq

    opened: list[Any] = []

    def write(table: Any) -> None:
        if not opened:
            schema = described(_without_part(table.schema), about)
            opened.append(open_files.enter_context(pq.ParquetWriter(path, schema, compression=COMPRESSION)))
        opened[0].write_table(table.cast(opened[0].schema))

    return write


def _without_part(schema: Any) -> Any:
    """Return the schema with what pandas wants to know of it, and without what is known of the part."""
    kept = {key: value for key, value in (schema.metadata or {}).items() if key == b"pandas"}
    return schema.with_metadata(kept)
