"""Which columns of a table are compared side by side, and which says how that ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rainbow.datasets.mapping.names import one_of, role_by_name, words_of
from rainbow.datasets.mapping.profile import Profile
from rainbow.datasets.shapes.cells import is_chat
from rainbow.datasets.shapes.pairs import values_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["is_winner", "two_outputs", "two_sides"]

_SIDES = (("a", "b"), ("1", "2"), ("0", "1"), ("left", "right"), ("x", "y"))
# Pairs of outputs the first of which is preferred.
_PREFERRED = (
    ("chosen", "rejected"),
    ("preferred", "rejected"),
    ("preferred", "dispreferred"),
    ("accepted", "rejected"),
)
_WINNER = one_of(
    "winner preferred preference choice chosen better vote verdict preferito preferido prefere bevorzugt besser sieger"
)


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
    return two_sides(texts, "output") or two_sides(chats, "input") or two_sides(others)


def is_winner(frame: pd.DataFrame, name: str, pair: Sequence[str], outputs: Sequence[str]) -> bool:
    """Return whether a column says in nine of ten rows which of two systems, or outputs, is preferred."""
    if name in pair or not any(word in _WINNER for word in words_of(name)):
        return False
    values = values_of(frame, name, pair, outputs)
    return bool(values) and sum(value is not None for value in values) >= 0.9 * len(values)


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
