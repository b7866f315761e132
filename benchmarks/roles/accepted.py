"""Which roles of a reading are accepted by a labelled table."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.roles.tables import Table
from rainbow.datasets.roles.mapping import ColumnMapping
from rainbow.datasets.roles.rating_columns import ColumnRole

# Roles for which a wrong reading needs a warning, and pairs of roles that mean the same.
HARD = frozenset(
    ["output", "reference", "input", "system", "rating", "score", "rater", "winner", "best", "worst", "rank"]
) | {"criterion", "mark"}
AT_STAKE = HARD - {"reference", "input", "rater"}
ALIKE = (frozenset(["rating", "rank"]), frozenset(["winner", "best"]))
SHOWN = {  # a role that begins like another comes first
    "input id": "item",
    "row id": "id",
    "name of the rating": "criterion",
    "preferred output": "winner",
    "best output": "best",
    "worst output": "worst",
    "output": "output",
    "reference": "reference",
    "input": "input",
    "system": "system",
    "rater": "rater",
    "rating": "rating",
    "score": "score",
    "rank": "rank",
    "mark": "mark",
}


def role_of(shown: str) -> str:
    """Return the role that a mapping shows."""
    return next((role for start, role in SHOWN.items() if shown.startswith(start)), "unused")


def wrong(table: Table, mapping: ColumnMapping) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return the columns whose role is not accepted, with that role and the accepted ones."""
    return [
        (entry.column, role, accepted)
        for entry in mapping.taken
        for role, accepted in [(role_of(entry.role), table.accepted(entry.column))]
        if not (fits(role, accepted) or _is_left_out(entry, accepted, mapping) or _is_computed(entry.column, table))
    ]


def _is_left_out(entry: ColumnRole, accepted: Sequence[str], mapping: ColumnMapping) -> bool:
    """Return whether a mark is left out for a reason: a mean of others that are read, or a second winner."""
    if entry.role != "unused":
        return False
    is_mean = entry.why.startswith(("mean of", "sum of")) and "rating" in accepted
    return is_mean or ("winner" in accepted and mapping.columns.winner is not None)


def _is_computed(column: str, table: Table) -> bool:
    """Return whether a column is not in the file: numbers of rows, or weights of error annotations."""
    return column in ("#", "mqm") and column not in table.columns


def fits(role: str, accepted: Sequence[str]) -> bool:
    """Return whether a role is accepted; item, id and unused are alike."""
    if role in accepted or any(role in alike and not alike.isdisjoint(accepted) for alike in ALIKE):
        return True
    return role not in HARD and HARD.isdisjoint(accepted)
