"""Reasons for missing values, in constant memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LISTED = 10_000  # rows: of one reason no more are named one by one

# For every reason the rows: "all", their positions, or {"count": how many, "first": the positions of the first}.
Reasons = dict[str, Any]


class MissingReasons:
    """Reasons for missing values of every column, collected chunk by chunk."""

    def __init__(self) -> None:
        self._rows = 0
        self._found: dict[str, dict[str, tuple[int, list[int]]]] = {}

    def add(self, missing: Mapping[str, Mapping[str, Any]], rows: int) -> None:
        """Add the reasons of the next chunk: positions or ``"all"`` per column and reason."""
        for column, reasons in missing.items():
            of_column = self._found.setdefault(column, {})
            for reason, places in reasons.items():
                positions = range(rows) if places == "all" else places
                count, listed = of_column.setdefault(reason, (0, []))
                listed += [self._rows + place for place in positions[: LISTED - len(listed)]]
                of_column[reason] = count + len(positions), listed
        self._rows += rows

    def result(self) -> dict[str, Reasons]:
        """Return the rows per column and reason; beyond 10,000 their number and the first ones."""
        return {
            column: {reason: self._positions(*rows) for reason, rows in reasons.items()}
            for column, reasons in self._found.items()
            if reasons
        }

    def _positions(self, count: int, listed: list[int]) -> Any:
        if count == self._rows:
            return "all"
        return listed if count == len(listed) else {"count": count, "first": listed}


def count_missing(places: Any, rows: int) -> int:
    """Return the number of rows of a reason in ``attrs["missing"]``."""
    if places == "all":
        return rows
    return int(places["count"]) if isinstance(places, dict) else len(places)
