"""Flattening of columns that contain objects and lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from numbers import Real
from typing import Any

import numpy as np

from rainbow.base.lazy import pd
from rainbow.datasets.lexicon import has_word_class, role_by_name, split_name
from rainbow.datasets.roles.column import SHORT
from rainbow.datasets.shapes.cell_values import TEXT_KEYS, has_lists, is_list, output_text
from rainbow.datasets.shapes.nested_cells import (
    expand_objects,
    expand_parallel_lists,
    nested_objects,
    parse_object,
    ratings_by_name,
    split_ratings,
)

_OF_METRICS = frozenset(["score", "scores", "metric", "metrics"])  # objects by metric
_MAX_MARKS = 30  # in a cell
_CONTAINERS = ("doc", "arguments")  # objects that hold more than the input, whatever their content


def flatten(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with a column for each key of its objects and each rating of a list."""
    columns: dict[str, Sequence[Any]] = {}
    frame = expand_parallel_lists(frame)
    rows = [name for name in map(str, frame) if _OF_METRICS.isdisjoint(split_name(name))]
    within = {name: kind for name in rows if (kind := _nested_kind(frame[name].tolist()))}
    named = [name for name, kind in within.items() if kind == "outputs"]
    sides = [name for name in named if _are_sides(frame, name)]
    if not sides and (named or len(within) == 1):  # several columns of judgements are those of a system each
        frame = expand_objects(frame, [*named, *within][0])
    for name in map(str, frame):
        cells = split_ratings(frame[name].tolist())
        objects = 2 * sum(isinstance(cell, dict) for cell in cells) > len(cells) or _are_wrapped(cells)
        whole = role_by_name(name) == "input" and name not in _CONTAINERS and not _contains_outputs(cells)
        nested = (objects and not whole) or name in sides or _are_marks(name, cells) or _are_named(cells)
        columns |= dict(_leaf_columns(name, cells)) if nested else {name: cells}
    return type(frame)({name: type(frame[next(iter(frame))])(cells, dtype=object) for name, cells in columns.items()})


def _leaf_columns(name: str, cells: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield a column for each key or list index of nested objects."""
    entries = [_cell_entries(cell) for cell in cells]
    for key in dict.fromkeys(key for entry in entries for key in entry):
        inner, within = f"{name}.{key}", [entry.get(key) for entry in entries]
        if any(isinstance(cell, dict) for cell in within) or _are_marks(inner, within) or _are_named(within):
            yield from _leaf_columns(inner, within)
        else:
            yield inner, within


def _are_wrapped(cells: Sequence[Any]) -> bool:
    """Return whether cells are JSON objects with one text under one key, e.g. ``{"answer": "an inn"}``."""
    results = [parse_object(cell) for cell in cells if isinstance(cell, str) and cell]
    keys = {str(key) for cell in results if isinstance(cell, dict) for key in cell}
    whole = all(isinstance(cell, dict) for cell in results)
    return whole and len(keys) == 1 and role_by_name(*keys) in ("input", "output", "reference")


def _nested_kind(cells: Sequence[Any]) -> str:
    """Return what most cells contain several objects of: outputs, judgements, or an empty string."""
    inner = [nested_objects(cell) for cell in cells if not isinstance(cell, str)]
    several = any(len(objects) > 1 for objects in inner)
    kinds = {"outputs": _is_output, "judgements": _is_judgement}
    most = (kind for kind, is_kind in kinds.items() if 2 * sum(all(map(is_kind, o)) for o in inner if o) > len(cells))
    return next(most, "") if several else ""


def _are_sides(frame: pd.DataFrame, column: str) -> bool:
    """Return whether cells hold two outputs each, and another column gives the chosen one."""
    if any(len(nested_objects(cell)) != 2 for cell in frame[column]):
        return False
    called = [name for name in map(str, frame) if has_word_class(name, "winner")]
    return any({*map(str, frame[name])} == {"0", "1"} for name in called)


def _is_judgement(entry: dict[str, Any]) -> bool:
    who = any(
        role_by_name(key) == "rater" and (not isinstance(value, dict) or "id" in value) for key, value in entry.items()
    )
    return who and any(map(_has_numbers, entry.values()))


def _contains_outputs(cells: Sequence[Any]) -> bool:
    """Return whether objects contain an output, or only one text that is the input."""
    results = [cell for cell in map(parse_object, cells) if isinstance(cell, dict)]
    keys = {key for cell in results for key in cell}
    return any(map(_is_output, results)) or (len(keys) == 1 and role_by_name(*keys) == "input")


def _is_output(entry: dict[str, Any]) -> bool:
    """Return whether an object has an output field, or a system name and a text."""
    texts = {key for key, value in entry.items() if isinstance(output_text(value), str)}
    has_system = any(role_by_name(key) == "system" for key in texts)
    has_text = any(key in TEXT_KEYS or len(str(entry[key]).split()) > SHORT for key in texts)
    named = any(role_by_name(key) == "output" or has_word_class(key, "human_text", "people") for key in texts)
    return named or (has_system and has_text)


def _cell_entries(cell: Any) -> dict[str, Any]:
    cell = parse_object(cell)
    if isinstance(cell, dict) and {"role", "content"} <= cell.keys():
        cell = {"content": cell["content"]}  # a message
    pairs = (
        cell.items()
        if isinstance(cell, dict)
        else ratings_by_name(cell).items() or enumerate(cell if is_list(cell) else ())
    )
    return {str(key): value for key, value in pairs}


def _are_marks(name: str, cells: Sequence[Any]) -> bool:
    """Return whether cells hold lists of numbers, or of objects with numbers: several raters' ratings."""
    lists = [cell for cell in cells if is_list(cell) and len(cell)] if has_lists(cells) else []
    unnamed = role_by_name(name) not in ("score", "meta") or "votes" in split_name(name)
    few = unnamed and all(len(cell) <= _MAX_MARKS for cell in lists)
    ticks = role_by_name(name) == "rating"
    return 2 * len(lists) > len(cells) and few and all(_has_numbers(entry, ticks) for cell in lists for entry in cell)


def _are_named(cells: Sequence[Any]) -> bool:
    """Return whether most cells are lists of ratings with criterion names."""
    return has_lists(cells) and 2 * sum(bool(ratings_by_name(cell)) for cell in cells) > len(cells)


def _has_numbers(entry: Any, ticks: bool = False) -> bool:
    """Return whether an entry is or contains a number; booleans count if `ticks` is true."""
    if isinstance(entry, dict):
        return any(_has_numbers(value) for value in entry.values())
    return ticks if isinstance(entry, (bool, np.bool_)) else isinstance(entry, Real)
