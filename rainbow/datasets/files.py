"""A user's own outputs in CSV, TSV, JSON, JSONL, Parquet or plain text."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from rainbow.base.fingerprint import hash_texts
from rainbow.base.lazy import pd
from rainbow.base.storage import Place
from rainbow.corpus import Corpus, RowError
from rainbow.corpus.corpus_table import rater_columns
from rainbow.datasets.columns import NO_COLUMNS, REFERENCE_COLUMN, Columns
from rainbow.datasets.external_scores import ExternalScores, check_joined_tables
from rainbow.datasets.plain_text import text_table
from rainbow.datasets.read.encoding import codec_name, name_file_in_errors
from rainbow.datasets.read.formats import file_extension
from rainbow.datasets.read.json_objects import split_frame
from rainbow.datasets.read.parquet import Footer, read_footer, read_rows
from rainbow.datasets.read.table_frames import read_frames
from rainbow.datasets.read.unique_ids import Row, UniqueIds
from rainbow.datasets.shapes.cell_values import format_scalar, is_missing, parse_written_list
from rainbow.datasets.shapes.invalid_cells import clear_invalid_numbers, clear_invalid_texts
from rainbow.datasets.shapes.shape import Shape, convert_texts
from rainbow.datasets.text_files import read_background
from rainbow.scoring.chunks import Span

# Rows that a group of a Parquet file may have, if some of them are to be read without all that come before in the file.
MAX_GROUP_ROWS = 1 << 17
ID_ROWS = 8000  # rows read at a time when looking for an id


def read_file(path: Place, **columns: Any) -> Corpus:
    """Read outputs and related columns from a file."""
    rows = FileRows(path, Columns.create(**columns))
    (corpus,) = rows.chunks(None)
    return corpus if rows.background is None else replace(corpus, background=rows.background)


@dataclass
class FileRows:
    """Rows of a table in a file, read on demand; the file may be larger than memory."""

    path: Place
    columns: Columns = NO_COLUMNS
    dataset: str | None = None
    partition: tuple[tuple[str, str], ...] = ()
    table: pd.DataFrame | None = None

    @cached_property
    def shape(self) -> Shape:
        """Conversion of the file's rows to one output per row."""
        return Shape(self.columns)

    @property
    def ratings(self) -> tuple[str, ...]:
        """The names of the ratings."""
        return self.shape.left.ratings

    @cached_property
    def background(self) -> Corpus | None:
        """References for further inputs, as in :class:`~rainbow.corpus.Corpus`."""
        columns = self.columns
        return read_background(Path(columns.background), columns.encoding) if columns.background else None

    @property
    def language(self) -> str | None:
        """Code of the language of the outputs, if it is given."""
        return self.columns.language

    @cached_property
    def external(self) -> ExternalScores:
        """External scores."""
        return ExternalScores(self.columns, (self.path,) if self.table is None else ())

    def chunks(self, rows: int | None) -> Iterator[Corpus]:
        """Yield the checked rows in chunks (one for None); one empty corpus if there are no rows."""
        yield from self.read(rows, 0, UniqueIds(self.ids))
        check_joined_tables(str(self.path), [self.external])

    def read(self, rows: int | None, before: int, ids: UniqueIds) -> Iterator[Corpus]:
        """Yield the rows as :meth:`chunks` does, offset by earlier files' rows, with these ids."""
        done = 0
        with name_file_in_errors(self.path, self.columns.encoding):
            result = self.frames(rows)
        while (frame := self._next_frame(result)) is not None:
            corpus = self._make_corpus(frame, done, before)
            if self._has_ids(frame):
                ids.add(hash_texts(corpus.frame["id"]))
            yield corpus
            done += len(corpus)

    def _next_frame(self, frames: Iterator[pd.DataFrame]) -> pd.DataFrame | None:
        with name_file_in_errors(self.path, self.columns.encoding):
            return next(frames, None)

    def _has_ids(self, names: Iterable[Any]) -> bool:
        names, unused = {*names}, self.shape.left
        return unused.id in names or ("id" in names and unused.item != "id")

    @property
    def parquet(self) -> Footer | None:
        """Footer of a Parquet file, if its rows can be read separately; else None."""
        if (
            self.table is not None
            or file_extension(self.path) != ".parquet"
            or self.columns.joined
            or not self.shape.is_plain
        ):
            return None
        with name_file_in_errors(self.path):
            result = read_footer(self.path)
        return result if max(result.groups, default=0) <= MAX_GROUP_ROWS else None

    def spans(self, rows: int, before: int = 0) -> Iterator[Span] | None:
        """Return the row spans, given the number of rows in earlier files."""
        total = sum(self.parquet.groups) if self.parquet else 0
        if not total:
            return None
        here = replace(self, path=self.path.absolute()) if isinstance(self.path, Path) else self  # for other processes
        return (
            Span(before + start, partial(here.between, start, min(start + rows, total), before))
            for start in range(0, total, rows)
        )

    def between(self, start: int, stop: int, before: int) -> Corpus:
        """Return some rows of the file without checking ids across rows; errors as for :meth:`chunks`."""
        with name_file_in_errors(self.path):
            frame = read_rows(self.path, start, stop)
        return self._make_corpus(frame.assign(**self._partition_columns(frame)), start, before)

    def unique_ids(self) -> Callable[[Any], None] | None:
        """Return a function that raises an error on repeated ids; None if rows have no ids."""
        names = (*self.parquet.names, *dict(self.partition)) if self.parquet else ()
        return UniqueIds(self.ids).add if self._has_ids(names) else None

    def row_location(self, row: int) -> str:
        """Return the label of a row for messages."""
        return f"row {row}"

    def state(self) -> object:
        """Return size and modification time of the file, or the hash of a table."""
        if self.table is not None:
            return table_hash(self.table)
        status = self.path.stat()
        return status.st_size, status.st_mtime_ns

    def metadata(self) -> dict[str, Any]:
        """Return the metadata saved with scores: column options and external scores."""
        return {"columns": self.columns.set_options(), "external": self.external.metadata()}

    def frames(self, rows: int | None) -> Iterator[pd.DataFrame]:
        """Yield the table in the file unchanged, this many rows at a time."""
        encoding = codec_name(self.columns.encoding)
        if self.table is None and file_extension(self.path) == ".txt":
            return iter([text_table(self.path, self.columns.references, encoding)])
        size, columns = None if self.shape.at_once else rows, self.columns
        reading = self.path, size, encoding, columns.delimiter, columns.sheet, columns.error_weights
        result = read_frames(*reading) if self.table is None else split_frame(self.table, size)
        if self.partition:
            result = (frame.assign(**self._partition_columns(frame)) for frame in result)
        return result if self.shape.is_plain else self._shape_frames(result, rows)

    def _shape_frames(self, frames: Iterator[pd.DataFrame], rows: int | None) -> Iterator[pd.DataFrame]:
        """Yield the rows with one output each, from parts of the table."""
        before = 0
        for frame in frames:
            shaped = self.shape.rows(frame, before)
            before += len(frame)
            step = (rows if self.shape.at_once else None) or max(len(shaped), 1)
            yield from (shaped.iloc[start : start + step] for start in range(0, max(len(shaped), 1), step))

    def _partition_columns(self, frame: pd.DataFrame) -> dict[str, str]:
        """Return the columns from the folder names; ValueError if the file contradicts them."""
        for name, value in self.partition:
            if name in frame and any(str(cell) != value for cell in frame[name]):
                raise ValueError(
                    f"{self.path}: the folder name has {name}={value}, but the column {name!r} has another value"
                )
        return {name: value for name, value in self.partition if name not in frame}

    def _make_corpus(self, frame: pd.DataFrame, start: int, before: int) -> Corpus:
        """Return rows as a validated corpus, given their offsets in this file and across all files."""
        with name_file_in_errors(self.path, self.columns.encoding):
            try:
                return self._check_rows(frame, start, before + start)
            except RowError as error:
                raise error.after(start) from None

    def _check_rows(self, frame: pd.DataFrame, start: int, before: int) -> Corpus:
        unused = self.shape.left
        wanted = {name: getattr(unused, name) for name in _FIELDS} | {"output": next(iter(unused.output), None)}
        frame = convert_texts(_rename_columns(frame, wanted))
        if file_extension(self.path) != ".txt":
            frame = _add_references(frame, unused.references, unused.reference_separator)
        name = self.dataset or self.path.stem
        given = frame["dataset"] if "dataset" in frame else [name] * len(frame)
        frame["dataset"] = [cell if isinstance(cell, str) and cell else name for cell in given]
        marks = [name for rating in self.ratings for name in (rating, *rater_columns(frame, rating))]
        marks += [score.column for score in self.external.scores]
        frame = clear_invalid_numbers(frame, [name for name in marks if name in frame], start, str(self.path))
        frame = self.external.join_scores(clear_invalid_texts(frame, start, str(self.path)))
        if "id" not in frame:
            frame = frame.assign(id=[str(before + row) for row in range(1, len(frame) + 1)])
        return Corpus(frame, self.ratings, mr_format=self.columns.mr_format, language=self.columns.language)

    def ids(self) -> Iterator[Row]:
        """Yield the id of every row, from the start of the file, and its location."""
        name = self.shape.left.id or "id"
        result = (identity for frame in self.frames(ID_ROWS) for identity in frame[name])
        return (Row(self.path, number, str(identity)) for number, identity in enumerate(result, 1))


