"""The table behind a corpus: every column filled in and every row checked."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from rainbow.base.lazy import pd
from rainbow.corpus.rows import RowError, item_name, parse_meanings, validate_references, validate_texts

# Cell texts, in lower case, that mean a missing number.
NO_VALUE = frozenset(["", "-", "--", "–", "—", "?", "na", "n/a", "n.a.", "#n/a", "<na>", "nan", "none", "null"])
NO_VALUE |= {"no answer", "keine antwort", "keine angabe", "k.a.", "k. a.", "sans réponse", "sin respuesta"}
NO_VALUE |= {"nessuna risposta", "sem resposta", "geen antwoord", "brak odpowiedzi", "not applicable"}
# A number with words, or the highest mark, behind it.
_LEADING = re.compile(r"([+-]?\d+(?:\.\d+)?)(?=\s*[-–:.=()]\s*(?:\D\S*\s*){1,6}$|\s*/\s*\d+$)")
_DATE = re.compile(r"\d+-(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)  # what Excel makes of 4-5
_WITH_COMMA = re.compile(r"([+-]?\d+),(\d{1,2})")
_STARS = frozenset("★☆⭐")
LARGEST = 1e12  # of a rating or a score
# Advice for a repeated id.
TWICE = "; if it identifies the input, not the row, use --item id"
COLUMNS = ("id", "dataset", "system", "item", "mr", "mr_type", "output", "references")


def validate_table(frame: pd.DataFrame, ratings: Sequence[str], mr_format: str | None = None) -> pd.DataFrame:
    """Return the validated table: corpus columns first, then the others, with numeric ratings."""
    if "output" not in frame:
        raise ValueError("the table has no column 'output': name the column of generated texts")
    frame = frame.reset_index(drop=True)
    given = {name: frame[name] for name in COLUMNS if name in frame}
    size = len(frame)
    columns: dict[str, Any] = {
        "id": validate_texts("id", given.get("id", list(map(str, range(1, size + 1))))),
        "output": validate_texts("output", given["output"]),
        "references": validate_references("references", given.get("references", [()] * size)),
    }
    for name in ("dataset", "system", "mr"):
        columns[name] = validate_texts(name, _fill_missing(given[name])) if name in given else [""] * size
    rows = zip(columns["mr"], columns["references"], columns["id"], strict=True)
    columns["item"] = validate_texts("item", given["item"] if "item" in given else [item_name(*row) for row in rows])
    meanings = [] if "mr_type" in given else parse_meanings(columns["mr"], mr_format)
    columns["mr_type"] = validate_texts("mr_type", given.get("mr_type", [one.act if one else "" for one in meanings]))
    _check_unique(columns["id"])
    raters = [name for rating in ratings for name in rater_columns(frame, rating) if frame[name].dtype == object]
    others = {name: frame[name] for name in frame if name not in COLUMNS} | numeric_columns(frame, [*ratings, *raters])
    # Objects, because pandas' string type would turn None into NaN.
    return type(frame)({name: pd.Series(columns[name], dtype=object) for name in COLUMNS} | others)


def _fill_missing(values: pd.Series[Any]) -> list[Any]:
    """Return the values with missing ones replaced by the empty string."""
    return ["" if missing else value for value, missing in zip(values, values.isna(), strict=True)]


def _check_unique(ids: Sequence[str]) -> None:
    first: dict[str, int] = {}
    for row, identity in enumerate(ids, start=1):
        if identity in first:
            raise RowError(row, f"id: {identity!r} is already used in row {first[identity]}{TWICE}")
        first[identity] = row


def numeric_columns(frame: pd.DataFrame, names: Sequence[str], kind: str = "rating") -> dict[str, list[float]]:
    """Return columns as numbers; empty cells and :data:`NO_VALUE` become NaN."""
    if missing := [name for name in names if name not in frame]:
        others = ", ".join(str(name) for name in frame if name not in COLUMNS) or "none"
        raise ValueError(f"unknown {kind} column {missing[0]!r}: other columns are {others}; choose one with --{kind}")
    return {
        name: [_require_number(row, name, value) for row, value in enumerate(frame[name], start=1)] for name in names
    }


def rater_columns(frame: pd.DataFrame, rating: str) -> list[str]:
    """Return the columns of single raters, quality_1, quality_2, ..., in order."""
    numbered = {column: re.fullmatch(re.escape(rating) + r"_(\d+)", str(column)) for column in frame.columns}
    results = [(int(match[1]), str(column)) for column, match in numbered.items() if match]
    return [column for _, column in sorted(results)]


def parse_number(text: str) -> float | None:
    """Return the number in a text; NaN for a missing value, None if it is not a number."""
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
        match = None if _DATE.match(text) else _LEADING.match(text)
        return float(match[1]) if match else None


def cell_number(value: Any) -> float | None:
    """Return the number in a cell; NaN if empty, None if it is not a number or too large."""
    if value is None:
        return math.nan
    try:
        number = parse_number(value) if isinstance(value, str) else float(value)
    except (TypeError, ValueError):
        return None
    return None if number is None or abs(number) > LARGEST else number


def _require_number(row: int, name: str, value: Any) -> float:
    number = cell_number(value)
    if number is None:
        point = ": use a decimal point" if re.fullmatch(r"\s*[+-]?\d+,\d+\s*", str(value)) else ""
        raise RowError(row, f"{name}: {value!r:.60} is not a number{point}")
    return number
