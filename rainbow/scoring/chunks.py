"""Rows in chunks: successive rows that are scored at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

from rainbow.corpus import Corpus

MOST_ROWS = 8000
FEWEST_ROWS = 500  # smaller chunks would prepare the same references again and again
CHUNKS = 16  # so many at least, where there are rows enough: processes share them, and progress is seen


class Rows(Protocol):
    """Rows that are read when they are asked for, as often as they are asked for."""

    @property
    def ratings(self) -> tuple[str, ...]:
        """The columns of ratings."""

    @property
    def background(self) -> Corpus | None:
        """References for further inputs."""

    def chunks(self, rows: int) -> Iterator[Corpus]:
        """Return all rows in order, so many at a time; one empty corpus where there are none."""

    def state(self) -> object:
        """Return what differs when the rows have changed."""

    def about(self) -> Mapping[str, Any]:
        """Return what is saved with their scores, as JSON has it."""


@runtime_checkable
class ReadApart(Protocol):
    """Rows of which other machines can read some without the rest."""

    def spans(self, rows: int) -> Iterator[Span] | None:
        """Return where all rows stand, so many at a time; None where they must be read one after the other."""

    def unique_ids(self) -> Callable[[Any], None] | None:
        """Return what takes the hashes of each span's ids (:func:`~rainbow.base.fingerprint.hash_texts`), in order."""

    def where(self, row: int) -> str:
        """Return what a row is called that is counted from 1 over all of them."""


class CorpusRows:
    """The rows of a corpus; what is known :meth:`about` them may be given."""

    def __init__(self, corpus: Corpus, about: Mapping[str, Any] | None = None) -> None:
        self.corpus, self.ratings, self.background = corpus, corpus.ratings, corpus.background
        self._about = about or {}

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

    def about(self) -> Mapping[str, Any]:
        """Return what was given."""
        return self._about


@dataclass
class AddedScores:
    """Rows with further columns of scores."""

    rows: Rows
    columns: Mapping[str, Sequence[float]]
    external: Mapping[str, Mapping[str, Any]]
    said: Mapping[str, Any] | None = None

    @property
    def ratings(self) -> tuple[str, ...]:
        """The columns of ratings."""
        return self.rows.ratings

    @property
    def background(self) -> Corpus | None:
        """References for further inputs."""
        return self.rows.background

    def chunks(self, rows: int) -> Iterator[Corpus]:
        """Return the rows, so many at a time."""
        before = 0
        for corpus in self.rows.chunks(rows):
            part = {name: values[before : before + len(corpus)] for name, values in self.columns.items()}
            before += len(corpus)
            yield replace(corpus, frame=corpus.frame.assign(**part))

    def state(self) -> object:
        """Return what differs when the rows have changed."""
        return self.rows.state()

    def about(self) -> dict[str, Any]:
        """Return what is known of the rows and of these scores."""
        about = {"columns": {}, "external": {}, **self.rows.about()}
        columns = about["columns"] if self.said is None else dict(self.said)
        return {**about, "columns": columns, "external": {**about["external"], **self.external}}


class Chunk(NamedTuple):
    """Successive rows of a table, and how many come before them."""

    before: int
    rows: Corpus

    def chunk(self) -> Chunk:
        """Return itself: it is read."""
        return self


class Span(NamedTuple):
    """Where successive rows stand, how many come before them in the table, and what reads them."""

    before: int
    read: Callable[[], Corpus]

    def chunk(self) -> Chunk:
        """Read the rows."""
        return Chunk(self.before, self.read())


# What is scored at once.
Piece = Chunk | Span


def numbered(corpora: Iterable[Corpus]) -> Iterator[Chunk]:
    """Return successive rows as chunks of one table."""
    before = 0
    for rows in corpora:
        yield Chunk(before, rows)
        before += len(rows)


def chunk_size(rows: int | None, wanted: int | None) -> int:
    """Return how many rows are scored at a time: as many as wanted, or as suits their number (None: not known yet)."""
    if wanted is None:
        return MOST_ROWS if rows is None else min(MOST_ROWS, max(FEWEST_ROWS, -(-rows // CHUNKS)))
    if wanted < 1:
        raise ValueError(f"chunk_rows is {wanted}: give 1 or more")
    return wanted
