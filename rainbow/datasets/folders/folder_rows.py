"""Many files as one table: a folder, or all matches of a pattern."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

from rainbow.base.storage import Place, path_of
from rainbow.corpus import Corpus
from rainbow.datasets.columns import Columns
from rainbow.datasets.external_scores import check_joined_tables
from rainbow.datasets.files import FileRows
from rainbow.datasets.read.many_files import find_files, is_many_files
from rainbow.datasets.read.unique_ids import Row, UniqueIds
from rainbow.scoring.chunks import Span

COUNTED = 8000  # rows that are read at a time to count them


def open_files(name: str | Place, columns: Columns) -> FileRows | FolderRows:
    """Return the rows of a file, or of the many files that a name refers to."""
    if not is_many_files(name):
        return FileRows(path_of(name), columns)
    folder, files = find_files(name)
    dataset = folder.name or Path.cwd().name
    return FolderRows(
        tuple(FileRows(file, columns, dataset, _folder_partition(file, folder)) for file in files), columns
    )


def _folder_partition(file: Place, folder: Place) -> tuple[tuple[str, str], ...]:
    pairs = (part.partition("=") for part in file.parts[len(folder.parts) : -1] if "=" in part)
    return tuple((name, value) for name, _, value in pairs)


@dataclass
class FolderRows:
    """Rows of many files, one file after the other."""

    files: tuple[FileRows, ...]
    columns: Columns

    @property
    def ratings(self) -> tuple[str, ...]:
        """The names of the ratings."""
        return self.files[0].ratings

    @cached_property
    def background(self) -> Corpus | None:
        """References for further inputs."""
        return self.files[0].background

    @property
    def language(self) -> str | None:
        """Code of the language of the outputs, if it is given."""
        return self.columns.language

    def chunks(self, rows: int | None) -> Iterator[Corpus]:
        """Yield the rows in chunks within one file each; one empty corpus if there are none."""
        before, ids, first = 0, UniqueIds(self.ids), None
        for file in self.files:
            for corpus in file.read(rows, before, ids):
                first = first if first is not None else corpus
                self._check_columns(file, first.frame, corpus.frame)
                before += len(corpus)
                if len(corpus):
                    yield corpus
        if first is not None and not before:
            yield first
        check_joined_tables(f"{self.files[0].path} and the others", [file.external for file in self.files])

    def _check_columns(self, file: FileRows, first: Iterable[Any], now: Iterable[Any]) -> None:
        if apart := sorted({*first} ^ {*now}):
            one, other = (self.files[0].path, file.path) if apart[0] in {*first} else (file.path, self.files[0].path)
            raise ValueError(f"{one} has a column {apart[0]!r}, but {other} does not: give both the same columns")

    def state(self) -> object:
        """Return size and modification time of every file."""
        return tuple(file.state() for file in self.files)

    def metadata(self) -> dict[str, Any]:
        """Return the metadata saved with scores."""
        sources = tuple(file.path for file in self.files)
        return {
            "columns": self.columns.set_options(),
            "external": replace(self.files[0].external, sources=sources).metadata(),
        }

    def ids(self) -> Iterator[Row]:
        """Yield the id of every row that has one, and its location."""
        return chain.from_iterable(file.ids() for file in self.files)

    def spans(self, rows: int) -> Iterator[Span] | None:
        """Return the spans of all rows; None if a file can only be read from its start."""
        footers = [file.parquet for file in self.files]
        counts = [sum(results.groups) for results in footers if results]
        if len(counts) < len(footers) or not sum(counts):
            return None
        names = [
            (*results.names, *dict(file.partition))
            for file, results in zip(self.files, footers, strict=True)
            if results
        ]
        for file, own in zip(self.files, names, strict=True):
            self._check_columns(file, names[0], own)
        starts = zip(self.files, accumulate(counts, initial=0), strict=False)
        return chain.from_iterable(file.spans(rows, before) or () for file, before in starts)

    def unique_ids(self) -> Callable[[Any], None] | None:
        """Return a function that raises an error on repeated ids; None if rows have no ids."""
        return UniqueIds(self.ids).add if self.files[0].unique_ids() else None

    def row_location(self, row: int) -> str:
        """Return the file and row of a row number counted from 1 over all files."""
        for file in self.files:
            count = sum(file.parquet.groups) if file.parquet else sum(map(len, file.frames(COUNTED)))
            if row <= count:
                return f"{file.path}: row {row}"
            row -= count
        raise ValueError(f"no such row: {row}")
