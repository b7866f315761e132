"""Objects and lists in cells: columns by key, index or name, and rows with an output each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

from rainbow.base.lazy import pd
from rainbow.datasets.lexicon import has_word_class
from rainbow.datasets.shapes.cell_values import are_chats, is_list, is_missing

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


def nested_objects(cell: Any) -> list[dict[str, Any]]:
    """Return the objects in a cell, with names of named objects as ``system``; None otherwise."""
    if isinstance(cell, Mapping):
        named = all(isinstance(value, Mapping) for value in cell.values())
        return [{"system": str(name), **value} for name, value in cell.items()] if named else []
    plain = is_list(cell) and not are_chats([cell]) and all(isinstance(entry, Mapping) for entry in cell)
    return [dict(entry) for entry in cell] if plain else []


def expand_nested_rows(frame: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Expand the nested objects of a column such as ``responses.text``, one row each."""
    for name in names:
        head, rest = split_path(frame, name)
        key = rest.partition(".")[0]
        if name in frame or not key or key.isdecimal():
            continue
        if any(key in entry for cell in frame[head] for entry in nested_objects(cell)):
            return expand_objects(frame, head)
    return frame


def expand_objects(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a row for each object in a column, repeating the other columns."""
    nothing: list[Any] = [None]
    cells = [nested_objects(cell) or (nothing if is_missing(cell) else [cell]) for cell in frame[column]]
    spread = frame.assign(**{column: type(frame[column])(cells, index=frame.index, dtype=object)})
    return spread.explode(column, ignore_index=True)


def expand_parallel_lists(frame: pd.DataFrame, names: Iterable[str] = ()) -> pd.DataFrame:
    """Return the table with a row per entry of parallel lists: texts and their ratings."""
    lists = find_parallel_lists(frame)
    if not lists or not {*names} <= {*lists}:
        return frame
    exploded = frame.explode(list(lists), ignore_index=True)
    if "system" in frame:
        return exploded
    places = [str(place + 1) for cell in frame[lists[0]] for place in range(max(len(cell), 1) if is_list(cell) else 1)]
    return exploded.assign(system=places)


def find_parallel_lists(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the columns of texts and ratings with equally long lists in every row, or none."""
    lengths = {name: _list_lengths(frame[name].tolist()) for name in map(str, frame)}
    outputs = [name for name in lengths if has_word_class(name, "output", "made", "human_text") and lengths[name]]
    named = [name for name in outputs if not has_word_class(name, "reference")]
    texts = [name for name in named if _entries_fit(frame, name, _is_text_entry)]
    for first in texts:
        alike = tuple(name for name, own in lengths.items() if own == lengths[first])
        if any(_entries_fit(frame, name, _has_rating) for name in alike):
            return alike
    return ()


def _list_lengths(cells: list[Any]) -> list[int]:
    """Return the length of each list; empty if a cell has no list, or all have one entry."""
    if not all(is_list(cell) for cell in cells):
        return []
    lengths = [len(cell) for cell in cells]
    return lengths if max(lengths, default=0) > 1 else []


def _entries_fit(frame: pd.DataFrame, name: str, fits: Callable[[Any], bool]) -> bool:
    return all(fits(entry) for cell in frame[name] for entry in cell)


def _is_text_entry(entry: Any) -> bool:
    return isinstance(entry, str) and " " in entry.strip()


def _has_rating(entry: Any) -> bool:
    return isinstance(entry, Real) or (is_list(entry) and all(isinstance(mark, Real) for mark in entry))
