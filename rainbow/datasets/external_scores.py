"""External scores in a user's columns."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rainbow.base.fingerprint import file_sha256
from rainbow.base.lazy import pd
from rainbow.base.storage import Place
from rainbow.corpus import numeric_columns
from rainbow.corpus.rows import to_nfc
from rainbow.datasets.columns import REFERENCE_COLUMN, Columns, Score
from rainbow.datasets.read.encoding import codec_name, name_file_in_errors
from rainbow.datasets.read.table_frames import read_frames
from rainbow.datasets.shapes.invalid_cells import clear_invalid_numbers
from rainbow.datasets.shapes.rating_values import parse_ratings

# Join columns if there is no id: all of these that a table has, including the output.
_KEYS = ("dataset", "system", "item", "mr", "output")


@dataclass(frozen=True)
class ExternalScores:
    """Columns of external scores, and the files that contain them."""

    columns: Columns
    sources: tuple[Place, ...] = ()

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        """The external scores that the options name."""
        return tuple(map(Score.parse, self.columns.scores))

    def join_scores(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return rows with the joined tables' columns, and scores as numbers or NaN."""
        names = {score.column: score.name for score in self.scores}
        own = {*names, *self.columns.rating_names} & {*map(str, frame)}
        for path, table in self._tables.items():
            with name_file_in_errors(path):
                keys = _join_keys(frame, table)
                matches = _match_rows(frame, table, keys)
                frame = _join_columns(frame, table, matches, own)
            if len(matches):
                matched = self._join_status.get(path, ([], False))[1] or bool((matches >= 0).any())
                self._join_status[path] = keys, matched
        frame = frame.rename(columns=names)
        if not names:
            return frame
        marks = [name for name in (*names.values(), *self.columns.rating_names) if name in frame]
        frame = clear_invalid_numbers(self._read_labels(frame), marks, file="the joined table")
        return frame.assign(**numeric_columns(frame, [*names.values()], "score"))

    def _read_labels(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the rows with words of ratings, and of scores that predict one, as numbers by the declared scale."""
        scale, decimal = self.columns.scale, self.columns.decimal
        worded = {name for score in self.scores if score.rating for name in (score.column, score.name, score.rating)}
        return frame.assign(**{name: parse_ratings(frame[name], scale, decimal) for name in worded & {*frame}})

    def metadata(self) -> dict[str, dict[str, Any]]:
        """Return the direction and signature of each score, and the rating it predicts, if any."""
        return {score.name: self._describe_score(score) for score in self.scores}

    def _describe_score(self, score: Score) -> dict[str, Any]:
        paths = [path for path, table in self._tables.items() if score.column in table] or self.sources
        files = "|".join(f"file:{path.name}|sha256:{file_sha256(path)}" for path in paths)
        signature = f"{score.name}|external|{files}|higher_is_better:{score.higher_is_better}"
        further: dict[str, Any] = {"rating": score.rating} if score.rating else {}
        further |= {"unknown": True} if score.unknown else {}
        further |= next(({"model": model} for path in paths if (model := _judge_model(path, score.column))), {})
        return {"higher_is_better": score.higher_is_better, "signature": signature, **further}

    @cached_property
    def _join_status(self) -> dict[Path, tuple[list[str], bool]]:
        """Join keys of each table so far, and whether any row matched."""
        return {}

    @cached_property
    def _tables(self) -> dict[Path, pd.DataFrame]:
        return {Path(name): _read_table(Path(name), self.columns) for name in self.columns.joined}


def _judge_model(path: Place, column: str) -> str | None:
    """Return the language model that `rainbow judge` asked for a column of its table; None for other tables."""
    try:
        about = json.loads(path.with_suffix(".json").read_bytes())["columns"][column]
        return str(about["model"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _read_table(path: Path, columns: Columns) -> pd.DataFrame:
    if not path.is_file():
        raise FileNotFoundError(f"no such file: {str(path)!r}")
    with name_file_in_errors(path, columns.encoding):
        (table,) = read_frames(path, None, codec_name(columns.encoding), columns.delimiter)
        return table


def check_joined_tables(of_rows: str, parts: Sequence[ExternalScores]) -> None:
    """Raise ValueError if a joined table matched no row, once all rows have been read."""
    for path in map(Path, parts[0].columns.joined):
        tried = [part._join_status[path] for part in parts if path in part._join_status]
        if tried and not any(result for _, result in tried):
            keys = tried[0][0]
            mend = "" if "output" in keys else ": remove that column from one of the tables to join by output"
            raise ValueError(f"{path}: none of its rows has the same {' and '.join(keys)} as a row of {of_rows}{mend}")


def _join_keys(frame: pd.DataFrame, table: pd.DataFrame) -> list[str]:
    """Return the columns that match rows of the two tables."""
    keys = ["id"] if {"id"} <= {*frame} & {*table} else [name for name in _KEYS if name in frame and name in table]
    if "id" not in keys and "output" not in keys:
        raise ValueError(
            f"it cannot be joined: add a column 'id' or 'output'; the columns are {', '.join(map(str, table))}"
        )
    return keys


def _match_rows(frame: pd.DataFrame, table: pd.DataFrame, keys: Sequence[str]) -> NDArray[np.intp]:
    """Return the first row of the table with equal keys, for each row; -1 if none."""
    places: dict[tuple[str, ...], int] = {}
    for place, key in enumerate(_row_keys(table, keys)):
        places.setdefault(key, place)
    return np.array([places.get(key, -1) for key in _row_keys(frame, keys)], dtype=np.intp)


def _join_columns(frame: pd.DataFrame, table: pd.DataFrame, matches: NDArray[np.intp], own: Set[str]) -> pd.DataFrame:
    """Return rows with the further columns of the matched table rows; None without a match."""
    further: dict[str, Any] = {}
    for name in map(str, table):
        if name in (*_KEYS, "id") or REFERENCE_COLUMN.fullmatch(name):
            continue  # the rows have these of their own
        before = frame[name] if name in frame else pd.Series([None] * len(frame), index=frame.index, dtype=object)
        values = table[name].to_numpy(dtype=object)[matches] if len(table) else before
        given = pd.Series(values, index=frame.index, dtype=object).where(matches >= 0)
        if name in own:
            _check_conflicts(name, before, given)
        further[name] = before.where(_is_filled(before) | (matches < 0), given)
    return frame.assign(**further)


def _check_conflicts(name: str, before: pd.Series[Any], given: pd.Series[Any]) -> None:
    """Raise ValueError if a score has two different values for a row."""
    both = _is_filled(before) & _is_filled(given) & (before.astype(str) != given.astype(str))
    numbers = pd.to_numeric(before[both], errors="coerce"), pd.to_numeric(given[both], errors="coerce")
    clash = numbers[0].index[numbers[0] != numbers[1]]
    if len(clash):
        place = clash[0]
        raise ValueError(
            f"{name} is {given[place]!r} in this table, but {before[place]!r} in row {place + 1}, which it is "
            "joined to: rename one of the columns"
        )


def _is_filled(cells: pd.Series[Any]) -> pd.Series[bool]:
    return cells.notna() & (cells.astype(str).str.strip() != "")


def _row_keys(frame: pd.DataFrame, keys: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the cells to match; of outputs the letters and digits in lower case, independent of tokenisation."""
    columns = {name: [to_nfc(str(text)) for text in frame[name]] for name in keys}
    if "output" in columns:
        columns["output"] = [re.sub(r"[\W_]+", "", text.casefold()) for text in columns["output"]]
    return list(zip(*columns.values(), strict=True))
