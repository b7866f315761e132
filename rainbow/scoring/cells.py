"""The parts of a table of scores that are looked at one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["POOLED", "By", "cells"]

By = Literal["dataset-system", "dataset", "system", "all"]

# What a key says in place of a name where all data sets, or all systems, stand together.
POOLED = "all"

_KEYS: dict[str, list[str]] = {
    "dataset-system": ["dataset", "system"],
    "dataset": ["dataset"],
    "system": ["system"],
    "all": [],
}


def cells(frame: pd.DataFrame, by: By) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Return the parts of a table in the order in which they first occur, each with the key that names it.

    Parameters
    ----------
    frame
        A row per output, with columns `dataset` and `system`.
    by
        ``dataset-system`` (a part for each system on each data set), ``dataset``, ``system`` or ``all`` (one part).

    Yields
    ------
    tuple
        A key with `dataset` and `system`, ``"all"`` where they are pooled, and the rows of the part.

    Raises
    ------
    ValueError
        If `by` is none of these, or a column that it needs is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"dataset": ["inns", "inns", "cafes"], "system": ["A", "B", "A"]})
    >>> [(key, len(part)) for key, part in cells(frame, "system")]
    [({'dataset': 'all', 'system': 'A'}, 2), ({'dataset': 'all', 'system': 'B'}, 1)]
    """
    if by not in _KEYS:
        raise ValueError(f"there are no parts by {by!r}: choose from {', '.join(get_args(By))}")
    names = _KEYS[by]
    if missing := [name for name in names if name not in frame]:
        raise ValueError(f"the table has no column {missing[0]!r}: it is needed for parts by {by}")
    return _parts(frame, names)


def _parts(frame: pd.DataFrame, names: list[str]) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    key = {"dataset": POOLED, "system": POOLED}
    if not names:
        yield key, frame
        return
    for values, part in frame.groupby(names, sort=False, observed=True):
        yield key | dict(zip(names, map(str, values), strict=True)), part
