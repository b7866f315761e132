"""Score more rows than fit into memory: read, checked, scored and written chunk by chunk."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from rainbow.base.native import kernels
from rainbow.base.progress import RowProgress
from rainbow.base.workers import in_order
from rainbow.corpus import Corpus
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.selection import Selected, select
from rainbow.scoring.assembly import Assembled, assemble
from rainbow.scoring.parts import Parts, part_key, write_part
from rainbow.scoring.plan import DistinctInputs, Plan, needs_fitting
from rainbow.scoring.schema import SchemaOf, arrow_table
from rainbow.scoring.score_corpus import CHUNK_ROWS, Piece, chosen_view, chunk_size, score_piece, silent

__all__ = ["CorpusRows", "Rows", "Scored", "score_rows"]

_log = logging.getLogger(__name__)


class Rows(Protocol):
    """Rows that are read when they are asked for, as often as they are asked for."""

    ratings: tuple[str, ...]
    background: Corpus | None

    def chunks(self, rows: int) -> Iterator[Corpus]:
        """Return all rows in order, so many at a time; one empty corpus where there are none."""

    def state(self) -> object:
        """Return what differs when the rows have changed."""


class CorpusRows:
    """The rows of a corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus, self.ratings, self.background = corpus, corpus.ratings, corpus.background

    def chunks(self, rows: int) -> Iterator[Corpus]:
        """Return the rows, so many at a time."""
        if len(self.corpus) <= rows:
            yield self.corpus
            return
        for start in range(0, len(self.corpus), rows):
            yield self.corpus.take(range(start, min(start + rows, len(self.corpus))))

    def state(self) -> object:
        """Return nothing: a corpus does not change."""
        return None


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
        What :func:`rainbow.datasets.open_dataset` gives, or :class:`CorpusRows`.
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
    >>> from rainbow.scoring.saved_scores import load_scores
    >>> with TemporaryDirectory() as folder:
    ...     scored = score_rows(CorpusRows(Corpus.of(["the inn", "an inn"])), Path(folder) / "out.parquet", ["len"])
    ...     load_scores(scored.paths[0])["len"].tolist()
    [6.0, 5.0]
    """
    chosen = tuple([paths] if isinstance(paths, Path) else paths)
    selected = select(metrics, group, as_published)
    state = rows.state()
    if chunk_rows is not None:
        chunk_size(0, chunk_rows)
    with Parts(chosen[0], resume=resume) as parts:
        if len(parts):
            notify(f"going on with an interrupted run: {len(parts)} finished chunks lie in {parts.folder}")
        survey = _survey(rows, selected, view, as_published, chunk_rows or CHUNK_ROWS, progress)
        made = _Made(rows, survey, parts, workers, threads, chunk_size(survey.rows, chunk_rows), progress)
        files = made.parts()
        if rows.state() != state:
            raise ValueError("the rows have changed while they were read: score them again")
        about = {"ratings": list(rows.ratings), "signatures": survey.plan.signatures, "view": survey.plan.view}
        table = assemble(files, chosen, parts.folder, about, survey.plan.columns, progress)
        parts.remove()
    return Scored(chosen, made.resumed, survey.plan.view, survey.plan.signatures, table)


class _Survey(NamedTuple):
    """What has to be known of all rows before the first is scored."""

    rows: int
    plan: Plan
    schema: Any


def _survey(
    rows: Rows, selected: tuple[Selected, ...], view: str | None, as_published: bool, size: int, progress: RowProgress
) -> _Survey:
    """Check all rows, find the types of their columns and the view, and fit the metrics."""
    schema, count, views = SchemaOf(), 0, _Views(view, as_published)
    inputs: DistinctInputs | None = None
    for corpus in rows.chunks(size):
        schema.add(corpus)
        views.add(corpus)
        if any(needs_fitting(entry.metric) for entry in selected):
            inputs = inputs or DistinctInputs(views.asked, rows.background)
            inputs.add(corpus)
        count += len(corpus)
        progress("reading", count, None)
    plan = Plan.fit(selected, views.name(), inputs.corpus() if inputs else None)
    schema.result(plan.columns)
    return _Survey(count, plan, schema.result())


class _Views:
    """Which view is meant: what is asked for, or delexicalised texts where any row has a meaning representation."""

    def __init__(self, view: str | None, as_published: bool) -> None:
        self.asked, self._as_published = view, as_published
        self._known: dict[str, None] = {}
        self._default = "surface"

    def add(self, corpus: Corpus) -> None:
        self.asked = chosen_view(self.asked, self._as_published, corpus.views)
        self._known |= dict.fromkeys(corpus.view_names)
        if corpus.default_view != "surface":
            self._default = corpus.default_view

    def name(self) -> str:
        name = self.asked or self._default
        if name not in self._known:
            raise ValueError(f"this corpus has no text view {name!r}: choose from {', '.join(self._known)}")
        return name


class _Made:
    """The parts of a table: found from an interrupted run, or made now."""

    def __init__(
        self, rows: Rows, survey: _Survey, parts: Parts, workers: int, threads: int, size: int, progress: RowProgress
    ) -> None:
        self.resumed = 0
        self._rows, self._survey, self._parts, self._workers, self._size = rows, survey, parts, workers, size
        self._make = _MakePart(survey.plan, survey.schema, parts.folder, threads)
        self._progress = progress
        self._done = 0
        self._files: dict[int, Path] = {}

    def parts(self) -> list[Path]:
        """Return the files of all parts, in order."""
        for part in in_order(self._make, self._wanting(), self._workers):
            self._took(part)
        return [self._files[before] for before in sorted(self._files)]

    def _wanting(self) -> Iterator[Piece]:
        """Return the pieces that are not done yet."""
        before = 0
        for corpus in self._rows.chunks(self._size):
            piece = Piece(before, corpus)
            before += len(corpus)
            if part := self._found(piece):
                self.resumed += part.rows
                self._took(part)
            else:
                yield piece

    def _found(self, piece: Piece) -> _Part | None:
        if not self._parts.has(piece.before):
            return None
        file = self._parts.find(piece.before, self._make.key(piece))
        return _Part(piece.before, len(piece.rows), file) if file else None

    def _took(self, part: _Part) -> None:
        self._files[part.before] = part.file
        self._done += part.rows
        self._progress("scoring", self._done, self._survey.rows)


class _Part(NamedTuple):
    """A part that is on disk: how many rows come before it, and how many it has."""

    before: int
    rows: int
    file: Path


@dataclass(frozen=True)
class _MakePart:
    """What a process does with a piece: score it and write it down."""

    plan: Plan
    schema: Any
    folder: Path
    threads: int

    def __call__(self, piece: Piece) -> _Part:
        import pyarrow as pa

        scores = score_piece(self.plan, piece, self.threads)
        table = arrow_table(piece.rows.frame, self.schema)
        about = {"key": self.key(piece, table), "missing": scores.missing}
        for name, values in zip(self.plan.columns, scores.values.T, strict=True):
            table = table.append_column(name, pa.Array.from_pandas(values, type=pa.float64()))
        return _Part(piece.before, len(piece.rows), write_part(self.folder, piece.before, table, about))

    def key(self, piece: Piece, table: Any = None) -> str:
        """Say what the part depends on: its rows, and all that their scores are made by."""
        made_by = {
            "signatures": self.plan.signatures,
            "missing": [entry.missing for entry in self.plan.selected],
            # Where compiled kernels round otherwise than their twins, one table has the scores of one of them.
            "compiled": kernels() is not None,
        }
        rows = arrow_table(piece.rows.frame, self.schema) if table is None else table
        return part_key(json.dumps(made_by, sort_keys=True), piece.before, rows)
