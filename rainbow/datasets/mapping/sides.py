"""Which columns of a table are compared side by side, and which says how that ended."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import TYPE_CHECKING, Any

from rainbow.datasets.mapping.contents.names import one_of, role_by_name, role_of_texts, words_of
from rainbow.datasets.mapping.contents.profile import Profile
from rainbow.datasets.shapes.cells import is_chat, is_missing
from rainbow.datasets.shapes.pairs import values_of
from rainbow.datasets.shapes.wide import system_names

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["two_outputs", "two_sides", "winner_of"]

# Sides the first of which is preferred.
_PREFERRED = (
    ("chosen", "rejected"),
    ("preferred", "rejected"),
    ("preferred", "dispreferred"),
    ("accepted", "rejected"),
)
_SIDES = (("a", "b"), ("1", "2"), ("0", "1"), ("left", "right"), ("x", "y"), *_PREFERRED)
# Of numbers, and of a text that is preferred, the name alone tells that they say how it ended.
_WINNER = one_of("winner preferred preference choice chosen accepted better vote verdict")
_NUMBER = re.compile(r"[\d.]*")
_NO_WINNERS = ("input", "item", "meta", "rater", "score")
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
    others = [name for name in free if not any(word in _WINNER for word in words_of(name))]
    named = [name for name in texts if role_of_texts(name) == "output"]
    systems = {system.casefold() for system in system_names(named).values()}
    if len(named) == 2 and any(systems <= {*map(str.casefold, p.texts)} for p in profiles if p.kind == "names"):
        return named[0], named[1]
    return two_sides(texts, "output") or two_sides(chats, "input") or two_sides(others)


def winner_of(frame: pd.DataFrame, names: Sequence[str], pair: Sequence[str], outputs: Sequence[str]) -> str | None:
    """Return the column that says in nine of ten rows which of two systems, or outputs, is preferred; None for none.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"respuesta_1": ["sí", "no"], "respuesta_2": ["no", "sí"], "mejor": ["Respuesta 2", 1]})
    >>> winner_of(table, list(table), (), ("respuesta_1", "respuesta_2"))
    'mejor'
    """
    sides = {word for name in (*pair, *outputs) for word in _side_words(name)}
    called = [name for name in names if name not in pair and any(word in _WINNER for word in words_of(name))]
    written = pair or frame[outputs[0]].map(str).nunique() > len(frame) / 2
    free = [name for name in names if written and name not in (*pair, *outputs, *called)]
    others = [name for name in free if role_by_name(name) not in _NO_WINNERS]
    for name in (*called, *sorted(others, key=lambda name: role_by_name(name) == "reference")):
        values = values_of(frame, name, pair, outputs)
        known = [value for value in values if value is not None]
        told = name in called or ({0.0, 1.0} <= {*known} and _tells(frame[name], sides))
        if known and told and len(known) >= _NEARLY_ALL * len(values):
            return name
    return None


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
        if all(len(side) == 1 for side in found) and found[0] != found[1]:
            return found[0][0], found[1][0]
    return ()


def _side_words(name: str) -> list[str]:
    words = words_of(name)
    return [*words, *(word[-1] for word in words if word[:-1] and word[-1].isdigit())]
