"""What a text can do to the slots of its meaning representation."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["Realisation", "State"]

State = Literal["realised", "missing", "wrong"]


class Realisation(NamedTuple):
    """How a text realises a meaning representation.

    Attributes
    ----------
    states
        For every slot `realised`, `missing`, or `wrong`: spoken of, but not with its value.
    repeated
        The number of slots said more often than the meaning representation has their value.
    invented
        The number of things said that the meaning representation does not have.
    """

    states: tuple[State, ...]
    repeated: int
    invented: int
