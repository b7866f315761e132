"""How a table is read: one answer for every command and every Python function."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.base.storage import Place, path_of
from rainbow.datasets import source
from rainbow.datasets.columns import KEPT_IN, NOTHING, Columns, Score, kept_beside
from rainbow.datasets.files import FileRows, as_cells
from rainbow.datasets.folders.many_files import is_many, many_files
from rainbow.datasets.read.delimiter import delimiter_of
from rainbow.datasets.read.encoding import encoding_of, named
from rainbow.datasets.read.formats import BINARY, DELIMITED, ending
from rainbow.datasets.read.frames import frames, judgements
from rainbow.datasets.roles.column import column_of_cells
from rainbow.datasets.roles.mapping import Mapping, mapping_of_frame
from rainbow.datasets.roles.plausible import Doubt
from rainbow.datasets.shapes.paths import has_column

if TYPE_CHECKING:
    import pandas as pd

LOOKED_AT = 20_000  # rows


def read_mapping(name: str | Place, given: Columns = NOTHING, saved: Columns = NOTHING) -> Mapping:
    """Return what each column of a table holds: of a file, or of the many files that a name stands for."""
    path = many_files(name)[1][0] if is_many(name) else _existing(name)
    known = given.over(kept_beside(path)).over(saved)
    if ending(path) == ".txt" or (saved.declared() and known.output):
        return Mapping(known.without("recipe"), ())
    with named(path, known.encoding):
        known = file_format(path, known)
        parts = frames(path, LOOKED_AT, known.encoding, known.delimiter, known.sheet)
        frame = next(iter(islice(parts, 1)))
        mapping = mapping_of_frame(frame, given.over(_still_there(path, frame, known)))
    for joined in known.joined:
        mapping = _joined(mapping, Path(joined))
    return mapping


def _existing(name: str | Place) -> Place:
    """Return the path of a file; refuse a name that is neither a file nor a dataset."""
    if not path_of(name).suffix:
        source(str(name))
    if not path_of(name).is_file():
        raise FileNotFoundError(f"there is no file {str(name)!r}")
    return path_of(name)


def open_table(frame: pd.DataFrame, given: Columns = NOTHING, name: str = "table") -> tuple[FileRows, Mapping]:
    """Return the rows of a table in memory, and what its columns hold; errors as for :func:`read_mapping`."""
    with named(Path(name)):
        cells = judgements(as_cells(frame))
        mapping = mapping_of_frame(cells.head(LOOKED_AT), given)
    return FileRows(Path(name), mapping.columns, table=cells), mapping


def file_format(path: Place, known: Columns) -> Columns:
    """Return what is known with encoding and delimiter of a file, where they are not the usual ones."""
    if ending(path) in BINARY:
        return known
    known = known if known.encoding else replace(known, encoding=encoding_of(path))
    delimited = ending(path) in DELIMITED and not known.delimiter
    return replace(known, delimiter=delimiter_of(path, known.encoding)) if delimited else known


def whole_table(path: Path) -> pd.DataFrame:
    """Return all of a table in a file, however it is written."""
    known = file_format(path, NOTHING)
    return next(iter(frames(path, None, known.encoding, known.delimiter)))


def _still_there(path: Place, frame: pd.DataFrame, known: Columns) -> Columns:
    """Return what ``rainbow.toml`` says, without its columns where the table does not have one of them."""
    kept = kept_beside(path)
    fields = ("output", "references", "pair", "mr", "system", "ratings")
    missing = [name for field in fields for name in kept.columns_of(field) if not has_column(frame, name)]
    if not missing or len(kept.output) > 1:
        return known
    warnings.warn(
        f"{path.with_name(KEPT_IN)} names a column {missing[0]!r} that {path.name} does not have: the columns are "
        "detected again",
        stacklevel=5,
    )
    names = ("encoding", "delimiter", "decimal", "sheet", "background", "recipe")
    written = {name: getattr(known, name) for name in names}
    return replace(NOTHING, **written)


def _joined(mapping: Mapping, path: Path) -> Mapping:
    """Return a mapping with the ratings of a table that is joined, where none are known, and its scores."""
    with named(path):
        frame = whole_table(path)
    known, said = mapping.roles(), mapping.columns
    numbers = [column_of_cells(name, frame[name].tolist()) for name in map(str, frame) if name not in known]
    names = [column.name for column in numbers if column.kind == "number"]
    texts = [name for name in map(str, frame) if name in said.output or name == "output"]
    found = mapping_of_frame(frame[[*texts, *names]], replace(NOTHING, output=tuple(texts[:1])))
    ratings = found.columns.ratings if not said.ratings else ()
    scores = found.columns.scores
    columns = {*found.columns.columns_of("ratings"), *(Score.of(score).column for score in scores)}
    taken = [entry._replace(why=f"in {path.name}") for entry in found.taken if entry.column in columns]
    said = replace(said, ratings=(*said.ratings, *ratings), scores=tuple(dict.fromkeys((*said.scores, *scores))))
    return replace(mapping, columns=said, taken=(*mapping.taken, *taken))


def check_sure(mapping: Mapping, name: object) -> None:
    """Refuse a reading in which it is not sure which column holds the outputs, or human ratings."""
    if doubts := [doubt for doubt in mapping.doubts if doubt.stops]:
        raise ValueError(f"{name}: {unsure(doubts)}")


def unsure(doubts: Sequence[Doubt]) -> str:
    """Return what is not sure, and what to do, in one message."""
    first, more = doubts[0], len(doubts) - 1
    if not first.column:
        return f"{first.why}: name it, --output COLUMN"
    others = f", and {more} more" if more else ""
    options = " or ".join(_option(first.column, role) for role in dict.fromkeys((first.role, first.other)))
    return (
        f"column {first.column!r} may be {_article(first.role)} or {_article(first.other)}{others} ({first.why}): say "
        f"which, {options}; `rainbow run` asks, and `rainbow run --yes` accepts the likely reading"
    )


def _article(role: str) -> str:
    return {"output": "an output", "input": "an input", "item": "an item", "unused": "unused", "id": "an id"}.get(
        role, f"a {role}"
    )


def _option(column: str, role: str) -> str:
    from shlex import quote

    if role == "score":
        return f"--score {quote(column + ':higher')}"
    option = {"unused": "ignore", "best": "winner", "id": "ignore", "mark": "rating", "rank": "rating"}.get(role, role)
    return f"--{option} {quote(column)}"
