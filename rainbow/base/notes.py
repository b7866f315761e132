"""Problems found in a file, and how they were handled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Note(NamedTuple):
    """One problem in a file."""

    place: str  # the file and the line, as a person would look them up
    problem: str  # the problem
    fix: str  # the fix, applied on request
    harmless: bool = False  # whether it is done without being asked: nothing is lost or guessed

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}; {self.fix}"


def raise_problems(notes: Iterable[Note]) -> None:
    """Raise an error for problems that are not harmless."""
    serious = [note for note in notes if not note.harmless]
    if not serious:
        return
    first, others = serious[0], len(serious) - 1
    more = f"; {others} more such problems" if others else ""
    raise ValueError(f"{first.place}: {first.problem} (fix the file, or use --lenient: {first.fix}){more}")
