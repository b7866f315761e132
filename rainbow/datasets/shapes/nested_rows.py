"""Tables with nested rows: lists of objects with an output each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any

from rainbow.base.lazy import pd
from rainbow.datasets.lexicon import has_word_class
from rainbow.datasets.shapes.cell_values import are_chats, is_list, is_missing
from rainbow.datasets.shapes.nested_columns import split_path


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
    parallel = [
        name
        for name in lengths
        if has_word_class(name, "output", "made", "human_text") and not has_word_class(name, "reference")
    ]
    texts = [name for name in parallel if lengths[name] and _entries_fit(frame, name, _is_text_entry)]
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
