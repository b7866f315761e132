"""Columns within columns: keys of objects, and entries of lists by number or name."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from rainbow.base.lazy import pd
from rainbow.datasets.shapes.cell_values import is_list, is_missing

_TICKS = ("true", "false", "1", "0", "")
_SIDE = re.compile(r"winner_(?:model_|system_|response_)?(a|b|tie)")
_SIDES = {"a": 1, "b": 2, "tie": 0}
# Marks of three raters or more in a cell, with one separator.
_MARKS_IN_CELL = re.compile(r"\d{1,3}(?:(?P<mark>[,;/| ]) ?\d{1,3})(?:(?P=mark) ?\d{1,3})+")
_BETWEEN_MARKS = re.compile(r"[,;/| ] ?")
# Keys under which a list entry names its subject, next to its rating.
_NAMES = ("metric", "criterion", "dimension", "aspect", "from_name", "name")
_MARKS = ("score", "value", "rating", "mark")


def has_column(frame: pd.DataFrame, name: str) -> bool:
    """Return whether a table has a column, a nested key (``doc.question``), or choices."""
    if name in frame or find_choices(frame).get(name):
        return True
    head, rest = split_path(frame, name)
    return bool(rest) and any(_nested_value(cell, rest) is not None for cell in split_ratings(frame[head].tolist()))


def split_path(frame: pd.DataFrame, name: str) -> tuple[str, str]:
    """Return the column and the inner path of ``doc.question``; empty if there is none."""
    places = [place for place, letter in enumerate(name) if letter == "."]
    return next(((name[:place], name[place + 1 :]) for place in places if name[:place] in frame), ("", ""))


def column_cells(frame: pd.DataFrame, name: str) -> list[Any]:
    """Return the cells of a column, or of a nested key such as ``doc.question``."""
    if name in frame:
        return list(frame[name])
    if not has_column(frame, name):
        raise ValueError(f"unknown column {name!r}: the columns are {', '.join(map(str, frame))}")
    if choices := find_choices(frame).get(name):
        rows = zip(*(map(_is_true, frame[column]) for column in choices.values()), strict=True)
        return [next((number for number, true in zip(choices, row, strict=True) if true), None) for row in rows]
    head, rest = split_path(frame, name)
    return [_nested_value(cell, rest) for cell in split_ratings(frame[head].tolist())]


def find_choices(frame: pd.DataFrame) -> dict[str, dict[int, str]]:
    """Return the columns of single-choice questions, by question name and choice number."""
    result: dict[str, dict[int, str]] = {}
    for column in map(str, frame):
        stem, _, number = column.rpartition(".")
        if "." in stem and number.isdecimal():
            result.setdefault(stem, {})[int(number)] = column
        elif side := _SIDE.fullmatch(column):
            result.setdefault("winner", {})[_SIDES[side[1]]] = column
    return {stem: choices for stem, choices in result.items() if len(choices) > 1 and _is_single_choice(frame, choices)}


def _is_single_choice(frame: pd.DataFrame, choices: Mapping[int, str]) -> bool:
    columns = [frame[column].tolist() for column in choices.values()]
    plain = all(is_missing(cell) or str(cell).lower() in _TICKS for cells in columns for cell in cells)
    return plain and max(map(sum, zip(*(map(_is_true, cells) for cells in columns), strict=True)), default=0) == 1


def _is_true(cell: Any) -> bool:
    return str(cell).lower() in ("true", "1")


def _nested_value(cell: Any, path: str) -> Any:
    """Return the value at a path of keys, list indices or names, e.g. ``0.fluency``."""
    cell = parse_object(cell)
    if isinstance(cell, Mapping) and path in cell:
        return cell[path]
    head, _, rest = path.partition(".")
    if is_list(cell):
        inner = cell[int(head)] if head.isdecimal() and int(head) < len(cell) else ratings_by_name(cell).get(head)
    else:
        inner = cell.get(head) if isinstance(cell, Mapping) else None
    return _nested_value(inner, rest) if rest else inner


def ratings_by_name(cell: Any) -> dict[str, Any]:
    """Return the ratings in a list of objects by criterion name; empty for other cells."""
    if not is_list(cell) or not len(cell) or not all(isinstance(entry, Mapping) for entry in cell):
        return {}
    for name in _NAMES:
        mark = next((mark for mark in _MARKS if all(mark in entry and name in entry for entry in cell)), None)
        result = {str(entry[name]): entry[mark] for entry in cell} if mark else {}
        if len(result) == len(cell):
            return result
    return {}


def split_ratings(cells: Sequence[Any]) -> Sequence[Any]:
    """Return lists of ratings if every cell has equally many, e.g. ``4,2,3``; else unchanged."""
    filled = [cell for cell in cells if not (is_missing(cell) or (isinstance(cell, str) and not cell))]
    if len(filled) < 2 or not all(isinstance(cell, str) and _MARKS_IN_CELL.fullmatch(cell.strip()) for cell in filled):
        return cells
    split = {cell: [float(mark) for mark in _BETWEEN_MARKS.split(cell.strip())] for cell in filled}
    return [split.get(cell) for cell in cells] if len({*map(len, split.values())}) == 1 else cells


def parse_object(cell: Any) -> Any:
    """Return the object that a text holds as JSON; other values unchanged."""
    if not isinstance(cell, str) or cell[:1] != "{":
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell
