"""Which columns of a table are compared side by side, and which says how that ended."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rainbow.datasets.mapping.blocks import take_turns
from rainbow.datasets.mapping.contents.names import one_of, role_by_name, role_of_texts, words_of
from rainbow.datasets.mapping.contents.profile import Profile
from rainbow.datasets.shapes.cells import is_chat, is_missing
from rainbow.datasets.shapes.choices import chosen
from rainbow.datasets.shapes.pairs import values_of
from rainbow.datasets.shapes.wide import common_ends, system_names

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["WINNER", "best_and_worst", "two_outputs", "two_sides", "two_systems", "winner_of"]

# Sides the first of which is preferred.
_PREFERRED = (
    ("chosen", "rejected"),
    ("preferred", "rejected"),
    ("preferred", "dispreferred"),
    ("accepted", "rejected"),
    ("scelta", "scartata"),
    ("elegida", "rechazada"),
    ("choisie", "rejetee"),
    ("bevorzugt", "abgelehnt"),
)
_SIDES = (("a", "b"), ("1", "2"), ("0", "1"), ("left", "right"), ("x", "y"), *_PREFERRED)
_NEXT = {"b": "c", "2": "3", "1": "2"}  # where that side is there too, the two before are no pair
# Of numbers, and of a text that is preferred, the name alone tells that they say how it ended.
WINNER = one_of(
    "winner preferred preference choice chosen accepted better vote verdict scelta elegida choisie bevorzugt"
)
_BEST = one_of("best most favourite top beste bester meilleur meilleure mejor migliore melhor najlepszy")
_BEST |= {"最佳", "最好", "좋음", "최고"}
_WORST = one_of("worst least bottom schlechteste schlechtester pire peor peggiore pior slechtste najgorszy")
_WORST |= {"最差", "나쁨", "최악"}
_NUMBER = re.compile(r"[\d.]*")
_NOWINNERS = ("input", "item", "meta", "rater", "score")
_NEARLY_ALL = 0.9


def two_outputs(profiles: Sequence[Profile]) -> tuple[str, ...]:
    """Return the two columns of outputs, or of chats, that are compared; none where there are no two."""
    texts = [profile.name for profile in profiles if profile.is_text or profile.kind == "names"]
    by_word = {name.lower(): name for name in texts}
    for sides in _PREFERRED:
        if all(side in by_word for side in sides):
            return tuple(by_word[side] for side in sides)
    chats = [profile.name for profile in profiles if is_chat(profile.cells)]
    free = [name for name in texts if role_by_name(name) not in ("input", "reference", "item", "meta")]
    others = [name for name in free if not any(word in WINNER for word in words_of(name))]
    named = [name for name in texts if role_of_texts(name) == "output"]
    systems = {system.casefold() for system in system_names(named).values()}
    if len(named) == 2 and any(systems <= {*map(str.casefold, p.texts)} for p in profiles if p.kind == "names"):
        return named[0], named[1]
    return two_sides(texts, "output") or two_sides(chats, "input") or two_sides(others)


def two_systems(profiles: Sequence[Profile]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return two columns of the same few names, never the same in a row, and the two of texts whose names differ so.

    Examples
    --------
    >>> from rainbow.datasets.mapping.contents.profile import profile_of
    >>> cells = {"System links": ["A", "B"] * 3, "System rechts": ["B", "A"] * 3}
    >>> cells |= {"Text links": ["this is an inn in Kiel"] * 6, "Text rechts": ["there is a cheap bar in Ulm"] * 6}
    >>> two_systems([profile_of(name, column) for name, column in cells.items()])
    (('System links', 'System rechts'), ('Text links', 'Text rechts'))
    """
    texts = {profile.name for profile in profiles if profile.is_text}
    named = [p for p in profiles if p.kind == "names" and role_by_name(p.name) not in ("rater", "item", "meta")]
    for one, other in combinations(named, 2):
        further = (p for p in named if p not in (one, other) and {*p.texts} & {*one.texts})
        alike = {*one.texts} & {*other.texts} and take_turns([one, other])
        if alike and not any(take_turns([one, other, third]) for third in further):
            begin, end = common_ends([one.name, other.name])
            first, second = (name[len(begin) : len(name) - len(end)] for name in (one.name, other.name))
            outputs = [(name, name.replace(first, second)) for name in texts if first and first in name]
            beside = [both for both in outputs if both[1] in texts]
            return (one.name, other.name), beside[0] if len(beside) == 1 else ()
    return (), ()


