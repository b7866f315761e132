"""A user's own outputs: CSV, TSV, JSON, JSONL, Parquet, or plain text."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rainbow.base.fingerprint import hash_texts
from rainbow.base.storage import Place
from rainbow.corpus import Corpus, RowError
from rainbow.corpus.corpus_table import rater_columns
from rainbow.datasets.columns import NOTHING, REFERENCE_COLUMN, Columns
from rainbow.datasets.external_scores import ExternalScores, check_joined
from rainbow.datasets.folders.unique_ids import Row, UniqueIds
from rainbow.datasets.plain_text import text_table
from rainbow.datasets.read.encoding import codec, named
from rainbow.datasets.read.formats import ending
from rainbow.datasets.read.frames import frames
from rainbow.datasets.read.json_objects import frames_of
from rainbow.datasets.read.parquet import Footer, footer, frame_between
from rainbow.datasets.reference_files import read_background
from rainbow.datasets.shapes.cells import is_missing, spelled, written_list
from rainbow.datasets.shapes.odd_cells import numbered, worded
from rainbow.datasets.shapes.shape import Shape, as_texts
from rainbow.scoring.chunks import Span

if TYPE_CHECKING:
    import pandas as pd


# Rows that a group of a Parquet file may have, if some of them are to be read without all that come before in the file.
MOST_IN_GROUP = 1 << 17
ID_ROWS = 8000  # rows that are read at a time to find where an id stands


def read_file(path: Place, **columns: Any) -> Corpus:
    """Read outputs and what belongs to them from a file."""
    rows = FileRows(path, Columns.of(**columns))
    (corpus,) = rows.chunks(None)
    return corpus if rows.background is None else replace(corpus, background=rows.background)


@dataclass
class FileRows:
    """The rows of a table in a file, read when they are asked for: a file may be larger than memory."""

    path: Place
    columns: Columns = NOTHING
    dataset: str | None = None
    partition: tuple[tuple[str, str], ...] = ()
    table: pd.DataFrame | None = None

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
        return ExternalScores.of(self.path if self.table is None else None, self.columns)

    def chunks(self, rows: int | None) -> Iterator[Corpus]:
        """Return the checked rows in chunks (all at once for None); one empty corpus if there are none."""
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
                ids.add(hash_texts(corpus.frame["id"]))
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
        if self.table is not None or ending(self.path) != ".parquet" or self.columns.joined or not self.shape.is_plain:
            return None
        with named(self.path):
            found = footer(self.path)
        return found if max(found.groups, default=0) <= MOST_IN_GROUP else None

    def spans(self, rows: int, before: int = 0) -> Iterator[Span] | None:
        """Return the spans of the rows, given the number of rows in earlier files."""
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
        """Return size and time of the last change of the file, or the hash of a table."""
        if self.table is not None:
            return table_hash(self.table)
        status = self.path.stat()
        return status.st_size, status.st_mtime_ns

    def about(self) -> dict[str, Any]:
        """Return what is to be saved with the scores: what was said of the file, and of scores that others computed."""
        return {"columns": self.columns.declared(), "external": self.external.about()}

    def frames(self, rows: int | None) -> Iterator[pd.DataFrame]:
        """Return the table in the file as it is, so many rows at a time."""
        encoding = codec(self.columns.encoding)
        if self.table is None and ending(self.path) == ".txt":
            return iter([text_table(self.path, self.columns.references, encoding)])
        size = None if self.shape.at_once else rows
        found = self._parts(size, encoding)
        if self.partition:
            found = (frame.assign(**self._further(frame)) for frame in found)
        return found if self.shape.is_plain else self._shaped(found, rows)

    def _parts(self, size: int | None, encoding: str) -> Iterator[pd.DataFrame]:
        if self.table is not None:
            return frames_of(self.table, size)
        return frames(self.path, size, encoding, self.columns.delimiter, self.columns.sheet)

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
        wanted = {name: getattr(said, name) for name in _FIELDS} | {"output": next(iter(said.output), None)}
        frame = as_texts(_renamed(frame, wanted))
        if ending(self.path) != ".txt":
            columns = _reference_columns(frame, said.references)
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


def as_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table as files give it: names as text, cells as objects, None where nothing is."""
    cells = frame.reset_index(drop=True).astype(object)
    return cells.where(cells.map(lambda cell: not is_missing(cell)), None).set_axis([*map(str, frame)], axis=1)


def table_hash(frame: pd.DataFrame) -> str:
    """Return a hash of the names and cells of a table."""
    digest = hashlib.sha256(repr([*frame]).encode())
    for row in frame.itertuples(index=False, name=None):
        digest.update(repr(row).encode())
    return digest.hexdigest()
