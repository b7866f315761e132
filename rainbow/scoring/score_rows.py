"""Scoring of tables larger than memory, chunk by chunk."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.fingerprint import hash_texts
from rainbow.base.progress import RowProgress, silent
from rainbow.base.storage import Place, Remote, path_of
from rainbow.base.workers import Engine, process_engine
from rainbow.corpus import Corpus, RowError
from rainbow.corpus.text_profile import TextProfile, profile_outputs
from rainbow.corpus.views import splits_words
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.registry import word_columns
from rainbow.metrics.contract.selection import SelectedMetric, select_metrics
from rainbow.scoring.chunks import Piece, Rows, Span, SplittableRows, chunk_size, number_chunks
from rainbow.scoring.parts import (
    Assembled,
    PartMaker,
    Summary,
    assemble_table,
    finish_folder,
    list_parts,
    lock_parts_folder,
    part_names,
)
from rainbow.scoring.plan import Plan, fit_plan, fitting_rows
from rainbow.scoring.saved_scores import SIGNATURES, EarlierScores, is_score_table, read_about
from rainbow.scoring.table_schema import SchemaBuilder
from rainbow.text.languages.detection import ENGLISH

_log = logging.getLogger(__name__)


class ScoredTable(NamedTuple):
    """The written score table."""

    paths: tuple[Place, ...]  # written files
    resumed: int  # rows scored by an earlier, interrupted run
    view: str  # view of word-based metrics
    language: str | None  # of the outputs, as given or detected
    signatures: dict[str, str]  # what each column depends on
    table: Assembled
    kept: tuple[str, ...] = ()  # metrics of the earlier table that were kept
    replaced: tuple[str, ...] = ()  # metrics of the earlier table that were recomputed


def score_rows(
    rows: Rows,
    paths: str | Place | Sequence[str | Place],
    metrics: Iterable[str | Metric] | str | None = None,
    view: str | None = None,
    *,
    group: str | None = None,
    as_published: bool = False,
    workers: int = 1,
    threads: int = 1,
    chunk_rows: int | None = None,
    engine: Engine | None = None,
    resume: bool = True,
    keep: bool = False,
    guard: bool = False,
    progress: RowProgress | None = None,
    notify: Callable[[str], None] | None = None,
) -> ScoredTable:
    """Write rows and their scores, any number of rows in constant memory.

    All rows are read twice: once to validate them and to fit corpus statistics on the distinct inputs (memory grows
    only with their number), once to score them. Finished chunks are stored next to the file in ``.NAME.partial``. After
    an interruption, the same call resumes from chunks that are complete and match the rows and metrics.

    Parameters
    ----------
    rows : Rows
        Result of :func:`rainbow.datasets.open_dataset`, or :class:`rainbow.scoring.chunks.CorpusRows`.
    paths : str, path or sequence of them
        Output files, all with the same content: Parquet, or CSV for names ending in ``.csv``, as written by
        :func:`rainbow.scoring.saved_scores.save_scores`. Files are written atomically. A string ending in ``/`` or an
        existing folder gives a folder of Parquet files. Object stores (``s3://bucket/out.parquet``) are accepted.
    metrics, view, group, as_published, workers, threads, chunk_rows
        As in :func:`rainbow.score_corpus`.
    engine : Engine, optional
        Distributes the work instead of local processes: :func:`rainbow.base.ray_tasks.ray_cluster`. All machines need
        access to the output folder; they also read Parquet files with small row groups.
    resume : bool
        Whether to use finished chunks of an interrupted run.
    keep : bool
        Whether to keep other metrics of an existing Parquet table with the same rows, view and background.
    guard : bool
        Whether to escape spreadsheet formulas in CSV files (:func:`rainbow.base.files.escape_formulas`).
    progress : callable, optional
        Called with ``"reading"``, ``"scoring"`` or ``"writing"``, the number of finished rows and the total.
    notify : callable, optional
        Called with a sentence if an interrupted run is resumed.

    Raises
    ------
    ValueError
        If a row is invalid or a metric fails for it (the message names the row and file; finished chunks are kept), if
        the rows change in the meantime, or if `keep` is set and the existing table has other rows.
    OSError
        If another run is writing the same file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from rainbow.scoring.chunks import CorpusRows
    >>> from rainbow.scoring.saved_scores import load_scores
    >>> with TemporaryDirectory() as folder:
    ...     rows = CorpusRows(Corpus.from_texts(["the inn", "an inn"]))
    ...     scored = score_rows(rows, Path(folder) / "out.parquet", ["len"])
    ...     load_scores(scored.paths[0])["len"].tolist()
    [6.0, 5.0]
    """
    progress, notify = progress or silent, notify or _log.info
    target = [paths] if isinstance(paths, (str, Path, Remote)) else [*paths]
    chosen = tuple(map(path_of, target))
    stays = str(target[0]).endswith("/") or chosen[0].is_dir()
    if stays and len(chosen) > 1:
        raise ValueError(f"{chosen[0]} is a folder and cannot have a CSV file next to it")
    state, engine_given, size = rows.state(), engine is not None, chunk_size(None, chunk_rows)
    selected, about = select_metrics(metrics, group, as_published), {"columns": {}, "external": {}, **rows.metadata()}
    names = [*(column for entry in selected for column in entry.columns), *about["external"]]
    summary, schema, texts = Summary(), SchemaBuilder(), TextProfile()
    with lock_parts_folder(chosen[0], resume=resume, permanent=stays) as folder:
        if stays and keep and is_score_table(folder):
            raise ValueError(f"{folder} has a finished table: write elsewhere (--out), or replace it (--anew)")
        if stays:
            (folder / SIGNATURES).unlink(missing_ok=True)
        earlier = EarlierScores.at(chosen[0], names) if keep and not stays else None
        if earlier and earlier.optional and not earlier.has_rows(rows.chunks(size)):
            earlier = None
        if result := len(list_parts(folder)):
            notify(f"resuming an interrupted run: {result} finished chunks are in {folder}")
        with engine or process_engine(workers) as share, _name_failing_row(rows):
            apart = rows if engine_given and isinstance(rows, SplittableRows) and not earlier else None
            look = RowScanner(selected, view, as_published)
            if apart and (spans := apart.spans(size)):
                seen = _scan_rows(share(look, spans), apart, schema, texts, progress)
            else:
                seen = _read_checked(rows, size, schema, texts, progress, earlier)
            plan = _make_plan(rows, seen, look, earlier, about, texts)
            unspaced = "" if splits_words(plan.view) else texts.unspaced_warning(word_columns(plan.columns))
            cautions = (unspaced, texts.mixture_warning(plan.language), texts.empty_warning()) if plan.columns else ()
            for warning in filter(None, cautions):
                warnings.warn(warning, stacklevel=2)
            made_of = schema.result((*plan.columns, *(earlier.names if earlier else ())))
            whole_path = folder.absolute() if isinstance(folder, Path) else folder
            make = PartMaker(plan, made_of, whole_path, threads, tuple(about["external"]))
            left, pieces = part_names(folder), _work_pieces(rows, schema.rows, chunk_rows, apart)
            for part in share(make, ((piece, left.get(piece.before, ())) for piece in pieces)):
                summary.add(part)
                progress("scoring", summary.rows, schema.rows)
        if rows.state() != state:
            raise ValueError("the rows have changed during reading: score them again")
        signatures = plan.signatures | {name: facts["signature"] for name, facts in about["external"].items()}
        about["external"] = {**about["external"], **(earlier.learned if earlier else {})}
        about |= {"ratings": list(rows.ratings), "signatures": signatures, "view": plan.view}
        about |= {"language": plan.language} if plan.language not in (None, ENGLISH) else {}
        before = read_about(chosen[0]).signatures if keep and is_score_table(chosen[0]) else {}
        if stays:
            finish_folder(summary, folder, about)
        else:
            assemble_table(summary, chosen, folder, about, earlier, guard, progress)
    kept = earlier.names if earlier else ()
    replaced = tuple(name for name in plan.signatures if name in before)
    return ScoredTable(
        chosen, summary.resumed, plan.view, plan.language, plan.signatures, summary.table(), kept, replaced
    )


@contextmanager
def _name_failing_row(rows: Rows) -> Iterator[None]:
    """Name the file and row for which a metric fails."""
    try:
        yield
    except RowError as error:
        if not isinstance(rows, SplittableRows):
            raise
        raise ValueError(f"{rows.row_location(error.row)}, {error.problem}") from error


# First pass over all rows


class ScanResult(NamedTuple):
    """Results of scanning some rows."""

    schema: SchemaBuilder  # of the rows, and of their outputs
    texts: TextProfile  # of the rows, and of their outputs
    sample: Corpus  # sample for :func:`~.plan.fit_plan`
    ids: Any  # hashes of their ids


@dataclass(frozen=True)
class RowScanner:
    """Scans rows where they are read, for metrics of this view."""

    selected: tuple[SelectedMetric, ...]
    view: str | None
    as_published: bool

    def __call__(self, span: Span) -> ScanResult:
        """Return the scan of a span."""
        rows, schema = span.read(), SchemaBuilder()
        schema.add(rows)
        sample = fitting_rows(rows, self.selected, self.view, self.as_published)
        return ScanResult(schema, profile_outputs(rows.frame), sample, hash_texts(rows.frame["id"]))


def _scan_rows(
    seen: Iterable[ScanResult], rows: SplittableRows, schema: SchemaBuilder, texts: TextProfile, progress: RowProgress
) -> Iterator[Corpus]:
    """Return the rows for corpus statistics, and update the schema."""
    check_ids = rows.unique_ids()
    for looked in seen:
        if check_ids:
            check_ids(looked.ids)
        schema.join(looked.schema)
        texts.join(looked.texts)
        progress("reading", schema.rows, None)
        yield looked.sample


def _read_checked(
    rows: Rows,
    size: int,
    schema: SchemaBuilder,
    texts: TextProfile,
    progress: RowProgress,
    earlier: EarlierScores | None,
) -> Iterator[Corpus]:
    """Return all rows, checked against an earlier table, and update the schema."""
    with earlier.compared() if earlier else nullcontext(lambda frame: None) as compare:
        for chunk in rows.chunks(size):
            compare(chunk.frame)
            schema.add(chunk)
            texts.add(chunk.frame["output"])
            progress("reading", schema.rows, None)
            yield chunk
        compare(None)


def _make_plan(
    rows: Rows,
    seen: Iterable[Corpus],
    scanner: RowScanner,
    earlier: EarlierScores | None,
    metadata: dict[str, Any],
    texts: TextProfile,
) -> Plan:
    """Return the plan for all rows, consistent with kept columns of an earlier table."""
    view = earlier.about.view if earlier and not scanner.selected else scanner.view
    plan = fit_plan(
        seen, scanner.selected, view, scanner.as_published, rows.background, lambda: texts.language(rows.language)
    )
    if earlier:
        earlier.check(plan.view, metadata["columns"].get("background"), plan.language)
    return plan


def _work_pieces(rows: Rows, total: int, chunk_rows: int | None, splittable: SplittableRows | None) -> Iterator[Piece]:
    """Return the pieces to score: locations for remote readers, or rows."""
    size = chunk_size(total, chunk_rows)
    return (splittable.spans(size) if splittable else None) or number_chunks(rows.chunks(size))
