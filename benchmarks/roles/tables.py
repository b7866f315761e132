"""Labelled tables, and what the network learns from them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.roles.training import Example
from rainbow.datasets.roles.assignment import (
    CHOICES,
    COMPARISONS,
    KINDS,
    MARKS,
    NO_OUTPUTS,
    OUTPUTS,
    RANKS,
    ROLES,
    SYSTEMS,
)
from rainbow.datasets.roles.column import Column, make_column
from rainbow.datasets.roles.column_detection import table_features
from rainbow.datasets.roles.flattening import flatten

FOLDER = Path(__file__).parents[2] / "tests" / "datasets" / "labelled"


@dataclass(frozen=True)
class Table:
    """A table: cells by column, accepted roles by column or path (``rating|unused``), and why it must be refused."""

    name: str
    source: str
    columns: dict[str, list[Any]]
    roles: dict[str, str]
    raters_of: dict[str, list[str]] = field(default_factory=dict)
    refuse: str = ""

    @property
    def frame(self) -> pd.DataFrame:
        """Return the table as pandas holds it."""
        return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in self.columns.items()})

    @property
    def rows(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self.columns.values()), []))

    def role(self, name: str) -> str:
        """Return the first accepted role of a column."""
        return self.roles.get(name, "unused").partition("|")[0]

    def accepted(self, name: str) -> tuple[str, ...]:
        """Return the accepted roles of a column of the flat table."""
        if name in self.roles:
            return tuple(self.roles[name].split("|"))
        parts = [part for part in name.split(".") if not part.isdecimal()]
        if role := self.roles.get(".".join(parts)):
            return tuple(role.split("|"))
        for size in range(len(parts) - 1, 0, -1):
            if role := self.roles.get(".".join(parts[:size])):
                plain = role.partition("|")[0] in ("rating", "score", "reference", "unused")
                return tuple(role.split("|")) if plain else (*role.split("|"), "unused")
        top = name.partition(".")[0]
        inner = [role for path, role in self.roles.items() if path.startswith(f"{top}.")]
        named = tuple(dict.fromkeys(part for role in inner for part in role.split("|")))  # entries that name their mark
        return named or (("system", "unused") if name in ("system", "#") else ("unused",))

    @property
    def group(self) -> str:
        """What stays on one side when tables are left out: the repository, the test, or the table."""
        source = self.source.partition(":")[0]
        return f"{source} {self.name.partition('~')[0].partition('[')[0]}" if "/" not in source else source

    def flat(self) -> list[Column]:
        """Return the columns of the flat table."""
        frame = flatten(self.frame)
        return [make_column(name, frame[name].tolist()) for name in map(str, frame)]

    def example(self, weight: float = 1.0) -> Example:
        """Return what the network learns from."""
        columns = self.flat()
        accepted = np.array([[role in self.accepted(column.name) for role in ROLES] for column in columns], dtype=float)
        return Example(table_features(columns), accepted, KINDS.index(self.layout), weight)

    @property
    def layout(self) -> str:
        """Return the layout, by the roles."""
        roles = [role.partition("|")[0] for role in self.roles.values()]
        outputs = roles.count("output")
        if self.refuse:
            return NO_OUTPUTS
        if "best" in roles or "worst" in roles or ("winner" in roles and outputs > 2):
            return CHOICES
        if "winner" in roles:
            return COMPARISONS
        if roles.count("rank") > 1 and roles.count("system") > 1:
            return RANKS
        if "mark" in roles and "criterion" in roles:
            return MARKS
        return SYSTEMS if outputs > 1 else OUTPUTS


def labelled(*names: str) -> Iterator[Table]:
    """Return the labelled tables of files whose names begin so, by default of all."""
    for path in sorted(FOLDER.glob("*.jsonl")):
        if not names or path.stem.startswith(names):
            yield from read_tables(path)


def read_tables(path: Path) -> Iterator[Table]:
    """Return the tables of a file, one on a line."""
    for line in filter(None, path.read_text(encoding="utf-8").split("\n")):
        held = json.loads(line)
        yield Table(
            held["name"],
            held["source"],
            held["columns"],
            held["roles"],
            held.get("raters_of", {}),
            held.get("refuse", ""),
        )
