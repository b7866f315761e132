"""The best reading of a table's columns, and its lead over alternatives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.datasets.columns import FIELD_ROLES, Columns, Rating
from rainbow.datasets.lexicon import name_features
from rainbow.datasets.roles.assignment import (
    COMPARISONS,
    LAYOUTS,
    NO_OUTPUTS,
    RANKS,
    ROLES,
    Assignment,
    Layout,
    Problem,
)
from rainbow.datasets.roles.column import Column, content_features, value_features
from rainbow.datasets.roles.network import Network, load_network
from rainbow.datasets.roles.relations import relation_features

MARK_OR_UNUSED = ({"rating", "unused"}, {"score", "unused"})
EXTENSIBLE_FIELDS = ("ratings", "scores", "ignored")  # fields whose role further columns may have


@dataclass(frozen=True)
class Reading:
    """The role of each column; `rivals` are the best readings with another role for a column."""

    columns: tuple[Column, ...]
    assignment: Assignment
    rivals: tuple[Assignment, ...]
    left_out: dict[str, str]
    sure: float
    likely: float

    @property
    def roles(self) -> dict[str, str]:
        """The role of each column by name."""
        return {column.name: role for column, role in zip(self.columns, self.assignment.roles, strict=True)}

    def columns_with(self, *roles: str) -> list[Column]:
        """Return the columns that have one of these roles."""
        return [column for column, own in zip(self.columns, self.assignment.roles, strict=True) if own in roles]

    def names(self, *roles: str) -> tuple[str, ...]:
        """Return the names of the columns that have one of these roles."""
        return tuple(column.name for column in self.columns_with(*roles))

    @property
    def is_complete(self) -> bool:
        """Whether every required role of the layout has a column, including outputs or systems."""
        return self.assignment.score > -1e3 and self.assignment.layout != NO_OUTPUTS


def read_columns(columns: Sequence[Column], given: Columns, network: Network | None = None) -> Reading:
    """Return the best reading that is consistent with the given options; the default network is the shipped one."""
    network = network or load_network()
    roles, kinds = network.log_probabilities(table_features(columns))
    allowed, layouts = _allowed_roles([column.name for column in columns], given)
    if not any(len(column.rows) for column in columns):  # names alone
        layouts = [layout for layout in layouts if layout.name != NO_OUTPUTS] or layouts
    problem = Problem(roles, kinds, allowed, layouts)
    best = problem.best()
    rivals = problem.rivals(best)
    left_out = _uncertain_ratings(best, rivals, network.likely)
    other_layouts = [results for results in problem.layout_assignments() if results.layout != best.layout]
    return Reading(
        tuple(columns),
        replace(best, roles=tuple("unused" if row in left_out else role for row, role in enumerate(best.roles))),
        (
            *(rival for row, rival in enumerate(rivals) if row not in left_out),
            *sorted(other_layouts, key=lambda results: -results.score)[:1],
        ),
        {columns[row].name: mark for row, mark in left_out.items()},
        network.sure,
        network.likely,
    )


def _uncertain_ratings(best: Assignment, alternatives: Sequence[Assignment], likely: float) -> dict[int, str]:
    """Return the columns about as likely a rating as unused, with that rating role."""
    result = {}
    for row, (role, rival) in enumerate(zip(best.roles, alternatives, strict=True)):
        pair = {role, rival.roles[row]}
        changed = sum(one != other for one, other in zip(best.roles, rival.roles, strict=True))
        if pair in MARK_OR_UNUSED and changed == 1 and best.score - rival.score < likely:
            (result[row],) = pair - {"unused"}
    has_rating = any(role == "rating" and row not in result for row, role in enumerate(best.roles))
    return {row: mark for row, mark in result.items() if has_rating or mark == "score"}


def _allowed_roles(names: Sequence[str], given: Columns) -> tuple[BoolArray, Sequence[Layout]]:
    """Return the allowed roles of each column, shape (columns, roles), and the layouts that fit."""
    allowed = np.ones((len(names), len(ROLES)), dtype=bool)
    place = {name: row for row, name in enumerate(names)}
    given_roles = [
        (place[name], role) for field, role in FIELD_ROLES.items() for name in given.columns_of(field) if name in place
    ]
    closed = {role for field, role in FIELD_ROLES.items() if given.columns_of(field) and field not in EXTENSIBLE_FIELDS}
    closed |= {"criterion", "mark", "rank"} if given.ratings else set()
    allowed[:, [ROLES.index(role) for role in closed]] = False
    for rating in map(Rating.parse, given.ratings):
        by_criterion = zip(rating.by_criterion, ("mark", "criterion"), strict=False)
        given_roles += [(place[name], role) for name, role in by_criterion if name in place]
        raters = re.compile(rf"{re.escape(rating.name)}_\d+")  # by convention
        given_roles += [(row, "unused") for name, row in place.items() if raters.fullmatch(name)]
    for row, _ in given_roles:
        allowed[row] = False
    for row, role in given_roles:
        allowed[row, ROLES.index("best" if role == "winner" and len(given.output) > 2 else role)] = True
    for name in given.columns_of("output"):  # a chat may be the output and the input
        if name in place and name == given.mr:
            allowed[place[name]] = [role == "output" for role in ROLES]
    return allowed, [layout for layout in LAYOUTS if _layout_fits(layout, given)] or LAYOUTS


def _layout_fits(layout: Layout, given: Columns) -> bool:
    """Return whether a layout is compatible with the given options."""
    counts = layout.counts
    by_criterion = any(Rating.parse(rating).by_criterion for rating in given.ratings)
    if given.is_comparison and layout.name not in (COMPARISONS, RANKS):
        return False
    wanted = {"output": len(given.output), "winner": int(bool(given.winner)), "worst": int(bool(given.worst))}
    wanted["system"] = len(given.pair) or int(bool(given.system))
    if given.ratings and not given.is_comparison:
        wanted["mark" if by_criterion else "rating"] = 1
    return all(
        number <= max(counts.get(role, (0, 0))[1], counts.get("best", (0, 0))[1] if role == "winner" else 0)
        and (role not in ("output", "mark") or not number or number >= counts.get(role, (0, 0))[0])
        for role, number in wanted.items()
        if number
    )


def table_features(columns: Sequence[Column]) -> FloatArray:
    """Return the features of each column, shape (columns, width)."""
    size = max((len(column.rows) for column in columns), default=0)
    own = [
        (_position_features(columns, place), value_features(c, size), content_features(c), name_features(c.name))
        for place, c in enumerate(columns)
    ]
    return np.hstack([relation_features(columns), np.array([*map(np.concatenate, own)])])


def _position_features(columns: Sequence[Column], place: int) -> FloatArray:
    """Return the position of a column, and the numbers of columns, ratings and texts."""
    count = len(columns)
    marks, texts = sum(c.is_mark for c in columns), sum(c.is_text for c in columns)
    return np.array([place / max(count - 1, 1), min(count, 20) / 20, min(marks, 10) / 10, min(texts, 10) / 10])
