"""Patterns in recipes: ``*`` matches anything, ``{}`` a shared rating name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rainbow.datasets.columns import NO_COLUMNS


def _pattern_regex(column: str) -> str:
    return ".*".join(map(re.escape, column.split("*")))


def matching_names(column: str, names: Iterable[str]) -> list[str]:
    """Return the names that a recipe's column matches."""
    return [name for name in names if re.fullmatch(_pattern_regex(column), name, re.DOTALL)]


def entry_columns(field: str, entry: str) -> tuple[str, ...]:
    """Return the columns that an entry of a field names."""
    named: dict[str, Any] = {field: (entry,)}
    return replace(NO_COLUMNS, **named).columns_of(field)


def expand_entry(field: str, entry: str, names: Sequence[str], free: Sequence[str]) -> Iterator[str]:
    """Yield an entry if a table has its columns; a pattern yields entries for the free columns."""
    columns = entry_columns(field, entry)
    if field == "ratings" and "{}" in columns[0]:
        named = _pattern_regex(columns[0]).replace(re.escape("{}"), "([^.,=@]+)")
        groups: dict[str, list[str]] = {}
        for name in free:
            if match := re.fullmatch(named, name):
                groups.setdefault(match[1], []).append(name)
        yield from (f"{name}={','.join(columns_of_group)}" for name, columns_of_group in groups.items())
    elif len(columns) == 1 and "*" in columns[0]:
        yield from (entry.replace(columns[0], name) for name in matching_names(columns[0], free))
    elif {*columns} <= {*names}:
        yield entry
