"""Score more rows than fit into memory: read, checked, scored and written chunk by chunk."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.files import replace_durably
from rainbow.base.progress import RowProgress, silent
from rainbow.base.workers import in_order
from rainbow.corpus import Corpus
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.selection import select
from rainbow.scoring.chunks import Rows, chunk_size, numbered
from rainbow.scoring.missing import MissingReasons, Reasons
from rainbow.scoring.moments import Moments
from rainbow.scoring.parts import Part, parts_folder, parts_in, reasons_in, score_part
from rainbow.scoring.plan import fit_plan
from rainbow.scoring.saved_scores import open_table
from rainbow.scoring.schema import SchemaOf

__all__ = ["Scored", "score_rows"]

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
    """

    paths: tuple[Path, ...]
    resumed: int
    view: str
    signatures: dict[str, str]
    table: Assembled


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
    progress
        Called with ``"reading"``, ``"scoring"`` or ``"writing"``, the rows that are done and the rows in all.
    notify
        Called with a sentence when an interrupted run is taken up.

    Raises
    ------
    ValueError
        If a row is not valid or a metric fails for it: the message names the row, and the file where there is one;
        finished chunks stay. If the rows change in the meantime.
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
    selected = select(metrics, group, as_published)
    read = rows.chunks(chunk_size(None, chunk_rows))
    with parts_folder(chosen[0], resume=resume) as folder:
        if found := len(parts_in(folder)):
            notify(f"going on with an interrupted run: {found} finished chunks lie in {folder}")
        schema = SchemaOf()
        checked = _checked(read, schema, progress)
        plan = fit_plan(checked, selected, view, as_published, rows.background)
        score = partial(score_part, plan, schema.result(plan.columns), folder, threads)
        chunks = numbered(rows.chunks(chunk_size(schema.rows, chunk_rows)))
        parts, done = list[Part](), 0
        for part in in_order(score, chunks, workers):
            parts.append(part)
            done += part.rows
            progress("scoring", done, schema.rows)
        if rows.state() != state:
            raise ValueError("the rows have changed while they were read: score them again")
        about = {"ratings": list(rows.ratings), "signatures": plan.signatures, "view": plan.view}
        table = _assembled(parts, chosen, folder, about, progress)
    resumed = sum(part.rows for part in parts if part.resumed)
    return Scored(chosen, resumed, plan.view, plan.signatures, table)


def _checked(chunks: Iterable[Corpus], schema: SchemaOf, progress: RowProgress) -> Iterator[Corpus]:
    """Return all rows as they are read, with what the schema learns of them."""
    for rows in chunks:
        schema.add(rows)
        progress("reading", schema.rows, None)
        yield rows


def _assembled(
    parts: Sequence[Part], paths: Sequence[Path], folder: Path, about: Mapping[str, Any], progress: RowProgress
) -> Assembled:
    """Write the rows of all parts into each of the files, and put these in their places when they are whole."""
    import pyarrow.parquet as pq

    rows, missing = sum(part.rows for part in parts), MissingReasons()
    for part in parts:
        missing.add(reasons_in(part.path), part.rows)
    about, done = {**about, "missing": missing.result()}, 0
    moments = {name: Moments() for name in about["signatures"]}
    drafts = {path: folder / f"whole{number}{path.suffix}" for number, path in enumerate(paths)}
    with ExitStack() as open_files:
        schema = pq.read_schema(parts[0].path)
        writers = [open_files.enter_context(open_table(draft, schema, about)) for draft in drafts.values()]
        for part in parts:
            table = pq.read_table(part.path)
            for write in writers:
                write(table)
            for name, found in moments.items():
                found.add(table[name].to_numpy())
            done += part.rows
            progress("writing", done, rows)
    for path, draft in drafts.items():
        replace_durably(draft, path)
    return Assembled(rows, about["missing"], moments)
