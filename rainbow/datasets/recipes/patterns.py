"""Patterns in recipes: ``*`` stands for any characters, ``{}`` in a rating for the name that its columns share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rainbow.datasets.columns import NOTHING


def _regex(column: str) -> str:
    return ".*".join(map(re.escape, column.split("*")))


def matching(column: str, names: Iterable[str]) -> list[str]:
    """Return the names that a column of a recipe stands for."""
    return [name for name in names if re.fullmatch(_regex(column), name, re.DOTALL)]


def columns_of(field: str, entry: str) -> tuple[str, ...]:
    """Return the columns that an entry of a field names."""
    named: dict[str, Any] = {field: (entry,)}
    return replace(NOTHING, **named).columns_of(field)


def entries_of(field: str, entry: str, names: Sequence[str], free: Sequence[str]) -> Iterator[str]:
    """Yield an entry if a table has its columns; for a pattern, the entries that the free columns give."""
    columns = columns_of(field, entry)
    if field == "ratings" and "{}" in columns[0]:
        named = _regex(columns[0]).replace(re.escape("{}"), "([^.,=@]+)")
        groups: dict[str, list[str]] = {}
        for name in free:
            if match := re.fullmatch(named, name):
                groups.setdefault(match[1], []).append(name)
        yield from (f"{name}={','.join(found)}" for name, found in groups.items())
    elif len(columns) == 1 and "*" in columns[0]:
        yield from (entry.replace(columns[0], name) for name in matching(columns[0], free))
    elif {*columns} <= {*names}:
        yield entry
