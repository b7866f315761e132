"""A user's own outputs: CSV, TSV, JSON, JSONL, Parquet, or plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rainbow.base.fingerprint import hashes
from rainbow.base.storage import Place
from rainbow.corpus import Corpus, RowError
from rainbow.corpus.corpus_table import rater_columns
from rainbow.datasets.columns import NOTHING, REFERENCE_COLUMN, Columns
from rainbow.datasets.encoding import codec, named
from rainbow.datasets.external_scores import ExternalScores, check_joined
from rainbow.datasets.folders.unique_ids import Row, UniqueIds
from rainbow.datasets.plain_text import text_table
from rainbow.datasets.reference_files import read_background
from rainbow.datasets.shapes.cells import is_missing, spelled, written_list
from rainbow.datasets.shapes.odd_cells import numbered, worded
from rainbow.datasets.shapes.shape import Shape, as_texts
from rainbow.datasets.tables.ending import ending
from rainbow.datasets.tables.frames import frames
from rainbow.datasets.tables.parquet import Footer, footer, frame_between
from rainbow.scoring.chunks import Span

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FileRows", "read_file"]

# Rows that a group of a Parquet file may have, if some of them are to be read without all that come before in the file.
MOST_IN_GROUP = 1 << 17
ID_ROWS = 8000  # rows that are read at a time to find where an id stands

# Columns that are read where none is named and none is called as a corpus calls it: pattern by field.
_USUAL = {
    "output": r"predictions?|hypothesis|hypotheses",
    "references": r"(targets?|gold)(_?\d+)?",
}


def read_file(path: Place, **columns: Any) -> Corpus:
    r"""Read outputs and what belongs to them from a file.

    Parameters
    ----------
    path
        A table (``.csv``, ``.tsv``, ``.jsonl``, ``.json``, ``.parquet``) with a row per output, or plain text
        (``.txt``) with a line per output.
    **columns
        What is known of the file, all of it optional:

        `output`, `mr`, `system`, `item`, `id`: the columns that hold the texts, meaning representations, systems,
        inputs and row ids; by default those of these names, where the table has them (and `prediction` or
        `hypothesis` for the outputs).

        `references`: the columns that hold references (several columns, several references; empty cells are none); by
        default `references`, `reference`, `reference_1` ..., or else `target` or `gold`. A cell may hold one
        reference, a JSON list, or several with `reference_separator` between them. For plain text: files whose line n
        is a reference of output n, or one with those of an output on successive lines and a blank line after them.

        `ratings`: the columns that hold human ratings; their single raters stand in `quality_1`, `quality_2` ...

        `scores`: columns of scores that others computed, as ``comet:higher`` or ``ter2:lower``.

        `mr_format`: the notation of the meaning representations, one of :data:`rainbow.meaning.FORMATS`; by default
        notations are told apart by themselves.

        `joined`: tables with further columns, scores say, for the rows that have the same `id`, or else the same `mr`,
        `output` and so on: all of these columns that the table has. Outputs are compared by their letters and digits
        alone, as others may have tokenised them; the first of several such rows counts.

        `background`: a file of references for further inputs (your system's training set, say), with the columns
        ``mr`` and ``ref``: language models learn from them too.

        `encoding`, `delimiter`: of a text file, by default UTF-8, and a comma (in ``.tsv`` a tab).

    Raises
    ------
    ValueError
        If the file cannot be read so; the message names file, row and field.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.csv"
    ...     _ = path.write_text("text,gold\nthe inn.,the inn .|an inn .\n")
    ...     corpus = read_file(path, output="text", references="gold", reference_separator="|")
    >>> corpus.frame["references"].tolist()
    [('the inn .', 'an inn .')]
    """
    rows = FileRows(path, Columns.of(**columns))
    (corpus,) = rows.chunks(None)
    return corpus if rows.background is None else replace(corpus, background=rows.background)


@dataclass
class FileRows:
    r"""The rows of a table in a file, read when they are asked for: a file may be larger than memory.

    Parameters
    ----------
    path
        The file; plain text is read at once.
    columns
        What is said of it, as in :func:`read_file`.
    dataset
        What it is called; by default as the file is.
    partition
        Columns that the names of its folders give, and what they hold.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.csv"
    ...     _ = path.write_text("output\nthe inn.\nan inn.\nsoma\n")
    ...     [chunk.frame["id"].tolist() for chunk in FileRows(path).chunks(2)]
    [['1', '2'], ['3']]
    """

    path: Place
    columns: Columns = NOTHING
    dataset: str | None = None
    partition: tuple[tuple[str, str], ...] = ()

    @cached_property
    def shape(self) -> Shape:
        """How the rows of the file become rows with one output each."""
        return Shape(self.columns)

    @property
    def ratings(self) -> tuple[str, ...]:
        """The columns of ratings."""
        return self.shape.left.ratings

    @cached_property
    def background(self) -> Corpus | None:
        """References for further inputs, as in :class:`~rainbow.corpus.Corpus`."""
        said = self.columns
        return read_background(Path(said.background), said.encoding) if said.background else None

    @cached_property
    def external(self) -> ExternalScores:
        """The scores that others computed."""
        return ExternalScores.of(self.path, self.columns)

    def chunks(self, rows: int | None) -> Iterator[Corpus]:
        """Return the rows, so many at a time (all at once for None), checked; one empty corpus where there are none.

        Raises
        ------
        ValueError
            If the file cannot be read so; the message names file, row and field.
        """
        yield from self.read(rows, 0, UniqueIds(self.ids))
        check_joined(str(self.path), [self.external])

    def read(self, rows: int | None, before: int, ids: UniqueIds) -> Iterator[Corpus]:
        """Return the rows as :meth:`chunks` does, where so many rows of other files come before, with these ids."""
        done = 0
        with named(self.path, self.columns.encoding):
            found = self.frames(rows)
        while (frame := self._next(found)) is not None:
            corpus = self._corpus(frame, done, before)
            if self._has_ids(frame):
                ids.add(hashes(corpus.frame["id"]))
            yield corpus
            done += len(corpus)

    def _next(self, found: Iterator[pd.DataFrame]) -> pd.DataFrame | None:
        with named(self.path, self.columns.encoding):
            return next(found, None)

    def _has_ids(self, names: Iterable[Any]) -> bool:
        names, said = {*names}, self.shape.left
        return said.id in names or ("id" in names and said.item != "id")

    @property
    def parquet(self) -> Footer | None:
        """What a Parquet file says of itself, if some of its rows can be read without the others."""
        if ending(self.path) != ".parquet" or self.columns.joined or not self.shape.is_plain:
            return None
        with named(self.path):
            found = footer(self.path)
        return found if max(found.groups, default=0) <= MOST_IN_GROUP else None

    def spans(self, rows: int, before: int = 0) -> Iterator[Span] | None:
        """Return where the rows stand, so many at a time, where so many of other files come before.

        None where there is none, or they must be read one after the other.
        """
        total, here = sum(self.parquet.groups) if self.parquet else 0, self._anywhere()
        if not total:
            return None
        return (
            Span(before + start, partial(here.between, start, min(start + rows, total), before))
            for start in range(0, total, rows)
        )

    def _anywhere(self) -> FileRows:
        """Return the same under a path that another process finds."""
        return replace(self, path=self.path.absolute()) if isinstance(self.path, Path) else self

    def between(self, start: int, stop: int, before: int) -> Corpus:
        """Return rows of the file, the ids of which are not compared with others; errors as for :meth:`chunks`."""
        with named(self.path):
            frame = frame_between(self.path, start, stop)
        return self._corpus(frame.assign(**self._further(frame)), start, before)

    def unique_ids(self) -> Callable[[Any], None] | None:
        """Return what refuses ids that stand twice; None where rows have none of their own."""
        names = (*self.parquet.names, *dict(self.partition)) if self.parquet else ()
        return UniqueIds(self.ids).add if self._has_ids(names) else None

    def where(self, row: int) -> str:
        """Return what a row is called."""
        return f"row {row}"

    def state(self) -> object:
        """Return size and time of the last change of the file."""
        status = self.path.stat()
        return status.st_size, status.st_mtime_ns

    def usual(self) -> Columns:
        """Return the columns that are read by their usual names, as nothing else is said of them."""
        if ending(self.path) == ".txt" or (self.columns.output and self.columns.references):
            return NOTHING
        with named(self.path, self.columns.encoding):
            return Columns.of(**usual_columns(next(self.frames(1)), self.columns))

    def about(self) -> dict[str, Any]:
        """Return what is to be saved with the scores: what was said of the file, and of scores that others computed."""
        return {"columns": self.columns.declared(), "external": self.external.about()}

    def frames(self, rows: int | None) -> Iterator[pd.DataFrame]:
        """Return the table in the file as it is, so many rows at a time."""
        encoding = codec(self.columns.encoding)
        if ending(self.path) == ".txt":
            return iter([text_table(self.path, self.columns.references, encoding)])
        size = None if self.shape.at_once else rows
        found = frames(self.path, size, encoding, self.columns.delimiter, self.columns.sheet)
        if self.partition:
            found = (frame.assign(**self._further(frame)) for frame in found)
        return found if self.shape.is_plain else self._shaped(found, rows)

    def _shaped(self, found: Iterator[pd.DataFrame], rows: int | None) -> Iterator[pd.DataFrame]:
        """Return the rows with one output each that these parts of the table become."""
        before = 0
        for frame in found:
            shaped = self.shape.rows(frame, before)
            before += len(frame)
            step = (rows if self.shape.at_once else None) or max(len(shaped), 1)
            yield from (shaped.iloc[start : start + step] for start in range(0, max(len(shaped), 1), step))

    def _further(self, frame: pd.DataFrame) -> dict[str, str]:
        """Return what the names of the file's folders say; ValueError if a column of that name says otherwise."""
        for name, value in self.partition:
            if name in frame and any(str(cell) != value for cell in frame[name]):
                raise ValueError(f"{self.path}: the folder is {name}={value}, but a column {name!r} says otherwise")
        return {name: value for name, value in self.partition if name not in frame}

    def _corpus(self, frame: pd.DataFrame, start: int, before: int) -> Corpus:
        """Return rows of the file, which come after so many of it and after so many of other files, checked."""
        with named(self.path, self.columns.encoding):
            try:
                return self._checked(frame, start, before + start)
            except RowError as error:
                raise error.after(start) from None

    def _checked(self, frame: pd.DataFrame, start: int, before: int) -> Corpus:
        said = self.shape.left
        usual = {} if ending(self.path) == ".txt" else usual_columns(frame, said)
        wanted = {name: getattr(said, name) or usual.get(name) for name in _FIELDS}
        frame = as_texts(_renamed(frame, wanted | {"output": next(iter(said.output), usual.get("output"))}))
        if ending(self.path) != ".txt":
            columns = usual.get("references") or _reference_columns(frame, said.references)
            frame = _with_references(frame, columns, said.reference_separator)
        name = self.dataset or self.path.stem
        given = frame["dataset"] if "dataset" in frame else [name] * len(frame)
        frame["dataset"] = [cell if isinstance(cell, str) and cell else name for cell in given]
        marks = [name for rating in self.ratings for name in (rating, *rater_columns(frame, rating))]
        marks += [score.column for score in self.external.scores]
        frame = numbered(frame, [name for name in marks if name in frame], start, str(self.path))
        frame = self.external.to(worded(frame, start, str(self.path)))
        if "id" not in frame:
            frame = frame.assign(id=[str(before + row) for row in range(1, len(frame) + 1)])
        return Corpus(frame, self.ratings, mr_format=self.columns.mr_format)

    def ids(self) -> Iterator[Row]:
        """Return the id of every row, from the start of the file, and where it stands."""
        name = self.shape.left.id or "id"
        found = (identity for frame in self.frames(ID_ROWS) for identity in frame[name])
        return (Row(self.path, number, str(identity)) for number, identity in enumerate(found, 1))


_FIELDS = ("output", "mr", "system", "item", "id")


def usual_columns(frame: pd.DataFrame, said: Columns) -> dict[str, Any]:
    """Return the columns of outputs and references that are read by their usual names, where nothing else is said.

    Two that might both be meant are not chosen from.

    Examples
    --------
    >>> import pandas as pd
    >>> usual_columns(pd.DataFrame(columns=["prediction", "target_1", "target_2"]), Columns())
    {'output': 'prediction', 'references': ['target_1', 'target_2']}
    """
    names, found = [str(name) for name in frame], dict[str, Any]()
    if not said.output and "output" not in names:
        outputs = [name for name in names if re.fullmatch(_USUAL["output"], name)]
        if len(outputs) == 1:
            found["output"] = outputs[0]
    if not said.references and not _reference_columns(frame, ()):
        known = (*said.output, *found.values())
        references = [name for name in names if re.fullmatch(_USUAL["references"], name) and name not in known]
        if len({re.sub(r"_?\d+$", "", name) for name in references}) == 1:
            found["references"] = references
    return found


def _renamed(frame: pd.DataFrame, wanted: Mapping[str, str | None]) -> pd.DataFrame:
    """Return the table with the chosen columns under the names of a corpus; one column may be several fields."""
    chosen = {field: column or field for field, column in wanted.items() if column or field in frame}
    if not wanted["id"] and "id" in (chosen.get("item"), chosen.get("system")):
        chosen.pop("id", None)  # it says what the row is about, and may stand there once for each system
    for field, column in chosen.items():
        if column not in frame:
            raise ValueError(
                f"there is no column {column!r} for the {field}: there are {', '.join(map(str, frame))}: name one of "
                f"them, --{field} COLUMN"
            )
    if "output" not in chosen:
        raise ValueError(_without_outputs(frame))
    taken = {field: frame[column] for field, column in chosen.items()}
    return frame.drop(columns=[name for name in frame if name in taken or name in chosen.values()]).assign(**taken)


def _without_outputs(frame: pd.DataFrame) -> str:
    names = [str(name) for name in frame]
    told = f"the table has no column 'output': it has {', '.join(names)}: name that of the texts, --output COLUMN"
    marks = [mark for mark in ";|\t," if len(names) == 1 and mark in names[0]]
    return f"{told} (or are its fields separated by {marks[0]!r}? --delimiter {marks[0]!r})" if marks else told


def _with_references(frame: pd.DataFrame, columns: Sequence[str], separator: str | None) -> pd.DataFrame:
    if not columns:
        return frame
    cells = zip(*(frame[column] for column in columns), strict=True)
    gathered = [_references(cell, separator) for cell in cells]
    frame = frame.drop(columns=list(columns))
    frame["references"] = gathered
    return frame


def _reference_columns(frame: pd.DataFrame, said: Sequence[str]) -> list[str]:
    if not said:
        return [name for name in map(str, frame) if REFERENCE_COLUMN.fullmatch(name)]
    for column in said:
        if column not in frame:
            raise ValueError(
                f"there is no reference column {column!r}: there are {', '.join(map(str, frame))}: name one of them, "
                "--reference COLUMN"
            )
    return list(said)


def _references(cells: Sequence[Any], separator: str | None) -> tuple[Any, ...]:
    """Return what stands in the cells of a row, but for empty texts; a corpus refuses what is no text."""
    return tuple(text for cell in cells for text in _cell(cell, separator) if not isinstance(text, str) or text)


def _cell(cell: Any, separator: str | None) -> list[Any]:
    """Return the references in one cell: a list, one as JSON or Python writes it, separated texts, or one text."""
    if isinstance(cell, str):
        if separator:
            return [text.strip() for text in cell.split(separator)]
        return written_list(cell) or [cell]
    entries = [cell] if isinstance(cell, Mapping) or not isinstance(cell, Iterable) else list(cell)
    return [spelled(entry) for entry in entries if not is_missing(entry)]
