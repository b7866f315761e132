"""The best joint assignment of roles to columns, over possible table layouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.base.lazy import scipy

# The roles, in the order of the network's outputs.
ROLES = (
    *("output", "reference", "input", "system", "item", "id", "rater", "rating", "score"),
    *("winner", "best", "worst", "rank", "criterion", "mark", "unused"),
)
# The layouts, in the order of the network's outputs.
OUTPUTS, MARKS, SYSTEMS, COMPARISONS, CHOICES, RANKS, NO_OUTPUTS = KINDS = (
    "a row per output",
    "a row per mark",
    "a column per system",
    "comparisons",
    "best of several",
    "ranks",
    "no outputs",
)
ANY = 10_000  # columns
REQUIRED = 1e4  # cost of a required role that no column has
CERTAIN = 0.9999  # probability of a role from which no alternative is computed


@dataclass(frozen=True)
class Layout:
    """A kind of table: minimum and maximum number of columns of each role."""

    name: str
    counts: dict[str, tuple[int, int]]


_COMMON = {"reference": (0, ANY), "input": (0, 1), "item": (0, 1), "id": (0, 1), "rater": (0, 1), "unused": (0, ANY)}
_SCORED = {"rating": (0, ANY), "score": (0, ANY)}
LAYOUTS = (
    Layout(OUTPUTS, _COMMON | _SCORED | {"output": (1, 1), "system": (0, 1), "rank": (0, ANY)}),
    Layout(
        MARKS, _COMMON | {"score": (0, ANY), "output": (1, 1), "system": (0, 1), "criterion": (1, 1), "mark": (1, 1)}
    ),
    Layout(SYSTEMS, _COMMON | _SCORED | {"output": (2, ANY), "system": (0, ANY), "rank": (0, ANY)}),
    Layout(COMPARISONS, _COMMON | {"output": (2, 2), "system": (0, 0), "winner": (1, 1), "criterion": (0, 1)}),
    Layout(COMPARISONS, _COMMON | {"output": (0, 0), "system": (2, 2), "winner": (1, 1), "criterion": (0, 1)}),
    Layout(COMPARISONS, _COMMON | {"output": (2, 2), "system": (2, 2), "winner": (1, 1), "criterion": (0, 1)}),
    Layout(CHOICES, _COMMON | {"output": (3, ANY), "system": (0, ANY), "best": (1, 1), "worst": (0, 1)}),
    Layout(CHOICES, _COMMON | {"output": (3, ANY), "system": (0, ANY), "worst": (1, 1)}),
    Layout(RANKS, _COMMON | {"system": (2, ANY), "rank": (2, ANY), "output": (0, ANY)}),
    Layout(
        NO_OUTPUTS,
        _COMMON | _SCORED | {"system": (0, 1), "rank": (0, ANY), "criterion": (0, 1), "mark": (0, 1), "winner": (0, 1)},
    ),
)


@dataclass(frozen=True)
class Assignment:
    """A reading of a table: its layout, the role of each column, and its log probability."""

    layout: str
    roles: tuple[str, ...]
    score: float


@dataclass(frozen=True)
class Problem:
    """Log probabilities of roles and layouts, allowed roles, and layouts that fit."""

    roles: FloatArray
    kinds: FloatArray
    allowed: BoolArray
    layouts: Sequence[Layout] = LAYOUTS

    def best(self) -> Assignment:
        """Return the most probable assignment."""
        return max(self.layout_assignments(), key=lambda reading: reading.score)

    def layout_assignments(self) -> list[Assignment]:
        """Return the most probable assignment of each layout."""
        barred = np.where(self.allowed, 0.0, -REQUIRED * 10)
        places = [KINDS.index(layout.name) for layout in self.layouts]
        return [
            _solve_layout(layout, self.roles[place] + barred, float(self.kinds[place]))
            for layout, place in zip(self.layouts, places, strict=True)
        ]

    def without(self, row: int, role: str) -> Problem:
        """Return the problem with a role forbidden for a column."""
        allowed = self.allowed.copy()
        allowed[row, ROLES.index(role)] = False
        return Problem(self.roles, self.kinds, allowed, self.layouts)

    def rivals(self, best: Assignment) -> list[Assignment]:
        """Return, for each column, the best assignment with another role; `best` if it is certain."""
        results = []
        for row, role in enumerate(best.roles):
            log = self.roles[KINDS.index(best.layout), row, ROLES.index(role)]
            single = self.allowed[row].sum() < 2 or log > np.log(CERTAIN)
            results.append(best if single else self.without(row, role).best())
        return results


def _solve_layout(layout: Layout, logs: FloatArray, prior: float) -> Assignment:
    """Return the best assignment of one layout, by linear sum assignment."""
    size = len(logs)
    slots: list[tuple[int, bool]] = []
    for place, role in enumerate(ROLES):
        low, most = layout.counts.get(role, (0, 0))
        slots += [(place, number < low) for number in range(low if most == ANY else most)]
    free = [place for place, role in enumerate(ROLES) if layout.counts.get(role, (0, 0))[1] == ANY]
    best_free = np.array(free)[logs[:, free].argmax(axis=1)]
    gain = np.full((size, len(slots) + size), -REQUIRED * 100)
    for number, (place, required) in enumerate(slots):
        gain[:, number] = logs[:, place] + (REQUIRED if required else 0)
    gain[range(size), range(len(slots), len(slots) + size)] = logs[range(size), best_free]
    rows, chosen = scipy.optimize.linear_sum_assignment(gain, maximize=True)
    missing = sum(required for _, required in slots) * REQUIRED
    roles = [slots[slot][0] if slot < len(slots) else best_free[row] for row, slot in zip(rows, chosen, strict=True)]
    score = float(gain[rows, chosen].sum() - missing) + prior
    return Assignment(layout.name, tuple(ROLES[place] for place in roles), score)
