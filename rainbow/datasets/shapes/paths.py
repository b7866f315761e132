"""Columns within columns: what stands under a key of objects, or the number or name of an entry of lists."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rainbow.datasets.shapes.cells import is_list, is_missing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["by_name", "column_of", "has_column", "object_of", "parted", "ticked"]

_TICKS = ("true", "false", "1", "0", "")
_SIDE = re.compile(r"winner_(?:model_|system_|response_)?(a|b|tie)")
_SIDES = {"a": 1, "b": 2, "tie": 0}
# Under which key an entry of a list says what it is of, beside its mark.
_NAMES = ("metric", "criterion", "dimension", "aspect", "from_name", "name")
_MARKS = ("score", "value", "rating", "mark")


def has_column(frame: pd.DataFrame, name: str) -> bool:
    """Return whether a table has a column, objects or lists in one with this key (``doc.question``), or choices."""
    if name in frame or ticked(frame).get(name):
        return True
    head, rest = parted(frame, name)
    return bool(rest) and any(_within(cell, rest) is not None for cell in frame[head])


def parted(frame: pd.DataFrame, name: str) -> tuple[str, str]:
    """Return the column that ``doc.question`` stands in, and the path in its cells; nothing where there is none.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame(columns=["doc", "quality.marks"])
    >>> parted(table, "doc.a.b"), parted(table, "quality.marks.0"), parted(table, "other.0")
    (('doc', 'a.b'), ('quality.marks', '0'), ('', ''))
    """
    places = [place for place, letter in enumerate(name) if letter == "."]
    return next(((name[:place], name[place + 1 :]) for place in places if name[:place] in frame), ("", ""))


def column_of(frame: pd.DataFrame, name: str) -> list[Any]:
    """Return the cells of a column, or, for ``doc.question``, what stands under this key in each object of `doc`.

    Of lists it is the number of an entry, or what it says that it is of: ``marks.0``, ``experts.0.fluency``,
    ``metrics.fluency``.

    Where ``question.1``, ``question.2``, … are true or false, it is the number of the one that is true, else None.

    Raises
    ------
    ValueError
        If there is no such column.

    Examples
    --------
    >>> import pandas as pd
    >>> column_of(pd.DataFrame({"doc": [{"question": "Where?"}, None]}), "doc.question")
    ['Where?', None]
    """
    if name in frame:
        return list(frame[name])
    if not has_column(frame, name):
        raise ValueError(f"there is no column {name!r}: there are {', '.join(map(str, frame))}")
    if choices := ticked(frame).get(name):
        rows = zip(*(map(_is_true, frame[column]) for column in choices.values()), strict=True)
        return [next((number for number, true in zip(choices, row, strict=True) if true), None) for row in rows]
    head, rest = parted(frame, name)
    return [_within(cell, rest) for cell in frame[head]]


def ticked(frame: pd.DataFrame) -> dict[str, dict[int, str]]:
    """Return columns that are the choices of one question, of which no row has two: by its name, and their number.

    Crowdsourcing platforms write a radio button so.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"Answer.good.1": ["true", "false"], "Answer.good.2": ["false", "true"]})
    >>> ticked(table), column_of(table, "Answer.good")
    ({'Answer.good': {1: 'Answer.good.1', 2: 'Answer.good.2'}}, [1, 2])
    """
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
    """Return the marks in a list of objects of which each says what its mark is of, by that; nothing for other cells.

    Examples
    --------
    >>> by_name([{"metric": "fluency", "score": 4, "reason": "good"}, {"metric": "style", "score": 2}])
    {'fluency': 4, 'style': 2}
    >>> by_name([{"fluency": 4}]), by_name([{"name": "Ann"}])
    ({}, {})
    """
    if not is_list(cell) or not len(cell) or not all(isinstance(entry, Mapping) for entry in cell):
        return {}
    for name in _NAMES:
        mark = next((mark for mark in _MARKS if all(mark in entry and name in entry for entry in cell)), None)
        found = {str(entry[name]): entry[mark] for entry in cell} if mark else {}
        if len(found) == len(cell):
            return found
    return {}


def object_of(cell: Any) -> Any:
    """Return the object that a text is the JSON of; what is no such text stays as it is.

    Examples
    --------
    >>> object_of('{"answer": "an inn"}'), object_of("{an inn}"), object_of("5"), object_of(5)
    ({'answer': 'an inn'}, '{an inn}', '5', 5)
    """
    if not isinstance(cell, str) or cell[:1] != "{":
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell
