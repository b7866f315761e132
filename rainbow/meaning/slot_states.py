"""States of the slots of a meaning representation in a text."""

from __future__ import annotations

from typing import Literal, NamedTuple

State = Literal["realised", "missing", "wrong"]


class Realisation(NamedTuple):
    """How a text realises a meaning representation."""

    states: tuple[State, ...]  # for every slot `realised`, `missing`, or `wrong`: spoken of, but not with its value
    repeated: int  # the number of slots mentioned more often than requested
    invented: int  # the number of mentioned values that were not requested
