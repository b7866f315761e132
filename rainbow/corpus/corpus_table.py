"""The table behind a corpus: every column filled in, and every row checked."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rainbow.corpus.rows import RowError, item_name, parsed_meanings, reference_sets, texts_of

if TYPE_CHECKING:
    import pandas as pd

# What a cell says, in lower case, where there is no number.
NO_VALUE = frozenset(["", "-", "--", "–", "—", "?", "na", "n/a", "n.a.", "#n/a", "<na>", "nan", "none", "null"])
NO_VALUE |= {"no answer", "keine antwort", "keine angabe", "k.a.", "k. a.", "sans réponse", "sin respuesta"}
NO_VALUE |= {"nessuna risposta", "sem resposta", "geen antwoord", "brak odpowiedzi", "not applicable"}
# A number with words, or the highest mark, behind it.
_LEADING = re.compile(r"([+-]?\d+(?:\.\d+)?)(?=\s*[-–:.=()]\s*(?:\D\S*\s*){1,6}$|\s*/\s*\d+$)")
_DATE = re.compile(r"\d+-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)  # what Excel makes of 4-5
_WITH_COMMA = re.compile(r"([+-]?\d+),(\d{1,2})")
_STARS = frozenset("★☆⭐")
LARGEST = 1e12  # of a rating or a score
# What to do where an id stands twice.
TWICE = ": where it names the input, not the row, say --item id"
COLUMNS = ("id", "dataset", "system", "item", "mr", "mr_type", "output", "references")


def checked_table(frame: pd.DataFrame, ratings: Sequence[str], mr_format: str | None = None) -> pd.DataFrame:
    """Return the table with every column of a corpus, in their order, then the others, ratings as numbers; all
    checked.
    """
    if "output" not in frame:
        raise ValueError("the table has no column 'output': say which column holds the generated texts")
    frame = frame.reset_index(drop=True)
    given = {name: frame[name] for name in COLUMNS if name in frame}
    size = len(frame)
    columns: dict[str, Any] = {
        "id": texts_of("id", given.get("id", list(map(str, range(1, size + 1))))),
        "output": texts_of("output", given["output"]),
        "references": reference_sets("references", given.get("references", [()] * size)),
    }
    for name in ("dataset", "system", "mr"):
        columns[name] = texts_of(name, _filled(given[name])) if name in given else [""] * size
    columns["item"] = texts_of("item", given["item"] if "item" in given else _items(columns))
    columns["mr_type"] = texts_of("mr_type", given["mr_type"] if "mr_type" in given else _acts(columns, mr_format))
    _check_unique(columns["id"])
    raters = [name for rating in ratings for name in rater_columns(frame, rating) if frame[name].dtype == object]
    others = {name: frame[name] for name in frame if name not in COLUMNS} | numbers_in(frame, [*ratings, *raters])
    return type(frame)({name: _objects(columns[name]) for name in COLUMNS} | others)


def _filled(values: pd.Series[Any]) -> list[Any]:
    """Return the values with the empty string where there is none."""
    return ["" if missing else value for value, missing in zip(values, values.isna(), strict=True)]


def _items(columns: Mapping[str, Any]) -> list[str]:
    rows = zip(columns["mr"], columns["references"], columns["id"], strict=True)
    return [item_name(mr, references, identity) for mr, references, identity in rows]


def _acts(columns: Mapping[str, Any], mr_format: str | None) -> list[str]:
    return [meaning.act if meaning else "" for meaning in parsed_meanings(columns["mr"], mr_format)]


def _objects(values: Sequence[Any]) -> pd.Series[Any]:
    """Return a column of Python objects: pandas' own string type would turn None into a float."""
    import pandas as pd

    return pd.Series(values, dtype=object)


def _check_unique(ids: Sequence[str]) -> None:
    first: dict[str, int] = {}
    for row, identity in enumerate(ids, start=1):
        if identity in first:
            raise RowError(row, f"id: {identity!r} already stands in row {first[identity]}{TWICE}")
        first[identity] = row


def numbers_in(frame: pd.DataFrame, names: Sequence[str], kind: str = "rating") -> dict[str, list[float]]:
    """Return these columns as numbers, NaN where a cell is empty or holds one of :data:`NO_VALUE`."""
    if missing := [name for name in names if name not in frame]:
        raise ValueError(
            f"there is no {kind} column {missing[0]!r}: the table has {', '.join(map(str, frame.columns))}: name one "
            f"of them, --{kind}"
        )
    return {name: [_number(row, name, value) for row, value in enumerate(frame[name], start=1)] for name in names}


def rater_columns(frame: pd.DataFrame, rating: str) -> list[str]:
    """Return the columns that hold the single ratings behind a rating: quality_1, quality_2, ... in order."""
    numbered = {column: re.fullmatch(re.escape(rating) + r"_(\d+)", str(column)) for column in frame.columns}
    found = [(int(match[1]), str(column)) for column, match in numbered.items() if match]
    return [column for _, column in sorted(found)]


def written_number(text: str) -> float | None:
    """Return the number that a text stands for, NaN where it says that there is none; None where it is no number."""
    text = text.strip()
    if text.lower() in NO_VALUE:
        return math.nan
    if {*text} <= _STARS:
        return float(sum(mark != "☆" for mark in text))
    try:
        return float(text.removesuffix("%"))
    except ValueError:
        if comma := _WITH_COMMA.fullmatch(text):
            return float(f"{comma[1]}.{comma[2]}")
        found = None if _DATE.match(text) else _LEADING.match(text)
        return float(found[1]) if found else None


def number_of(value: Any) -> float | None:
    """Return the number in a cell, NaN where there is none; None where it is no number, or beyond all scales."""
    if value is None:
        return math.nan
    try:
        number = written_number(value) if isinstance(value, str) else float(value)
    except (TypeError, ValueError):
        return None
    return None if number is None or abs(number) > LARGEST else number


def _number(row: int, name: str, value: Any) -> float:
    number = number_of(value)
    if number is None:
        point = ": write it with a point" if re.fullmatch(r"\s*[+-]?\d+,\d+\s*", str(value)) else ""
        raise RowError(row, f"{name}: {value!r:.60} is no number{point}")
    return number
