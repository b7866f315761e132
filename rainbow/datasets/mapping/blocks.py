"""Numbered blocks in a row: `text1`, `system1`, `score1`, `text2`, `system2`, … or the ranks of numbered systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rainbow.datasets.mapping.contents.names import is_rank, role_by_name, role_of_texts
from rainbow.datasets.mapping.contents.profile import Profile
from rainbow.datasets.shapes.wide import without_number

__all__ = ["Blocks", "blocks_of", "take_turns"]

_MOST = 100  # systems
_NEARLY_ALL = 0.9
_NO_OUTPUTS = ("reference", "input", "meta")


class Blocks(NamedTuple):
    """The columns of texts in numbered blocks, and those of systems, marks and ranks beside them; nothing for none."""

    outputs: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    ranks: tuple[str, ...] = ()

    @property
    def beside(self) -> str:
        """A column with the number of the first text."""
        return (*self.systems, *self.marks, *self.outputs[1:])[0]


def blocks_of(profiles: Sequence[Profile]) -> Blocks | None:
    """Return the numbered columns that belong together: texts with systems or marks, or systems with ranks.

    Examples
    --------
    >>> from rainbow.datasets.mapping.contents.profile import profile_of
    >>> cells = {"system1": ["tgen", "slug"], "rank1": [1, 2], "system2": ["slug", "tgen"], "rank2": [2, 1]}
    >>> blocks_of([profile_of(name, column) for name, column in cells.items()])
    Blocks(outputs=(), systems=('system1', 'system2'), marks=(), ranks=('rank1', 'rank2'))
    """
    series: dict[str, dict[str, Profile]] = {}
    for profile in profiles:
        what, number = without_number(profile.name)
        if number:
            series.setdefault(what, {})[number] = profile
    together: dict[frozenset[str], list[list[Profile]]] = {}
    for numbered in series.values():
        if len(numbered) > 1:
            together.setdefault(frozenset(numbered), []).append(list(numbered.values()))
    return next((found for each in together.values() if (found := _block(each))), None)


def _block(series: Sequence[list[Profile]]) -> Blocks | None:
    kinds: dict[str, list[tuple[str, ...]]] = {}
    for numbered in sorted(series, key=lambda numbered: role_by_name(numbered[0].name) != "system"):
        kinds.setdefault(_kind(numbered), []).append(tuple(profile.name for profile in numbered))
    found = Blocks(**{kind: kinds[kind][0] for kind in Blocks._fields if kind in kinds})
    several = len(kinds.get("outputs", ())) > 1  # which of them are the outputs?
    told = found.systems or found.marks or (found.outputs and role_by_name(found.outputs[0]) == "system")
    return found if (found.outputs and told and not several) or (found.systems and found.ranks) else None


def _kind(numbered: Sequence[Profile]) -> str:
    role = role_of_texts(numbered[0].name)
    if all(profile.is_text for profile in numbered):
        return "" if role in _NO_OUTPUTS else "outputs"
    if all(profile.is_mark for profile in numbered):
        return "ranks" if is_rank(numbered[0].name) else "" if role == "rater" else "marks"
    return "systems" if role not in ("rater", "item") and take_turns(numbered) else ""


def take_turns(numbered: Sequence[Profile]) -> bool:
    """Return whether the same few names stand in each column, but not twice in a row.

    Examples
    --------
    >>> from rainbow.datasets.mapping.contents.profile import profile_of
    >>> take_turns([profile_of("left", ["A", "B", "A"]), profile_of("right", ["B", "A", "B"])])
    True
    """
    if any(profile.kind != "names" for profile in numbered):
        return False
    rows = [list(map(str, row)) for row in zip(*(profile.rows for profile in numbered), strict=True)]
    names = {name for row in rows for name in row}
    apart = sum(len({*row}) == len(row) for row in rows) >= _NEARLY_ALL * len(rows)
    return apart and len(names) <= _MOST and len(names) < sum(profile.distinct for profile in numbered)
