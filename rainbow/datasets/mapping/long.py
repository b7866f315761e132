"""Long tables told by what repeats: inputs and references stay the same from system to system, outputs do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import IntArray
from rainbow.datasets.mapping.contents.names import BY, any_of, one_of, role_by_name, words_of
from rainbow.datasets.mapping.contents.profile import Profile, are_codes, are_links
from rainbow.datasets.shapes.cells import text_of

__all__ = ["Long", "long_table"]

_MOST = 50  # systems
_CROSSED = 0.7  # of all pairs of an input and a system stand in the table
_ONE = 1.05  # outputs a pair has, on average, at most; and of what stays with an input, values an input has
_SEVERAL = 1.3  # outputs an input has, on average, at least
_OF_RUNS = (["name"], ["run"], ["run", "name"], ["version"], ["prompt", "version"])  # what W&B calls them; in a survey
_REASONS = one_of("rationale explanation reason reasoning justification")  # for a mark
_NO_SYSTEM = ("rater", "score", "meta", "reference")


class Long(NamedTuple):
    """What repeats in a table.

    Attributes
    ----------
    system
        The column whose names, with the input, tell outputs apart.
    item
        The column that the input is told by.
    about
        The columns of texts that stay with an input.
    outputs
        The other columns of texts.
    """

    system: str
    item: str
    about: tuple[str, ...]
    outputs: tuple[str, ...]


def long_table(profiles: Sequence[Profile], system: str | None) -> Long | None:
    """Return what repeats in a table with a row for each system and input; None where this is no such table.

    Parameters
    ----------
    profiles
        The columns.
    system
        The column that names the system, if that is known.

    Examples
    --------
    >>> from rainbow.datasets.mapping.contents.profile import profile_of
    >>> cells = {
    ...     "Daten": ["Ort: Kiel, 4 Grad, Regen", "Ort: Ulm, 9 Grad, Sonne"] * 2,
    ...     "Art": ["Regeln"] * 2 + ["Netz"] * 2,
    ...     "Text": ["in Kiel regnet es heute", "in Ulm ist heute Sonne", "Regen in Kiel, 4 Grad", "Ulm hat Sonne"],
    ... }
    >>> long_table([profile_of(name, column) for name, column in cells.items()], None)
    Long(system='Art', item='Daten', about=('Daten',), outputs=('Text',))
    """
    texts = [p for p in profiles if p.is_text or (p.kind == "names" and role_by_name(p.name) == "output")]
    reasons = [p for p in texts if any_of(words_of(p.name), _REASONS)]
    if sum(p.is_text for p in texts if p not in reasons) > 1:  # else one is the output, as an explanation of code
        texts = [p for p in texts if p not in reasons]
    written = [p.name for p in texts if len(p.texts) > len(p.rows) / 2 and isinstance(text_of(p.cells[0]), str)]
    inputs = [
        p for p in profiles if p in texts or role_by_name(p.name) in ("item", "input", None) or are_links(p.texts)
    ]
    systems = [p for p in profiles if p.name == system] if system else [p for p in profiles if _may_name_systems(p)]
    if not texts or not systems:
        return None
    codes = {profile.name: _codes(profile) for profile in {p.name: p for p in (*inputs, *systems)}.values()}
    for about in sorted(inputs, key=lambda p: (-_kinds(codes[p.name]), not p.is_text)):
        number = _kinds(codes[about.name])
        if not 2 <= number <= len(about.rows) / _SEVERAL:
            continue
        stay = [p.name for p in texts if _kinds(codes[about.name], codes[p.name]) <= _ONE * number]
        differ = [
            p.name for p in texts if p.name in written and _kinds(codes[about.name], codes[p.name]) >= _SEVERAL * number
        ]
        for named in sorted(systems, key=_rank):
            told = [name for name in differ if _tells(codes[about.name], codes[named.name], codes[name])]
            if not about.is_text and role_by_name(about.name) is None:  # raters with the numbers of their rows, say
                pairs = _kinds(codes[about.name], codes[named.name])
                told = [name for name in told if _kinds(codes[name]) >= _CROSSED * pairs]
            if told and named.name not in stay:
                return Long(named.name, about.name, tuple(stay), tuple(told))
    return None


def _rank(profile: Profile) -> int:
    """Return 0 for what is called a system or a run, 1 where the name says nothing, else 2."""
    return 0 if _is_run(profile) else {"system": 0, None: 1}.get(role_by_name(profile.name), 2)


def _is_run(profile: Profile) -> bool:
    return words_of(profile.name.partition("(")[0]) in _OF_RUNS


def _may_name_systems(profile: Profile) -> bool:
    by = any_of(words_of(profile.name)[-1:], BY)  # "letter by": who wrote it, or who judged it
    role = None if _is_run(profile) or by else role_by_name(profile.name)
    named = profile.kind == "names" and 2 <= profile.distinct <= _MOST and not are_codes(profile.texts)
    return named and role not in _NO_SYSTEM and (role != "rating" or "?" in profile.name)


def _tells(about: IntArray, system: IntArray, output: IntArray) -> bool:
    """Return whether a system, with the input, has one output, and nearly all inputs have all systems."""
    pairs = _kinds(about, system)
    crossed = pairs >= _CROSSED * _kinds(about) * _kinds(system)
    return crossed and pairs >= _SEVERAL * _kinds(about) and _kinds(about, system, output) <= _ONE * pairs


def _codes(profile: Profile) -> IntArray:
    """Return a number for each cell, the same for the same cells."""
    known: dict[str, int] = {}
    return np.array([known.setdefault(str(cell).strip(), len(known)) for cell in profile.rows], dtype=np.intp)


def _kinds(*codes: IntArray) -> int:
    """Return how many different rows some columns have."""
    joined = codes[0]
    for other in codes[1:]:
        joined = np.unique(joined * (other.max(initial=0) + 1) + other, return_inverse=True)[1]
    return len(np.unique(joined))
