"""Columns of objects and lists as columns of what is in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.datasets.lexicon import role_by_name, says, words_of
from rainbow.datasets.roles.column import SHORT
from rainbow.datasets.shapes.cells import has_lists, is_list, text_of
from rainbow.datasets.shapes.inner_rows import inner_rows, objects_in, with_parallel_lists
from rainbow.datasets.shapes.paths import by_name, object_of, split_marks

if TYPE_CHECKING:
    import pandas as pd

_OF_METRICS = frozenset(["score", "scores", "metric", "metrics"])  # objects by metric
_MOST_MARKS = 30  # in a cell
_CONTAINERS = ("doc", "arguments")  # objects that hold more than the input, whatever stands in them


def flat(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with a column for each key of the objects in it, and each mark of a list."""
    columns: dict[str, Sequence[Any]] = {}
    frame = with_parallel_lists(frame)
    rows = [name for name in map(str, frame) if _OF_METRICS.isdisjoint(words_of(name))]
    within = {name: kind for name in rows if (kind := _rows_of(frame[name].tolist()))}
    named = [name for name, kind in within.items() if kind == "outputs"]
    sides = [name for name in named if _are_sides(frame, name)]
    if not sides and (named or len(within) == 1):  # several columns of judgements are those of a system each
        frame = inner_rows(frame, [*named, *within][0])
    for name in map(str, frame):
        cells = split_marks(frame[name].tolist())
        objects = 2 * sum(isinstance(cell, dict) for cell in cells) > len(cells) or _are_wrapped(cells)
        whole = role_by_name(name) == "input" and name not in _CONTAINERS and not _holds_more(cells)
        nested = (objects and not whole) or name in sides or _are_marks(name, cells) or _are_named(cells)
        columns |= dict(_leaves(name, cells)) if nested else {name: cells}
    return type(frame)({name: type(frame[next(iter(frame))])(cells, dtype=object) for name, cells in columns.items()})


def _leaves(name: str, cells: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Return what stands under each key of objects, or number of lists, and of objects in them, as own columns."""
    entries = [_entries(cell) for cell in cells]
    for key in dict.fromkeys(key for entry in entries for key in entry):
        inner, within = f"{name}.{key}", [entry.get(key) for entry in entries]
        if any(isinstance(cell, dict) for cell in within) or _are_marks(inner, within) or _are_named(within):
            yield from _leaves(inner, within)
        else:
            yield inner, within


def _are_wrapped(cells: Sequence[Any]) -> bool:
    """Return whether cells are the JSON of objects with one text under one key, as ``{"answer": "an inn"}``."""
    found = [object_of(cell) for cell in cells if isinstance(cell, str) and cell]
    keys = {str(key) for cell in found if isinstance(cell, dict) for key in cell}
    whole = all(isinstance(cell, dict) for cell in found)
    return whole and len(keys) == 1 and role_by_name(*keys) in ("input", "output", "reference")


def _rows_of(cells: Sequence[Any]) -> str:
    """Return what most cells hold several objects of, rows within a row: outputs, or judgements and who judged."""
    inner = [objects_in(cell) for cell in cells if not isinstance(cell, str)]
    several = any(len(objects) > 1 for objects in inner)
    kinds = {"outputs": _is_output, "judgements": _is_judged}
    most = (kind for kind, told in kinds.items() if 2 * sum(all(map(told, o)) for o in inner if o) > len(cells))
    return next(most, "") if several else ""


def _are_sides(frame: pd.DataFrame, column: str) -> bool:
    """Return whether cells hold two outputs each, and another column says which of them was chosen, by its number."""
    if any(len(objects_in(cell)) != 2 for cell in frame[column]):
        return False
    called = [name for name in map(str, frame) if says(name, "winner")]
    return any({*map(str, frame[name])} == {"0", "1"} for name in called)


def _is_judged(entry: dict[str, Any]) -> bool:
    who = any(
        role_by_name(key) == "rater" and (not isinstance(value, dict) or "id" in value) for key, value in entry.items()
    )
    return who and any(map(_has_marks, entry.values()))


def _holds_more(cells: Sequence[Any]) -> bool:
    """Return whether objects hold an output, or nothing but one text that is the input: they are no inputs."""
    found = [cell for cell in map(object_of, cells) if isinstance(cell, dict)]
    keys = {key for cell in found for key in cell}
    return any(map(_is_output, found)) or (len(keys) == 1 and role_by_name(*keys) == "input")


def _is_output(entry: dict[str, Any]) -> bool:
    """Return whether an object has a text that is called an output, or a text beside the name of a system."""
    texts = {key for key, value in entry.items() if isinstance(text_of(value), str)}
    told = any(role_by_name(key) == "system" for key in texts)
    return any(map(_names_output, texts)) or (told and any(len(str(entry[key]).split()) > SHORT for key in texts))


def _names_output(key: str) -> bool:
    return role_by_name(key) == "output" or says(key, "human_text", "people")


def _entries(cell: Any) -> dict[str, Any]:
    cell = object_of(cell)
    if isinstance(cell, dict) and {"role", "content"} <= cell.keys():
        cell = {"content": cell["content"]}  # a message
    pairs = (
        cell.items() if isinstance(cell, dict) else by_name(cell).items() or enumerate(cell if is_list(cell) else ())
    )
    return {str(key): value for key, value in pairs}


def _are_marks(name: str, cells: Sequence[Any]) -> bool:
    """Return whether cells hold lists of numbers, or of objects with numbers: what several raters gave."""
    lists = [cell for cell in cells if is_list(cell) and len(cell)] if has_lists(cells) else []
    told = role_by_name(name) not in ("score", "meta") or "votes" in words_of(name)
    few = told and all(len(cell) <= _MOST_MARKS for cell in lists)
    ticks = role_by_name(name) == "rating"
    return 2 * len(lists) > len(cells) and few and all(_has_marks(entry, ticks) for cell in lists for entry in cell)


def _are_named(cells: Sequence[Any]) -> bool:
    """Return whether most cells hold lists of marks, each of which says what it is of."""
    return has_lists(cells) and 2 * sum(bool(by_name(cell)) for cell in cells) > len(cells)


def _has_marks(entry: Any, ticks: bool = False) -> bool:
    """Return whether this is a number, or has one in it; true and false are marks where these are `ticks`."""
    if isinstance(entry, dict):
        return any(_has_marks(value) for value in entry.values())
    return ticks if isinstance(entry, (bool, np.bool_)) else isinstance(entry, Real)