_FIELDS = ("output", "mr", "system", "item", "id")


def _rename_columns(frame: pd.DataFrame, names: Mapping[str, str | None]) -> pd.DataFrame:
    """Return the table with the columns renamed for a corpus; one column may fill several fields."""
    chosen = {field: column or field for field, column in names.items() if column or field in frame}
    if not names["id"] and "id" in (chosen.get("item"), chosen.get("system")):
        chosen.pop("id", None)  # it says what the row is about, and may stand there once for each system
    for field, column in chosen.items():
        if column not in frame:
            raise ValueError(
                f"unknown column {column!r} for the {field}: the columns are {', '.join(map(str, frame))}: name "
                f"one with --{field} COLUMN"
            )
    if "output" not in chosen:
        raise ValueError(_missing_output_message(frame))
    taken = {field: frame[column] for field, column in chosen.items()}
    return frame.drop(columns=[name for name in frame if name in taken or name in chosen.values()]).assign(**taken)


def _missing_output_message(frame: pd.DataFrame) -> str:
    names = [str(name) for name in frame]
    message = (
        f"the table has no column 'output': the columns are {', '.join(names)}: name the column of generated "
        "texts with --output COLUMN"
    )
    marks = [mark for mark in ";|\t," if len(names) == 1 and mark in names[0]]
    return f"{message} (or is the field delimiter {marks[0]!r}? --delimiter {marks[0]!r})" if marks else message


