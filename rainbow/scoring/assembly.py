"""Assembly of the parts of a score table into files, or into a folder of parts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from rainbow.base.files import replace_file, write_bytes
from rainbow.base.lazy import pa, pq
from rainbow.base.progress import RowProgress
from rainbow.base.storage import Place, read_parquet_table, readable_source
from rainbow.scoring.earlier_scores import EarlierScores
from rainbow.scoring.parts import Part, list_parts
from rainbow.scoring.saved_scores import SIGNATURES, open_table_writer
from rainbow.scoring.summaries import MissingReasons, Moments, Reasons


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