def winner_of(frame: pd.DataFrame, names: Sequence[str], pair: Sequence[str], outputs: Sequence[str]) -> str | None:
    """Return the column that says in nine of ten filled cells which of two systems, or outputs, is preferred.

    None where there is none.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"respuesta_1": ["sí", "no"], "respuesta_2": ["no", "sí"], "mejor": ["Respuesta 2", 1]})
    >>> winner_of(table, list(table), (), ("respuesta_1", "respuesta_2"))
    'mejor'
    """
    sides = {word for name in (*pair, *outputs) for word in _side_words(name)}
    called = [name for name in names if name not in pair and any(word in WINNER for word in words_of(name))]
    written = pair or frame[outputs[0]].map(str).nunique() > len(frame) / 2
    free = [name for name in names if written and name not in (*pair, *outputs, *called)]
    others = [name for name in free if role_by_name(name) not in _NOWINNERS]
    for name in (*called, *sorted(others, key=lambda name: role_by_name(name) == "reference")):
        values = values_of(frame, name, pair, outputs)
        known = [value for value in values if value is not None]
        told = name in called or ({0.0, 1.0} <= {*known} and _tells(frame[name], sides))
        filled = sum(not is_missing(cell) and cell != "" for cell in frame[name])
        if known and told and len(known) >= _NEARLY_ALL * filled and 2 * filled > len(values):
            return name
    return None


def best_and_worst(
    frame: pd.DataFrame, names: Sequence[str], outputs: Sequence[str], system: str | None
) -> tuple[str | None, str | None]:
    """Return the columns that say in nine of ten rows which of several outputs is the best, and which the worst.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"a": ["an inn"], "b": ["inn"], "c": ["bar"], "most clear": ["C"], "least clear": ["A"]})
    >>> best_and_worst(table, ["most clear", "least clear"], ["a", "b", "c"], None)
    ('most clear', 'least clear')
    """
    named = [name for name in names if not (WINNER | _BEST | _WORST).isdisjoint(words_of(name))]
    telling = [name for name in named if _names_outputs(chosen(frame, name, outputs, system))]
    worst = [name for name in telling if not _WORST.isdisjoint(words_of(name))]
    return next((name for name in telling if name not in worst), None), next(iter(worst), None)


def _names_outputs(places: Sequence[int | None]) -> bool:
    known = [place for place in places if place is not None]
    return len(known) >= _NEARLY_ALL * len(places) > 0


def _tells(column: pd.Series[Any], sides: Set[str]) -> bool:
    """Return whether cells are no numbers, which may be marks: but for 1 and 2 where the columns are called so."""
    cells = {str(cell).removesuffix(".0") for cell in column if not is_missing(cell)}
    return not all(map(_NUMBER.fullmatch, cells)) or (cells <= {"0", "1", "2"} and {"1", "2"} <= cells & sides)


def two_sides(names: Sequence[str], role: str | None = None) -> tuple[str, ...]:
    """Return the two columns, of this role, that differ in which side they are about; none where there are no two.

    Examples
    --------
    >>> two_sides(["prompt", "response_1", "response_2"], "output"), two_sides(["model_a", "modelB"], "system")
    (('response_1', 'response_2'), ('model_a', 'modelB'))
    """
    fitting = [name for name in names if role in (None, role_by_name(name), role_by_name(name.rstrip("0123456789")))]
    for sides in _SIDES:
        found = [[name for name in fitting if side in _side_words(name)] for side in sides]
        if all(len(side) == 1 for side in found) and found[0] != found[1] and not _third(found[1][0], sides[1], names):
            return found[0][0], found[1][0]
    return ()


def _third(second: str, side: str, names: Sequence[str]) -> bool:
    """Return whether there is a column of a third side: `c` beside `a` and `b`."""
    begin, _, end = second.casefold().rpartition(side)
    return bool(side in _NEXT) and f"{begin}{_NEXT[side]}{end}" in map(str.casefold, names)


def _side_words(name: str) -> list[str]:
    words = words_of(name)
    return [*words, *(word[-1] for word in words if word[:-1] and word[-1].isdigit())]
