"""Columns within columns: what stands under a key of objects, or the number or name of an entry of lists."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rainbow.datasets.shapes.cells import is_list, is_missing

if TYPE_CHECKING:
    import pandas as pd


_TICKS = ("true", "false", "1", "0", "")
_SIDE = re.compile(r"winner_(?:model_|system_|response_)?(a|b|tie)")
_SIDES = {"a": 1, "b": 2, "tie": 0}
# Marks of three raters or more in a cell, with one separator.
_MARKS_IN_CELL = re.compile(r"\d{1,3}(?:(?P<mark>[,;/| ]) ?\d{1,3})(?:(?P=mark) ?\d{1,3})+")
_BETWEEN_MARKS = re.compile(r"[,;/| ] ?")
# Under which key an entry of a list says what it is of, beside its mark.
_NAMES = ("metric", "criterion", "dimension", "aspect", "from_name", "name")
_MARKS = ("score", "value", "rating", "mark")


def has_column(frame: pd.DataFrame, name: str) -> bool:
    """Return whether a table has a column, objects or lists in one with this key (``doc.question``), or choices."""
    if name in frame or ticked(frame).get(name):
        return True
    head, rest = parted(frame, name)
    return bool(rest) and any(_within(cell, rest) is not None for cell in split_marks(frame[head].tolist()))


def parted(frame: pd.DataFrame, name: str) -> tuple[str, str]:
    """Return the column that ``doc.question`` stands in, and the path in its cells; nothing where there is none."""
    places = [place for place, letter in enumerate(name) if letter == "."]
    return next(((name[:place], name[place + 1 :]) for place in places if name[:place] in frame), ("", ""))


def column_of(frame: pd.DataFrame, name: str) -> list[Any]:
    """Return the cells of a column, or, for ``doc.question``, what stands under this key in each object of `doc`."""
    if name in frame:
        return list(frame[name])
    if not has_column(frame, name):
        raise ValueError(f"there is no column {name!r}: there are {', '.join(map(str, frame))}")
    if choices := ticked(frame).get(name):
        rows = zip(*(map(_is_true, frame[column]) for column in choices.values()), strict=True)
        return [next((number for number, true in zip(choices, row, strict=True) if true), None) for row in rows]
    head, rest = parted(frame, name)
    return [_within(cell, rest) for cell in split_marks(frame[head].tolist())]


def ticked(frame: pd.DataFrame) -> dict[str, dict[int, str]]:
    """Return columns that are the choices of one question, of which no row has two: by its name, and their number."""
    found: dict[str, dict[int, str]] = {}
    for column in map(str, frame):
        stem, _, number = column.rpartition(".")
        if "." in stem and number.isdecimal():
            found.setdefault(stem, {})[int(number)] = column
        elif side := _SIDE.fullmatch(column):
            found.setdefault("winner", {})[_SIDES[side[1]]] = column
    return {stem: choices for stem, choices in found.items() if len(choices) > 1 and _one_of(frame, choices)}


def _one_of(frame: pd.DataFrame, choices: Mapping[int, str]) -> bool:
    columns = [frame[column].tolist() for column in choices.values()]
    plain = all(is_missing(cell) or str(cell).lower() in _TICKS for cells in columns for cell in cells)
    return plain and max(map(sum, zip(*(map(_is_true, cells) for cells in columns), strict=True)), default=0) == 1


def _is_true(cell: Any) -> bool:
    return str(cell).lower() in ("true", "1")


def _within(cell: Any, path: str) -> Any:
    """Return what stands under a key, or the number or name of an entry, and under those in it: ``0.fluency``."""
    cell = object_of(cell)
    if isinstance(cell, Mapping) and path in cell:
        return cell[path]
    head, _, rest = path.partition(".")
    if is_list(cell):
        inner = cell[int(head)] if head.isdecimal() and int(head) < len(cell) else by_name(cell).get(head)
    else:
        inner = cell.get(head) if isinstance(cell, Mapping) else None
    return _within(inner, rest) if rest else inner


def by_name(cell: Any) -> dict[str, Any]:
    """Return the marks in a list of objects by the criterion that each object names; empty for other cells."""
    if not is_list(cell) or not len(cell) or not all(isinstance(entry, Mapping) for entry in cell):
        return {}
    for name in _NAMES:
        mark = next((mark for mark in _MARKS if all(mark in entry and name in entry for entry in cell)), None)
        found = {str(entry[name]): entry[mark] for entry in cell} if mark else {}
        if len(found) == len(cell):
            return found
    return {}


def split_marks(cells: Sequence[Any]) -> Sequence[Any]:
    """Return lists of marks where every filled cell holds as many, as ``4,2,3`` does; other cells as they are."""
    filled = [cell for cell in cells if not (is_missing(cell) or (isinstance(cell, str) and not cell))]
    if len(filled) < 2 or not all(isinstance(cell, str) and _MARKS_IN_CELL.fullmatch(cell.strip()) for cell in filled):
        return cells
    split = {cell: [float(mark) for mark in _BETWEEN_MARKS.split(cell.strip())] for cell in filled}
    return [split.get(cell) for cell in cells] if len({*map(len, split.values())}) == 1 else cells


def object_of(cell: Any) -> Any:
    """Return the object that a text is the JSON of; what is no such text stays as it is."""
    if not isinstance(cell, str) or cell[:1] != "{":
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell
