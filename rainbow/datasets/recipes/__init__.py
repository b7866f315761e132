"""Recipes: column contents of known tools' exports, one TOML file each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from rainbow.datasets.columns import FIELD_ROLES, NO_COLUMNS, Columns

KEYS = {"name": str, "source": str, "columns": list, "absent": list, "read": dict}


@dataclass(frozen=True)
class Recipe:
    """Column contents of a tool's export."""

    name: str  # the tool and its export
    source: str  # where the format is documented
    columns: tuple[str, ...]  # the fingerprint: columns that the export always has
    absent: tuple[str, ...]  # columns that it never has, which tell similar exports apart
    read: Columns  # the options that its columns stand for; columns that a table does not have are left out

    def missing(self, names: Sequence[str]) -> str | None:
        """Return the first column of the fingerprint that is not among these columns, or None."""
        return next((column for column in self.columns if not matching_names(column, names)), None)

    def fits(self, names: Sequence[str]) -> bool:
        """Return whether a table with these columns is such an export."""
        return self.missing(names) is None and not any(matching_names(column, names) for column in self.absent)

    def columns_in(self, names: Sequence[str]) -> Columns:
        """Return the column options for a table with these columns."""
        kept: dict[str, Any] = {}
        free = [name for name in names if not any(name in self.read.columns_of(field) for field in FIELD_ROLES)]
        for field, value in self.read.set_options().items():
            if field not in FIELD_ROLES:
                kept[field] = tuple(value) if isinstance(value, list) else value
                continue
            entries = value if isinstance(value, list) else [value]
            result = tuple(
                dict.fromkeys(each for entry in entries for each in _expand_entry(field, entry, names, free))
            )
            taken = {name for each in result for name in Columns.entry_columns(field, each)}
            free = [name for name in free if name not in taken]
            if isinstance(value, list) or len(result) == 1:
                kept[field] = result if isinstance(value, list) else result[0]
        return replace(NO_COLUMNS, **kept)


def read_recipe(path: Path) -> Recipe:
    """Return the recipe in a file."""
    try:
        held = tomllib.loads(path.read_text(encoding="utf-8"))
        if unknown := [key for key in held if key not in KEYS]:
            raise ValueError(f"unknown key {unknown[0]!r}; the keys are {', '.join(KEYS)}")
        if missing := [key for key in ("columns", "read") if not held.get(key)]:
            raise ValueError(f"key {missing[0]!r} is missing or empty")
        if wrong := [key for key, value in held.items() if not isinstance(value, KEYS[key])]:
            raise ValueError(f"key {wrong[0]!r} is not a {KEYS[wrong[0]].__name__}")
        if wrong := [key for key in ("columns", "absent") if not all(isinstance(c, str) for c in held.get(key, ()))]:
            raise ValueError(f"key {wrong[0]!r} is not a list of texts")
        read = Columns.from_options(**held["read"])
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    columns, absent = (tuple(held.get(key, ())) for key in ("columns", "absent"))
    return Recipe(held.get("name", str(path)), held.get("source", ""), columns, absent, read)


@cache
def known_recipes() -> tuple[Recipe, ...]:
    """Return the recipes of known tools, longest fingerprints first."""
    held = map(read_recipe, sorted(Path(__file__).parent.glob("*.toml")))
    return tuple(sorted(held, key=lambda recipe: -len(recipe.columns)))


def find_recipe(names: Sequence[str], file: str | None = None) -> Recipe | None:
    """Return the recipe in a file, else the first known recipe that fits, else None."""
    if file is None:
        return next((recipe for recipe in known_recipes() if recipe.fits(names)), None)
    recipe = read_recipe(Path(file))
    if column := recipe.missing(names):
        raise ValueError(f"recipe {file} does not fit: column {column!r} is missing")
    if column := next((column for column in recipe.absent if matching_names(column, names)), None):
        raise ValueError(f"recipe {file} does not fit: column {column!r} must be absent")
    return recipe


def span_recipe(attributes: Mapping[Any, Any]) -> Recipe | None:
    """Return the recipe of a table made from error spans, by its attributes; None for any other table."""
    if "ratings" not in attributes:
        return None
    one_each = {"output": "output", "input": "mr", "system": "system", "item": "item", "rater": "annotator"}
    read = Columns.from_options(**one_each, rating=attributes["ratings"])
    return Recipe(f"error spans of {attributes['tool']}", "", (), (), read)


def _pattern_regex(column: str) -> str:
    return ".*".join(map(re.escape, column.split("*")))


def matching_names(column: str, names: Iterable[str]) -> list[str]:
    """Return the names that a recipe's column matches."""
    return [name for name in names if re.fullmatch(_pattern_regex(column), name, re.DOTALL)]


def _expand_entry(field: str, entry: str, names: Sequence[str], free: Sequence[str]) -> Iterator[str]:
    """Yield an entry if a table has its columns; a pattern yields entries for the free columns."""
    columns = Columns.entry_columns(field, entry)
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
