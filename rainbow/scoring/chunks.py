"""Rows in chunks that are scored together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

from rainbow.corpus import Corpus

MOST_ROWS = 8000
FEWEST_ROWS = 500  # smaller chunks would prepare the same references again and again
CHUNKS = 16  # minimum number of chunks if there are enough rows: processes share them, and progress is visible


class Rows(Protocol):
    """Rows that can be read any number of times."""

    @property
    def ratings(self) -> tuple[str, ...]:
        """Rating columns."""

    @property
    def background(self) -> Corpus | None:
        """References for further inputs."""

    @property
    def language(self) -> str | None:
        """Code of the language of the outputs, if it is given."""

    def chunks(self, rows: int) -> Iterator[Corpus]:
        """Yield all rows in order in chunks; one empty corpus if there are none."""

    def state(self) -> object:
        """Return a value that changes with the rows."""

    def metadata(self) -> Mapping[str, Any]:
        """Return the metadata saved with the scores."""


@runtime_checkable
class SplittableRows(Protocol):
    """Rows of which other machines can read a part."""

    def spans(self, rows: int) -> Iterator[Span] | None:
        """Return the locations of successive chunks; None if rows must be read in sequence."""

    def unique_ids(self) -> Callable[[Any], None] | None:
        """Return a checker that takes the ID hashes of each span in order."""

    def row_location(self, row: int) -> str:
        """Return the name of a row counted from 1 over all rows."""


class CorpusRows:
    """Rows of a corpus with optional metadata."""

    def __init__(self, corpus: Corpus, about: Mapping[str, Any] | None = None) -> None:
        self.corpus, self.ratings, self.background = corpus, corpus.ratings, corpus.background
        self.language = corpus.language
        self._about = about or {}

    def chunks(self, rows: int) -> Iterator[Corpus]:
        """Yield the rows in chunks."""
        if len(self.corpus) <= rows:
            yield self.corpus
            return
        for start in range(0, len(self.corpus), rows):
            yield self.corpus.take(range(start, min(start + rows, len(self.corpus))))

    def state(self) -> object:
        """Return None: a corpus in memory has no state to check."""
        return None

    def metadata(self) -> Mapping[str, Any]:
        """Return the given metadata."""
        return self._about


@dataclass
class AddedScores:
    """Rows with additional score columns."""

    rows: Rows
    columns: Mapping[str, Sequence[float]]
    external: Mapping[str, Mapping[str, Any]]
    said: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        self.ratings, self.background = self.rows.ratings, self.rows.background
        self.language = self.rows.language

    def chunks(self, rows: int) -> Iterator[Corpus]:
        """Yield the rows in chunks."""
        before = 0
        for corpus in self.rows.chunks(rows):
            part = {name: values[before : before + len(corpus)] for name, values in self.columns.items()}
            before += len(corpus)
            yield replace(corpus, frame=corpus.frame.assign(**part))

    def state(self) -> object:
        """Return a value that changes with the rows."""
        return self.rows.state()

    def metadata(self) -> dict[str, Any]:
        """Return the metadata of the rows and of these scores."""
        about = {"columns": {}, "external": {}, **self.rows.metadata()}
        columns = about["columns"] if self.said is None else dict(self.said)
        return {**about, "columns": columns, "external": {**about["external"], **self.external}}


class Chunk(NamedTuple):
    """Successive rows of a table, and the number of rows before them."""

    before: int
    rows: Corpus

    def chunk(self) -> Chunk:
        """Return itself."""
        return self


class Span(NamedTuple):
    """Location of successive rows, the number of rows before them, and a reader."""

    before: int
    read: Callable[[], Corpus]

    def chunk(self) -> Chunk:
        """Read the rows."""
        return Chunk(self.before, self.read())


# Rows that are scored together.
Piece = Chunk | Span


def number_chunks(corpora: Iterable[Corpus]) -> Iterator[Chunk]:
    """Yield successive corpora as chunks of one table."""
    before = 0
    for rows in corpora:
        yield Chunk(before, rows)
        before += len(rows)


def chunk_size(rows: int | None, wanted: int | None) -> int:
    """Return the chunk size: the requested one, or one that suits the number of rows if known."""
    if wanted is None:
        return MOST_ROWS if rows is None else min(MOST_ROWS, max(FEWEST_ROWS, -(-rows // CHUNKS)))
    if wanted < 1:
        raise ValueError(f"chunk_rows is {wanted}: use 1 or more")
    return wanted
