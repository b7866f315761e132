"""Tables whose rows hold rows: a list of objects with an output each, as of several systems for one input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any

from rainbow.datasets.lexicon import says
from rainbow.datasets.shapes.cells import is_chat, is_list, is_missing
from rainbow.datasets.shapes.paths import parted

if TYPE_CHECKING:
    import pandas as pd


def objects_in(cell: Any) -> list[dict[str, Any]]:
    """Return the objects in a cell; of objects by name, with the name under ``system``. None where it holds others."""
    if isinstance(cell, Mapping):
        named = all(isinstance(value, Mapping) for value in cell.values())
        return [{"system": str(name), **value} for name, value in cell.items()] if named else []
    plain = is_list(cell) and not is_chat([cell]) and all(isinstance(entry, Mapping) for entry in cell)
    return [dict(entry) for entry in cell] if plain else []


def with_inner_rows(frame: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Return the table with a row for each object that one of these columns, as ``responses.text``, lies in."""
    for name in names:
        head, rest = parted(frame, name)
        key = rest.partition(".")[0]
        if name in frame or not key or key.isdecimal():
            continue
        if any(key in entry for cell in frame[head] for entry in objects_in(cell)):
            return inner_rows(frame, head)
    return frame


def inner_rows(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a row for each object in the cells of a column; the other columns say the same in each."""
    nothing: list[Any] = [None]
    cells = [objects_in(cell) or (nothing if is_missing(cell) else [cell]) for cell in frame[column]]
    spread = frame.assign(**{column: type(frame[column])(cells, index=frame.index, dtype=object)})
    return spread.explode(column, ignore_index=True)


def with_parallel_lists(frame: pd.DataFrame, names: Iterable[str] = ()) -> pd.DataFrame:
    """Return the table with a row for each entry of lists that belong together: texts, and marks of each."""
    lists = parallel_lists(frame)
    if not lists or not {*names} <= {*lists}:
        return frame
    exploded = frame.explode(list(lists), ignore_index=True)
    if "system" in frame:
        return exploded
    places = [str(place + 1) for cell in frame[lists[0]] for place in range(max(len(cell), 1) if is_list(cell) else 1)]
    return exploded.assign(system=places)


def parallel_lists(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the columns of lists that are as long as each other in every row: texts, and marks of each; or none."""
    lengths = {name: _lengths(frame[name].tolist()) for name in map(str, frame)}
    told = [name for name in lengths if says(name, "output", "made", "human_text") and not says(name, "reference")]
    texts = [name for name in told if lengths[name] and _entries(frame, name, _is_text)]
    for first in texts:
        alike = tuple(name for name, own in lengths.items() if own == lengths[first])
        if any(_entries(frame, name, _has_marks) for name in alike):
            return alike
    return ()


def _lengths(cells: list[Any]) -> list[int]:
    """Return the length of each list; nothing where a cell holds none, or no list has two entries."""
    if not all(is_list(cell) for cell in cells):
        return []
    lengths = [len(cell) for cell in cells]
    return lengths if max(lengths, default=0) > 1 else []


def _entries(frame: pd.DataFrame, name: str, fits: Callable[[Any], bool]) -> bool:
    return all(fits(entry) for cell in frame[name] for entry in cell)


def _is_text(entry: Any) -> bool:
    return isinstance(entry, str) and " " in entry.strip()


def _has_marks(entry: Any) -> bool:
    return isinstance(entry, Real) or (is_list(entry) and all(isinstance(mark, Real) for mark in entry))
