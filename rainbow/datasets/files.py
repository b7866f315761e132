"""A user's own outputs: CSV, TSV, JSONL, Parquet, or the plain text of the E2E metrics scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rainbow.corpus import Corpus, RowError
from rainbow.datasets.frames import frames
from rainbow.datasets.reference_files import read_background
from rainbow.datasets.unique_ids import UniqueIds

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FileRows", "read_file"]

ID_ROWS = 8000  # rows that are read at a time to find where an id stands


def read_file(
    path: Path,
    *,
    output: str | None = None,
    references: str | Sequence[str] | Path | None = None,
    reference_separator: str | None = None,
    mr: str | None = None,
    system: str | None = None,
    item: str | None = None,
    id: str | None = None,  # named as the column it fills
    ratings: Sequence[str] = (),
    background: str | Path | None = None,
) -> Corpus:
    r"""Read outputs and what belongs to them from a file.

    Parameters
    ----------
    path
        A table (``.csv``, ``.tsv``, ``.jsonl``, ``.parquet``) with a row per output, or plain text (``.txt``) with a
        line per output.
    output, mr, system, item, id
        The columns that hold the texts, meaning representations, systems, inputs and row ids; by default those
        of these names, where the table has them.
    references
        The columns that hold references (several columns, several references; empty cells are none); by default
        `references`, `reference`, `reference_1`, `reference_2` … A cell may hold one reference, a JSON list, or
        several with `reference_separator` between them. For plain text: the file of references, those of
        one output on successive lines, outputs separated by a blank line.
    ratings
        The columns that hold human ratings.
    background
        A file of references for further inputs (your system's training set, say), with the columns ``mr`` and
        ``ref``: language models learn from them too.

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
    if path.suffix == ".txt":
        with _named(path):
            corpus = _read_text(path, references)
    else:
        rows = FileRows(path, output, references, reference_separator, mr, system, item, id, tuple(ratings))
        (corpus,) = rows.chunks(None)
    return corpus if background is None else replace(corpus, background=read_background(Path(background)))


@dataclass
class FileRows:
    r"""The rows of a table in a file, read when they are asked for: a file may be larger than memory.

    Parameters
    ----------
    path, output, references, reference_separator, mr, system, item, id, ratings
        As in :func:`read_file`.
    background
        References for further inputs, as in :class:`~rainbow.corpus.Corpus`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.csv"
    ...     _ = path.write_text("output\nthe inn.\nan inn.\nsoma\n")
    ...     [chunk.frame["id"].tolist() for chunk in FileRows(path).chunks(2)]
    [['1', '2'], ['3']]
    """

    path: Path
    output: str | None = None
    references: str | Sequence[str] | Path | None = None
    reference_separator: str | None = None
    mr: str | None = None
    system: str | None = None
    item: str | None = None
    id: str | None = None
    ratings: tuple[str, ...] = ()
    background: Corpus | None = None

    def chunks(self, rows: int | None) -> Iterator[Corpus]:
        """Return the rows, so many at a time (all at once for None), checked; one empty corpus where there are none.

        Raises
        ------
        ValueError
            If the file cannot be read so; the message names file, row and field.
        """
        before, ids = 0, UniqueIds()
        with _named(self.path):
            for frame in frames(self.path, rows):
                try:
                    corpus = self._corpus(frame, before, ids)
                except RowError as error:
                    raise error.after(before) from None
                yield corpus
                before += len(corpus)

    def state(self) -> object:
        """Return size and time of the last change of the file."""
        status = self.path.stat()
        return status.st_size, status.st_mtime_ns

    def _corpus(self, frame: pd.DataFrame, before: int, ids: UniqueIds) -> Corpus:
        chosen = {name: getattr(self, name) for name in ("output", "mr", "system", "item", "id")}
        frame = _renamed(frame, {field: column for field, column in chosen.items() if column is not None})
        columns = _reference_columns(frame, self.references)
        if columns:
            cells = zip(*(frame[column] for column in columns), strict=True)
            gathered = [_references(cell, self.reference_separator) for cell in cells]
            frame = frame.drop(columns=columns)
            frame["references"] = gathered
        if "dataset" not in frame:
            frame["dataset"] = self.path.stem
        if "id" not in frame:
            return Corpus(frame.assign(id=[str(before + row) for row in range(1, len(frame) + 1)]), self.ratings)
        corpus = Corpus(frame, self.ratings)
        ids.add(corpus.frame["id"].tolist(), self._ids)
        return corpus

    def _ids(self) -> Iterator[str]:
        """Return the ids from the start of the file."""
        name = self.id or "id"
        return (identity for frame in frames(self.path, ID_ROWS) for identity in frame[name])


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Put the name of the file before what is wrong in it."""
    try:
        yield
    except UnicodeDecodeError as error:
        problem = f"byte {error.object[error.start]:#04x} is not UTF-8"
        raise ValueError(f"{path}: {problem}: save the file as UTF-8, say by `iconv -f LATIN1 -t UTF-8`") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _lines(path: Path) -> list[str]:
    """Return the lines of a file; only a line feed ends one (a text may hold Unicode's other separators)."""
    lines = path.read_text(encoding="utf-8-sig").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _renamed(frame: pd.DataFrame, chosen: dict[str, str]) -> pd.DataFrame:
    """Return the table with the chosen columns under the names of a corpus."""
    for field, column in chosen.items():
        if column not in frame:
            raise ValueError(f"there is no column {column!r} for the {field}: there are {', '.join(map(str, frame))}")
    frame = frame.drop(columns=[field for field, column in chosen.items() if field in frame and field != column])
    return frame.rename(columns={column: field for field, column in chosen.items()})


def _reference_columns(frame: pd.DataFrame, references: str | Sequence[str] | Path | None) -> list[str]:
    if references is None:
        return [name for name in map(str, frame) if re.fullmatch(r"references|reference(_?\d+)?", name)]
    columns = [str(references)] if isinstance(references, (str, Path)) else list(references)
    for column in columns:
        if column not in frame:
            raise ValueError(f"there is no reference column {column!r}: there are {', '.join(map(str, frame))}")
    return columns


def _references(cells: Sequence[Any], separator: str | None) -> tuple[Any, ...]:
    """Return what stands in the cells of a row, but for empty texts; a corpus refuses what is no text."""
    return tuple(text for cell in cells for text in _cell(cell, separator) if not isinstance(text, str) or text)


def _cell(cell: Any, separator: str | None) -> list[Any]:
    """Return the references in one cell: a list, a JSON list, separated texts, or one text."""
    if isinstance(cell, str):
        if separator:
            return [text.strip() for text in cell.split(separator)]
        return _json_list(cell) or [cell]
    if cell is None or isinstance(cell, float):  # pandas writes NaN for an empty cell
        return []
    return list(cell) if isinstance(cell, Iterable) else [cell]


def _json_list(cell: str) -> list[str] | None:
    if not cell.lstrip().startswith("["):
        return None
    try:
        texts = json.loads(cell)
    except json.JSONDecodeError:
        return None
    return texts if isinstance(texts, list) and all(isinstance(text, str) for text in texts) else None


def _read_text(path: Path, references: str | Sequence[str] | Path | None) -> Corpus:
    outputs = _lines(path)
    if references is None:
        return Corpus.of(outputs, dataset=[path.stem] * len(outputs))
    if not isinstance(references, (str, Path)):
        raise ValueError("plain text takes one file of references")
    blocks = [block.split("\n") for block in re.split(r"\n\s*\n", "\n".join(_lines(Path(references))).strip("\n"))]
    if len(blocks) != len(outputs):
        raise ValueError(
            f"{len(outputs)} outputs, but {references} has {len(blocks)} sets of references: "
            "separate the references of one output from the next by a blank line"
        )
    return Corpus.of(outputs, blocks, dataset=[path.stem] * len(outputs))
