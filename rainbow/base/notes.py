"""What is wrong in a file, where, and what was done about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Note(NamedTuple):
    """One thing that is not as it should be in a file."""

    place: str  # the file and the line, as a person would look them up
    problem: str  # what is wrong there
    mended: str  # what is done about it where that is asked for
    harmless: bool = False  # whether it is done without being asked: nothing is lost or guessed

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}; {self.mended}"


def refuse(notes: Iterable[Note]) -> None:
    """Refuse what is wrong, unless it is harmless."""
    serious = [note for note in notes if not note.harmless]
    if not serious:
        return
    first, others = serious[0], len(serious) - 1
    more = f"; there are {others} more such problems" if others else ""
    raise ValueError(f"{first.place}: {first.problem} (mend the file, or use --lenient: {first.mended}){more}")
