"""The parts of a table become one: a file, several files with the same content, or the folder of the parts itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from rainbow.base.files import replace_file
from rainbow.base.progress import RowProgress
from rainbow.base.storage import Place, readable_source, read_parquet_table
from rainbow.scoring.earlier import Earlier
from rainbow.scoring.missing import MissingReasons, Reasons
from rainbow.scoring.moments import Moments
from rainbow.scoring.parts import Part, parts_in
from rainbow.scoring.saved_scores import open_table, write_about


class Assembled(NamedTuple):
    """The number of rows, and for each column why values are missing and what the others are like."""

    rows: int
    missing: dict[str, Reasons]
    moments: dict[str, Moments]


class Summary:
    """What is known of the parts that were made so far, taken in the order of their rows; `rows` and `resumed` of
    them.
    """

    def __init__(self) -> None:
        self.parts: list[tuple[Place, int]] = []
        self.rows = self.resumed = 0
        self.moments: dict[str, Moments] = {}
        self._missing = MissingReasons()

    def add(self, part: Part) -> None:
        """Take the next part."""
        self.parts.append((part.path, part.rows))
        self.rows += part.rows
        self.resumed += part.rows if part.resumed else 0
        self._missing.add(part.missing, part.rows)
        for name, moments in part.moments.items():
            self.moments.setdefault(name, Moments()).add(moments)

    def missing(self) -> dict[str, Reasons]:
        """Return why values are missing, as :meth:`~rainbow.scoring.missing.MissingReasons.result` has it."""
        return self._missing.result()

    def table(self) -> Assembled:
        """Return what is told of the table."""
        missing = self.missing()
        return Assembled(self.rows, {name: missing.get(name, {}) for name in self.moments}, self.moments)


def kept_as_folder(summary: Summary, folder: Place, about: Mapping[str, Any]) -> None:
    """Write beside the parts what is known of them: with this file the folder is a table; other parts are removed."""
    parts = [[path.name, rows] for path, rows in summary.parts]
    for stray in {file.name for file in parts_in(folder)} - {path.name for path, _ in summary.parts}:
        (folder / stray).unlink(missing_ok=True)
    write_about(folder, {**about, "missing": summary.missing(), "rows": summary.rows, "parts": parts})


def assembled(
    summary: Summary,
    paths: Sequence[Place],
    folder: Place,
    about: Mapping[str, Any],
    earlier: Earlier | None,
    guard: bool,
    progress: RowProgress,
) -> None:
    """Write the rows of all parts into each of the files, and put these in their places when they are whole."""
    import pyarrow.parquet as pq

    about = _with_earlier({**about, "missing": summary.missing()}, earlier)
    schema, done = _schema(pq.read_schema(readable_source(summary.parts[0][0])), about, earlier), 0
    with ExitStack() as open_files:
        drafts_in = open_files.enter_context(_disk(folder))
        drafts = {path: drafts_in / f"whole{number}{path.suffix}" for number, path in enumerate(paths)}
        with ExitStack() as tables:
            kept = tables.enter_context(earlier.columns()) if earlier else None
            writers = [tables.enter_context(open_table(draft, schema, about, guard=guard)) for draft in drafts.values()]
            for part, rows in summary.parts:
                table = read_parquet_table(part)
                for name, column in _columns(kept(rows) if kept else None):
                    table = table.append_column(name, column)
                for write in writers:
                    write(table.select(schema.names))
                done += rows
                progress("writing", done, summary.rows)
        for path, draft in drafts.items():
            replace_file(draft, path)


@contextmanager
def _disk(folder: Place) -> Iterator[Path]:
    """Give a folder on this machine, where files are written before they are put in their places."""
    if isinstance(folder, Path):
        yield folder
        return
    with TemporaryDirectory() as local:
        yield Path(local)


def _columns(table: Any) -> Iterable[tuple[str, Any]]:
    return zip(table.schema, table.columns, strict=True) if table is not None else ()


def _with_earlier(about: Mapping[str, Any], earlier: Earlier | None) -> dict[str, Any]:
    """Return what is known of the scores computed now and of those that stay, in their order, the new ones last."""
    if earlier is None:
        return dict(about)
    merged = dict(about)
    for what, before in (("signatures", earlier.about.signatures), ("missing", earlier.about.missing)):
        stay = {name: value for name, value in before.items() if name in earlier.names}
        order = [name for name in earlier.about.signatures if name in about[what] or name in stay]
        merged[what] = {name: (stay | about[what])[name] for name in dict.fromkeys([*order, *about[what]])}
    return merged


def _schema(part: Any, about: Mapping[str, Any], earlier: Earlier | None) -> Any:
    """Return the schema of the table: what is no score, then the scores."""
    import pyarrow as pa

    if earlier is None:
        return part
    scores = [name for name in about["signatures"] if name not in about["external"] or name in earlier.names]
    others = [field for field in part if field.name not in scores]
    return pa.schema([*others, *(pa.field(name, pa.float64()) for name in scores)])
