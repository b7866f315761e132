"""Tables whose rows hold rows: a list of objects with an output each, as of several systems for one input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rainbow.datasets.shapes.cells import is_chat, is_list, is_missing
from rainbow.datasets.shapes.paths import parted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["inner_rows", "objects_in", "with_inner_rows"]


def objects_in(cell: Any) -> list[dict[str, Any]]:
    """Return the objects in a cell; of objects by name, with the name under ``system``. None where it holds others.

    Examples
    --------
    >>> objects_in([{"text": "an inn"}]), objects_in({"tgen": {"text": "inn"}}), objects_in({"text": "an inn"})
    ([{'text': 'an inn'}], [{'system': 'tgen', 'text': 'inn'}], [])
    """
    if isinstance(cell, Mapping):
        named = all(isinstance(value, Mapping) for value in cell.values())
        return [{"system": str(name), **value} for name, value in cell.items()] if named else []
    plain = is_list(cell) and not is_chat([cell]) and all(isinstance(entry, Mapping) for entry in cell)
    return [dict(entry) for entry in cell] if plain else []


def with_inner_rows(frame: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Return the table with a row for each object that one of these columns, as ``responses.text``, lies in.

    A table where none does stays as it is.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"mr": ["m"], "responses": [[{"text": "an inn"}, {"text": "inn"}]]})
    >>> with_inner_rows(table, ["responses.text"])["responses"].tolist()
    [{'text': 'an inn'}, {'text': 'inn'}]
    """
    for name in names:
        head, rest = parted(frame, name)
        key = rest.partition(".")[0]
        if name in frame or not key or key.isdecimal():
            continue
        if any(key in entry for cell in frame[head] for entry in objects_in(cell)):
            return inner_rows(frame, head)
    return frame


def inner_rows(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a row for each object in the cells of a column; the other columns say the same in each.

    A cell without one has a row without an object.

    Examples
    --------
    >>> import pandas as pd
    >>> inner_rows(pd.DataFrame({"mr": ["m", "n"], "by": [{"tgen": {"text": "inn"}}, None]}), "by").values.tolist()
    [['m', {'system': 'tgen', 'text': 'inn'}], ['n', None]]
    """
    nothing: list[Any] = [None]
    cells = [objects_in(cell) or (nothing if is_missing(cell) else [cell]) for cell in frame[column]]
    spread = frame.assign(**{column: type(frame[column])(cells, index=frame.index, dtype=object)})
    return spread.explode(column, ignore_index=True)
