"""Score more rows than fit into memory: read, checked, scored and written chunk by chunk."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.files import replace_durably
from rainbow.base.progress import RowProgress, silent
from rainbow.base.workers import in_order
from rainbow.corpus import Corpus
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.selection import select
from rainbow.scoring.chunks import Rows, chunk_size, numbered
from rainbow.scoring.earlier import Earlier
from rainbow.scoring.missing import MissingReasons, Reasons
from rainbow.scoring.moments import Moments
from rainbow.scoring.parts import Part, parts_folder, parts_in, reasons_in, score_part
from rainbow.scoring.plan import fit_plan
from rainbow.scoring.saved_scores import is_table_of_scores, open_table, read_about
from rainbow.scoring.schema import SchemaOf

__all__ = ["Scored", "score_rows"]

# Why there is no score in a column that others computed.
NOT_GIVEN = "none was given"

_log = logging.getLogger(__name__)


class Assembled(NamedTuple):
    """The number of rows, and for each column why values are missing and what the others are like."""

    rows: int
    missing: dict[str, Reasons]
    moments: dict[str, Moments]


class Scored(NamedTuple):
    """What was written.

    Attributes
    ----------
    paths
        The files.
    resumed
        How many rows an interrupted run had scored before.
    view
        What word-based metrics saw.
    signatures
        All that each column depends on.
    table
        The number of rows, and for each column the reasons for missing values and mean, deviation and range.
    kept
        The metrics that stood in the table before and stay.
    replaced
        Those that stood there and were computed anew.
    """

    paths: tuple[Path, ...]
    resumed: int
    view: str
    signatures: dict[str, str]
    table: Assembled
    kept: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()


def score_rows(
    rows: Rows,
    paths: Path | Sequence[Path],
    metrics: Iterable[str | Metric] | str | None = None,
    view: str | None = None,
    *,
    group: str | None = None,
    as_published: bool = False,
    workers: int = 1,
    threads: int = 1,
    chunk_rows: int | None = None,
    resume: bool = True,
    keep: bool = False,
    guard: bool = False,
    progress: RowProgress = silent,
    notify: Callable[[str], None] = _log.info,
) -> Scored:
    """Write rows and their scores side by side, as many rows as there are, in memory that does not grow with them.

    All rows are read twice: first to check them and to fit corpus statistics on the distinct inputs (only these take
    memory that grows, with their number), then to score them. Finished chunks lie beside the file in a folder
    ``.NAME.partial``; if the run is interrupted, by a power cut even, the same call goes on where it was. A chunk is
    taken from there only if it is whole and was made of the same rows by the same metrics.

    Parameters
    ----------
    rows
        What :func:`rainbow.datasets.open_dataset` gives, or :class:`rainbow.scoring.chunks.CorpusRows`.
    paths
        Where to write, as Parquet, or as CSV if the name ends in ``.csv``; several files with the same content. They
        are what :func:`rainbow.scoring.saved_scores.save_scores` would write, and appear whole or not at all.
    metrics, view, group, as_published, workers, threads, chunk_rows
        As in :func:`rainbow.score_corpus`.
    resume
        Whether what an interrupted run has left may be used.
    keep
        Whether the other metrics of a table that lies there already, as Parquet, are to stay in it: it must be of the
        same rows, view and background.
    guard
        Whether texts in a CSV file are guarded against spreadsheets (:func:`rainbow.base.files.guarded`).
    progress
        Called with ``"reading"``, ``"scoring"`` or ``"writing"``, the rows that are done and the rows in all.
    notify
        Called with a sentence when an interrupted run is taken up.

    Raises
    ------
    ValueError
        If a row is not valid or a metric fails for it: the message names the row, and the file where there is one;
        finished chunks stay. If the rows change in the meantime. If the table there has metrics of other rows, which
        `keep` asks for.
    OSError
        If another run is writing the same file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from rainbow.scoring.chunks import CorpusRows
    >>> from rainbow.scoring.saved_scores import load_scores
    >>> with TemporaryDirectory() as folder:
    ...     scored = score_rows(CorpusRows(Corpus.of(["the inn", "an inn"])), Path(folder) / "out.parquet", ["len"])
    ...     load_scores(scored.paths[0])["len"].tolist()
    [6.0, 5.0]
    """
    chosen, state = tuple([paths] if isinstance(paths, Path) else paths), rows.state()
    selected, about = select(metrics, group, as_published), {"columns": {}, "brought": {}, **rows.about()}
    names = [*(column for entry in selected for column in entry.columns), *about["brought"]]
    read = rows.chunks(chunk_size(None, chunk_rows))
    with parts_folder(chosen[0], resume=resume) as folder:
        earlier = Earlier.at(chosen[0], names) if keep else None
        if found := len(parts_in(folder)):
            notify(f"going on with an interrupted run: {found} finished chunks lie in {folder}")
        schema = SchemaOf()
        checked = _checked(read, schema, progress, earlier)
        seen = earlier.about["view"] if earlier and not selected else view
        plan = fit_plan(checked, selected, seen, as_published, rows.background)
        if earlier:
            earlier.check(plan.view, about["columns"].get("background"))
        made_of = schema.result((*plan.columns, *(earlier.names if earlier else ())))
        score = partial(score_part, plan, made_of, folder, threads)
        chunks = numbered(rows.chunks(chunk_size(schema.rows, chunk_rows)))
        parts, done = list[Part](), 0
        for part in in_order(score, chunks, workers):
            parts.append(part)
            done += part.rows
            progress("scoring", done, schema.rows)
        if rows.state() != state:
            raise ValueError("the rows have changed while they were read: score them again")
        signatures = plan.signatures | {name: facts["signature"] for name, facts in about["brought"].items()}
        about |= {"ratings": list(rows.ratings), "signatures": signatures, "view": plan.view}
        before = read_about(chosen[0])["signatures"] if keep and is_table_of_scores(chosen[0]) else {}
        table = _assembled(parts, chosen, folder, about, earlier, guard, progress)
    resumed = sum(part.rows for part in parts if part.resumed)
    kept = earlier.names if earlier else ()
    replaced = tuple(name for name in plan.signatures if name in before)
    return Scored(chosen, resumed, plan.view, plan.signatures, table, kept, replaced)


def _checked(
    chunks: Iterable[Corpus], schema: SchemaOf, progress: RowProgress, earlier: Earlier | None
) -> Iterator[Corpus]:
    """Return all rows as they are read, with what the schema learns of them; they must be those of an earlier table."""
    with earlier.compared() if earlier else nullcontext(lambda frame: None) as compare:
        for rows in chunks:
            compare(rows.frame)
            schema.add(rows)
            progress("reading", schema.rows, None)
            yield rows
        compare(None)


def _assembled(
    parts: Sequence[Part],
    paths: Sequence[Path],
    folder: Path,
    about: Mapping[str, Any],
    earlier: Earlier | None,
    guard: bool,
    progress: RowProgress,
) -> Assembled:
    """Write the rows of all parts into each of the files, and put these in their places when they are whole."""
    import pyarrow.parquet as pq

    rows, moments = sum(part.rows for part in parts), {name: Moments() for name in about["signatures"]}
    about = _with_earlier({**about, "missing": _missing(parts, about)}, earlier)
    schema, done = _schema(pq.read_schema(parts[0].path), about, earlier), 0
    drafts = {path: folder / f"whole{number}{path.suffix}" for number, path in enumerate(paths)}
    with ExitStack() as open_files:
        kept = open_files.enter_context(earlier.columns()) if earlier else None
        writers = [open_files.enter_context(open_table(draft, schema, about, guard=guard)) for draft in drafts.values()]
        for part in parts:
            table = pq.read_table(part.path)
            for name, found in moments.items():
                found.add(table[name].to_numpy())
            for name, column in _columns(kept(part.rows) if kept else None):
                table = table.append_column(name, column)
            for write in writers:
                write(table.select(schema.names))
            done += part.rows
            progress("writing", done, rows)
    for path, draft in drafts.items():
        replace_durably(draft, path)
    return Assembled(rows, {name: about["missing"].get(name, {}) for name in moments}, moments)


def _columns(table: Any) -> Iterable[tuple[str, Any]]:
    return zip(table.schema, table.columns, strict=True) if table is not None else ()


def _missing(parts: Sequence[Part], about: Mapping[str, Any]) -> dict[str, Reasons]:
    """Return why scores are missing, in the parts and in the columns that others computed."""
    import pyarrow.parquet as pq

    missing = MissingReasons()
    for part in parts:
        brought = pq.read_table(part.path, columns=list(about["brought"]))
        absent = {name: column.to_numpy() for name, column in zip(brought.column_names, brought.columns, strict=True)}
        empty = {name: np.flatnonzero(np.isnan(values)).tolist() for name, values in absent.items()}
        given = {name: {NOT_GIVEN: rows} for name, rows in empty.items() if rows}
        missing.add(reasons_in(part.path) | given, part.rows)
    return missing.result()


def _with_earlier(about: Mapping[str, Any], earlier: Earlier | None) -> dict[str, Any]:
    """Return what is known of the scores computed now and of those that stay, in their order, the new ones last."""
    if earlier is None:
        return dict(about)
    merged = dict(about)
    for what in ("signatures", "missing"):
        stay = {name: value for name, value in earlier.about[what].items() if name in earlier.names}
        order = [name for name in earlier.about["signatures"] if name in about[what] or name in stay]
        merged[what] = {name: (stay | about[what])[name] for name in dict.fromkeys([*order, *about[what]])}
    return merged


def _schema(part: Any, about: Mapping[str, Any], earlier: Earlier | None) -> Any:
    """Return the schema of the table: what is no score, then the scores."""
    import pyarrow as pa

    if earlier is None:
        return part
    scores = [name for name in about["signatures"] if name not in about["brought"]]
    others = [field for field in part if field.name not in scores]
    return pa.schema([*others, *(pa.field(name, pa.float64()) for name in scores)])
