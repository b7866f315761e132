"""Score more rows than fit into memory: read, checked, scored and written chunk by chunk."""

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
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.registry import word_columns
from rainbow.metrics.contract.selection import Selected, select
from rainbow.scoring.assembly import Assembled, Summary, assembled, kept_as_folder
from rainbow.scoring.chunks import Piece, ReadApart, Rows, Span, chunk_size, numbered
from rainbow.scoring.earlier import Earlier
from rainbow.scoring.parts import PartMaker, lying, parts_folder, parts_in, with_parts
from rainbow.scoring.plan import Plan, fit_plan, sample_of
from rainbow.scoring.saved_scores import forget_table, is_table_of_scores, read_about
from rainbow.scoring.schema import SchemaOf

_log = logging.getLogger(__name__)


class Scored(NamedTuple):
    """What was written."""

    paths: tuple[Place, ...]  # the files
    resumed: int  # how many rows an interrupted run had scored before
    view: str  # what word-based metrics saw
    signatures: dict[str, str]  # all that each column depends on
    table: Assembled
    kept: tuple[str, ...] = ()  # the metrics that stood in the table before and stay
    replaced: tuple[str, ...] = ()  # those that stood there and were computed anew


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
        are what :func:`rainbow.scoring.saved_scores.save_scores` would write, and appear whole or not at all. A text
        that ends in ``/``, or a folder that is there: a folder of Parquet files, which need not be put together. Any
        may lie in an object store (``s3://bucket/out.parquet``).
    metrics, view, group, as_published, workers, threads, chunk_rows
        As in :func:`rainbow.score_corpus`.
    engine
        What shares the work in place of processes of this machine: :func:`rainbow.base.ray_tasks.ray_cluster`. All
        its machines must see the folder of the output; Parquet files of small row groups are read by them too.
    resume
        Whether what an interrupted run has left may be used.
    keep
        Whether the other metrics of a table that lies there already, as Parquet, are to stay in it: it must be of the
        same rows, view and background.
    guard
        Whether texts in a CSV file are guarded against spreadsheets (:func:`rainbow.base.files.escape_formulas`).
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
    progress, notify = progress or silent, notify or _log.info
    target = [paths] if isinstance(paths, (str, Path, Remote)) else [*paths]
    chosen, stays = tuple(map(path_of, target)), _is_folder(target[0])
    if stays and len(chosen) > 1:
        raise ValueError(f"{chosen[0]} is a folder: it is written by itself, without a CSV file beside it")
    state, engine_given = rows.state(), engine is not None
    selected, about = select(metrics, group, as_published), {"columns": {}, "external": {}, **rows.about()}
    names = [*(column for entry in selected for column in entry.columns), *about["external"]]
    summary, schema, texts = Summary(), SchemaOf(), TextProfile()
    with parts_folder(chosen[0], resume=resume, stays=stays) as folder:
        if stays:
            _clear(folder, keep)
        earlier = Earlier.at(chosen[0], names) if keep and not stays else None
        if found := len(parts_in(folder)):
            notify(f"going on with an interrupted run: {found} finished chunks lie in {folder}")
        with engine or process_engine(workers) as share, _rows_named(rows):
            apart = rows if engine_given and isinstance(rows, ReadApart) and not earlier else None
            look = Look(selected, view, as_published)
            size = chunk_size(None, chunk_rows)
            if apart and (spans := apart.spans(size)):
                seen = _looked(share(look, spans), apart, schema, texts, progress)
            else:
                seen = _checked(rows, size, schema, texts, progress, earlier)
            plan = _plan(rows, seen, look, earlier, about)
            told = (texts.unspaced_warning(word_columns(plan.columns)), texts.empty_warning()) if plan.columns else ()
            for warning in filter(None, told):
                warnings.warn(warning, stacklevel=2)
            made_of = schema.result((*plan.columns, *(earlier.names if earlier else ())))
            make = PartMaker(plan, made_of, _absolute(folder), threads, tuple(about["external"]))
            for part in share(make, with_parts(_pieces(rows, schema.rows, chunk_rows, apart), lying(folder))):
                summary.add(part)
                progress("scoring", summary.rows, schema.rows)
        if rows.state() != state:
            raise ValueError("the rows have changed while they were read: score them again")
        signatures = plan.signatures | {name: facts["signature"] for name, facts in about["external"].items()}
        about["external"] = {**about["external"], **(earlier.learned if earlier else {})}
        about |= {"ratings": list(rows.ratings), "signatures": signatures, "view": plan.view}
        before = read_about(chosen[0]).signatures if keep and is_table_of_scores(chosen[0]) else {}
        if stays:
            kept_as_folder(summary, folder, about)
        else:
            assembled(summary, chosen, folder, about, earlier, guard, progress)
    kept = earlier.names if earlier else ()
    replaced = tuple(name for name in plan.signatures if name in before)
    return Scored(chosen, summary.resumed, plan.view, plan.signatures, summary.table(), kept, replaced)


@contextmanager
def _rows_named(rows: Rows) -> Iterator[None]:
    """Say in which of many files a row stands that a metric fails for."""
    try:
        yield
    except RowError as error:
        if not isinstance(rows, ReadApart):
            raise
        raise ValueError(f"{rows.where(error.row)}, {error.problem}") from error


def _is_folder(path: str | Place) -> bool:
    return str(path).endswith("/") or path_of(path).is_dir()


def _clear(folder: Place, keep: bool) -> None:
    """Let a folder be written that holds a finished table, unless that is to be kept."""
    if keep and is_table_of_scores(folder):
        raise ValueError(f"{folder} holds a finished table: write elsewhere (--out), or replace it (--anew)")
    forget_table(folder)


def _absolute(folder: Place) -> Place:
    return folder.absolute() if isinstance(folder, Path) else folder


# The first look at all rows


class Looked(NamedTuple):
    """What was seen in some rows."""

    schema: SchemaOf  # of the rows, and of their outputs
    texts: TextProfile  # of the rows, and of their outputs
    sample: Corpus  # what :func:`~.plan.fit_plan` looks at
    ids: Any  # the hashes of their ids


@dataclass(frozen=True)
class Look:
    """Looks at rows where they are read, for metrics that see this view."""

    selected: tuple[Selected, ...]
    view: str | None
    as_published: bool

    def __call__(self, span: Span) -> Looked:
        """Return what was seen."""
        rows, schema = span.read(), SchemaOf()
        schema.add(rows)
        sample = sample_of(rows, self.selected, self.view, self.as_published)
        return Looked(schema, profile_outputs(rows.frame), sample, hash_texts(rows.frame["id"]))


def _looked(
    seen: Iterable[Looked], rows: ReadApart, schema: SchemaOf, texts: TextProfile, progress: RowProgress
) -> Iterator[Corpus]:
    """Return of all rows those that corpus statistics are counted on, with what the schema learns of them."""
    check_ids = rows.unique_ids()
    for looked in seen:
        if check_ids:
            check_ids(looked.ids)
        schema.join(looked.schema)
        texts.join(looked.texts)
        progress("reading", schema.rows, None)
        yield looked.sample


def _checked(
    rows: Rows, size: int, schema: SchemaOf, texts: TextProfile, progress: RowProgress, earlier: Earlier | None
) -> Iterator[Corpus]:
    """Return all rows as they are read, with what the schema learns of them; they must be those of an earlier table."""
    with earlier.compared() if earlier else nullcontext(lambda frame: None) as compare:
        for chunk in rows.chunks(size):
            compare(chunk.frame)
            schema.add(chunk)
            texts.add(chunk.frame["output"])
            progress("reading", schema.rows, None)
            yield chunk
        compare(None)


def _plan(rows: Rows, seen: Iterable[Corpus], look: Look, earlier: Earlier | None, about: dict[str, Any]) -> Plan:
    """Return what to compute of all rows; what stands beside it in an earlier table must have been computed so too."""
    view = earlier.about.view if earlier and not look.selected else look.view
    plan = fit_plan(seen, look.selected, view, look.as_published, rows.background)
    if earlier:
        earlier.check(plan.view, about["columns"].get("background"))
    return plan


def _pieces(rows: Rows, total: int, chunk_rows: int | None, apart: ReadApart | None) -> Iterator[Piece]:
    """Return what is scored at once: where it stands, for those who read it themselves, or else what is read here."""
    size = chunk_size(total, chunk_rows)
    return (apart.spans(size) if apart else None) or numbered(rows.chunks(size))
