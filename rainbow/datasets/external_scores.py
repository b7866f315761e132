"""Scores that others computed, which a user brings along as columns."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rainbow.base.fingerprint import file_sha256
from rainbow.base.storage import Place
from rainbow.corpus import numeric_columns
from rainbow.corpus.rows import to_nfc
from rainbow.datasets.columns import REFERENCE_COLUMN, Columns, Score
from rainbow.datasets.read.encoding import codec, named
from rainbow.datasets.read.frames import frames

if TYPE_CHECKING:
    import pandas as pd


# What rows are joined by where no id is: all of these that a table has, the output among them.
_KEYS = ("dataset", "system", "item", "mr", "output")


@dataclass(frozen=True)
class ExternalScores:
    """Columns of scores that others computed, and the files that hold them."""

    scores: tuple[Score, ...]
    sources: tuple[Place, ...]
    columns: Columns

    @classmethod
    def of(cls, source: Place | None, columns: Columns) -> ExternalScores:
        """Return what these columns say of scores."""
        return cls(tuple(map(Score.of, columns.scores)), (source,) if source else (), columns)

    def to(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return rows with the columns of the tables joined to them, and these scores as numbers, NaN where none is."""
        names = {score.column: score.name for score in self.scores}
        own = {*names, *self.columns.rating_names} & {*map(str, frame)}
        for path, table in self._tables.items():
            with named(path):
                keys = _keys_of(frame, table)
                found = _places(frame, table, keys)
                frame = _joined(frame, table, found, own)
            if len(found):
                self._joined_by[path] = keys, self._joined_by.get(path, ([], False))[1] or bool((found >= 0).any())
        frame = frame.rename(columns=names)
        return frame.assign(**numeric_columns(frame, [*names.values()], "score")) if names else frame

    def about(self) -> dict[str, dict[str, Any]]:
        """Return direction and signature of each score, and the rating it stands for, if any."""
        return {score.name: self._about(score) for score in self.scores}

    def _about(self, score: Score) -> dict[str, Any]:
        paths = [path for path, table in self._tables.items() if score.column in table] or self.sources
        files = "|".join(f"file:{path.name}|sha256:{file_sha256(path)}" for path in paths)
        signature = f"{score.name}|external|{files}|higher_is_better:{score.higher_is_better}"
        further: dict[str, Any] = {"rating": score.rating} if score.rating else {}
        further |= {"unknown": True} if score.unknown else {}
        return {"higher_is_better": score.higher_is_better, "signature": signature, **further}

    @cached_property
    def _joined_by(self) -> dict[Path, tuple[list[str], bool]]:
        """By what each table was joined so far, and whether any row was."""
        return {}

    @cached_property
    def _tables(self) -> dict[Path, pd.DataFrame]:
        return {Path(name): _read(Path(name), self.columns) for name in self.columns.joined}


def _read(path: Path, columns: Columns) -> pd.DataFrame:
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {str(path)!r}")
    with named(path, columns.encoding):
        (table,) = frames(path, None, codec(columns.encoding), columns.delimiter)
        return table


def check_joined(of_rows: str, parts: Sequence[ExternalScores]) -> None:
    """Refuse a table of which no row was joined, once all rows of a file, or of its parts, have been read."""
    for path in map(Path, parts[0].columns.joined):
        tried = [part._joined_by[path] for part in parts if path in part._joined_by]
        if tried and not any(found for _, found in tried):
            keys = tried[0][0]
            mend = "" if "output" in keys else ": without that column in one of them they are joined by the output"
            raise ValueError(f"{path}: none of its rows has the same {' and '.join(keys)} as a row of {of_rows}{mend}")


def _keys_of(frame: pd.DataFrame, table: pd.DataFrame) -> list[str]:
    """Return the columns that say which row of a table belongs to which."""
    keys = ["id"] if {"id"} <= {*frame} & {*table} else [name for name in _KEYS if name in frame and name in table]
    if "id" not in keys and "output" not in keys:
        raise ValueError(f"it cannot be joined: give it a column 'id' or 'output', it has {', '.join(map(str, table))}")
    return keys


def _places(frame: pd.DataFrame, table: pd.DataFrame, keys: Sequence[str]) -> NDArray[np.intp]:
    """Return the place of the first row of a table that has the same keys, for each row; -1 where none has."""
    places: dict[tuple[str, ...], int] = {}
    for place, key in enumerate(_rows(table, keys)):
        places.setdefault(key, place)
    return np.array([places.get(key, -1) for key in _rows(frame, keys)], dtype=np.intp)


def _joined(frame: pd.DataFrame, table: pd.DataFrame, found: NDArray[np.intp], own: Set[str]) -> pd.DataFrame:
    """Return rows with the further columns of a table, from the row found for each; None where none is."""
    import pandas as pd

    further: dict[str, Any] = {}
    for name in map(str, table):
        if name in (*_KEYS, "id") or REFERENCE_COLUMN.fullmatch(name):
            continue  # the rows have these of their own
        before = frame[name] if name in frame else pd.Series([None] * len(frame), index=frame.index, dtype=object)
        values = table[name].to_numpy(dtype=object)[found] if len(table) else before
        given = pd.Series(values, index=frame.index, dtype=object).where(found >= 0)
        if name in own:
            _check_same(name, before, given)
        further[name] = before.where(_filled(before) | (found < 0), given)
    return frame.assign(**further)


def _check_same(name: str, before: pd.Series[Any], given: pd.Series[Any]) -> None:
    """Refuse two values of one score: which is meant is not to be guessed."""
    import pandas as pd

    both = _filled(before) & _filled(given) & (before.astype(str) != given.astype(str))
    numbers = pd.to_numeric(before[both], errors="coerce"), pd.to_numeric(given[both], errors="coerce")
    clash = numbers[0].index[numbers[0] != numbers[1]]
    if len(clash):
        place = clash[0]
        raise ValueError(
            f"{name} is {given[place]!r} in this table and {before[place]!r} in row {place + 1} that it is joined to: "
            "rename one of the columns"
        )


def _filled(cells: pd.Series[Any]) -> pd.Series[bool]:
    return cells.notna() & (cells.astype(str).str.strip() != "")


def _rows(frame: pd.DataFrame, keys: Sequence[str]) -> list[tuple[str, ...]]:
    columns = [[_letters(text) if name == "output" else to_nfc(str(text)) for text in frame[name]] for name in keys]
    return list(zip(*columns, strict=True))


def _letters(text: Any) -> str:
    """Return what others leave of a text however they tokenise it: its letters and digits, in lower case."""
    return re.sub(r"[\W_]+", "", to_nfc(str(text)).casefold())