def _add_references(frame: pd.DataFrame, named: Sequence[str], separator: str | None) -> pd.DataFrame:
    """Return the table with the nonempty references of each row; a corpus rejects other types than texts."""
    if gone := [name for name in named if name not in frame]:
        raise ValueError(
            f"unknown reference column {gone[0]!r}: the columns are {', '.join(map(str, frame))}: name one with "
            "--reference COLUMN"
        )
    columns = [*named] or [name for name in map(str, frame) if REFERENCE_COLUMN.fullmatch(name)]
    if not columns:
        return frame
    rows = zip(*(frame[column] for column in columns), strict=True)
    texts = ((text for cell in cells for text in _split_cell(cell, separator)) for cells in rows)
    gathered = [tuple(text for text in own if not isinstance(text, str) or text) for own in texts]
    frame = frame.drop(columns=columns)
    frame["references"] = gathered
    return frame


def _split_cell(cell: Any, separator: str | None) -> list[Any]:
    """Return the references in one cell: a list, a JSON or Python list, separated texts, or one text."""
    if isinstance(cell, str):
        if separator:
            return [text.strip() for text in cell.split(separator)]
        return parse_written_list(cell) or [cell]
    entries = [cell] if isinstance(cell, Mapping) or not isinstance(cell, Iterable) else list(cell)
    return [format_scalar(entry) for entry in entries if not is_missing(entry)]


def as_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table as if read from a file: string names, object cells, None for missing."""
    cells = frame.reset_index(drop=True).astype(object)
    return cells.where(cells.map(lambda cell: not is_missing(cell)), None).set_axis([*map(str, frame)], axis=1)


def table_hash(frame: pd.DataFrame) -> str:
    """Return a hash of the column names and cells of a table."""
    digest = hashlib.sha256(repr([*frame]).encode())
    for row in frame.itertuples(index=False, name=None):
        digest.update(repr(row).encode())
    return digest.hexdigest()
