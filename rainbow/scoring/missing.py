"""Running summaries of a table's columns: reasons for missing values, and moments, in constant memory."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from rainbow.base.arrays import FloatArray

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


class Moments:
    """Moments of the values seen so far; NaN is ignored.

    Source: Chan, T. F., Golub, G. H. and LeVeque, R. J. (1983). Algorithms for computing the sample variance: analysis
    and recommendations. The American Statistician 37(3).
    """

    def __init__(self) -> None:
        self.count = 0
        self.mean = self.low = self.high = math.nan
        self._squares = 0.0  # summed squared distances from the mean

    @classmethod
    def from_values(cls, values: FloatArray) -> Moments:
        """Return the moments of values, shape (n,)."""
        moments, values = cls(), values[~np.isnan(values)]
        if len(values):
            moments.count, moments.mean = len(values), math.fsum(values) / len(values)
            moments._squares = math.fsum((values - moments.mean) ** 2)
            moments.low, moments.high = float(values.min()), float(values.max())
        return moments

    def add(self, other: Moments) -> None:
        """Add the moments of further values."""
        if not self.count:
            self.__dict__.update(other.__dict__)
        elif other.count:
            count, apart = self.count + other.count, other.mean - self.mean
            self.mean += apart * other.count / count
            self._squares += other._squares + apart * apart * self.count * other.count / count
            self.count, self.low, self.high = count, min(self.low, other.low), max(self.high, other.high)

    @property
    def deviation(self) -> float:
        """Standard deviation (n - 1); NaN for fewer than two values."""
        return math.sqrt(self._squares / (self.count - 1)) if self.count > 1 else math.nan
