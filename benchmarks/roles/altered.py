"""Altered copies of labelled tables: columns renamed, dropped, shuffled, added, rows left out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from benchmarks.roles.generated import NAMES, noise_cells, noise_name
from benchmarks.roles.tables import Table

# How often a column of a role is dropped.
DROPPED = {"unused": 0.35, "id": 0.4, "item": 0.25, "score": 0.3, "reference": 0.3, "input": 0.2}
# Roles of which several columns belong together by their names.
TOGETHER = frozenset(["output", "system", "winner", "best", "worst", "rank", "reference"])
PLAIN = frozenset(["x", "v", "col", "f", "Column", "c", "var"])
CASES: tuple[Callable[[str], str], ...] = (
    str.lower,
    str.upper,
    str.title,
    lambda name: name.replace("_", " "),
    lambda name: name.replace(" ", "_"),
)


def names_by_role(tables: Sequence[Table]) -> dict[str, list[str]]:
    """Return the names that columns of each role have in some tables."""
    found: dict[str, set[str]] = {}
    for table in tables:
        for name in table.columns:
            found.setdefault(table.role(name), set()).add(name)
    return {role: sorted(names) for role, names in found.items()}


def altered(table: Table, names: Mapping[str, Sequence[str]], seed: int) -> Table:
    """Return a copy of a table with some columns renamed, dropped, added or moved, and some rows left out."""
    rng = random.Random(seed)
    kept = _dropped(table, rng)
    renamed = _renamed(table, kept, names, rng)
    order = list(kept)
    if rng.random() < 0.4:
        rng.shuffle(order)
    rows = slice(0, None)
    size = table.rows
    if size > 6 and rng.random() < 0.5:
        length = rng.randint(max(4, size // 2), size)
        start = rng.randint(0, size - length)
        rows = slice(start, start + length)
    columns = {renamed.get(name, name): table.columns[name][rows] for name in order}
    roles = {renamed.get(name, name): table.roles[name] for name in kept if name in table.roles}
    roles |= {path: role for path, role in table.roles.items() if path not in table.columns and _head(path) in kept}
    for _ in range(rng.choice([0, 0, 1, 2, 3])):
        name = noise_name(rng, {*columns})
        cells = noise_cells(rng, name, len(next(iter(columns.values()), [])))
        if cells:
            columns[name], roles[name] = cells, "unused"
    return replace(table, name=f"{table.name}~{seed}", columns=columns, roles=roles)


def _head(path: str) -> str:
    return path.partition(".")[0]


def _dropped(table: Table, rng: random.Random) -> list[str]:
    """Return the columns that are kept."""
    nested = {_head(path) for path in table.roles if path not in table.columns}
    counts = Counter(table.role(name) for name in table.columns)
    marks_of_columns = counts["output"] > 1
    kept = list(table.columns)
    for name in table.columns:
        role = table.role(name)
        share = DROPPED.get(role, 0.2 if role == "rating" and counts["rating"] > 2 else 0.0)
        if marks_of_columns and role in ("rating", "score"):
            share = 0.0
        if share and len(kept) > 2 and rng.random() < share * (0.1 if name in nested else 1):
            kept.remove(name)
    return kept


def _renamed(
    table: Table, kept: Sequence[str], names: Mapping[str, Sequence[str]], rng: random.Random
) -> dict[str, str]:
    """Return new names: those of other columns of the role, meaningless ones, or the same written otherwise."""
    often = rng.choice([0, 0.3, 0.6, 0.9])
    counts = Counter(table.role(name) for name in kept)
    nested = {_head(path) for path in table.roles if path not in table.columns}
    fixed = nested | {name for group in table.raters_of.values() for name in group}
    used, found = set(kept), dict[str, str]()
    for name in kept:
        role = table.role(name)
        together = (role in TOGETHER and counts[role] > 1) or (role in ("rating", "score") and counts["output"] > 1)
        if name in fixed or together:
            continue
        new = None
        if rng.random() < often * (0.6 if role == "unused" else 1):
            new = _other_name(role, names, rng)
        elif rng.random() < 0.3 and "." not in name:
            new = rng.choice(CASES)(name)
        if new and new not in used:
            found[name] = new
            used.add(new)
    return found


def _other_name(role: str, names: Mapping[str, Sequence[str]], rng: random.Random) -> str | None:
    if rng.random() < 0.08:
        return rng.choice(sorted(PLAIN)) + str(rng.randint(1, 30))
    if role == "unused":
        return None  # names of unused columns belong to their cells
    pool = names.get(role) if rng.random() < 0.5 else NAMES.get(role)
    pool = [name for name in pool or NAMES.get(role, ()) if name and "." not in name]
    return rng.choice(pool) if pool else None
