"""What is wrong in a file, where, and what was done about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Note", "refuse"]


class Note(NamedTuple):
    """One thing that is not as it should be in a file.

    Attributes
    ----------
    place
        The file and the line, as a person would look them up.
    problem
        What is wrong there.
    mended
        What is done about it where that is asked for.
    harmless
        Whether it is done without being asked: nothing is lost or guessed.
    """

    place: str
    problem: str
    mended: str
    harmless: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}; {self.mended}"


def refuse(notes: Iterable[Note]) -> None:
    """Refuse what is wrong, unless it is harmless.

    Raises
    ------
    ValueError
        If something is; the message names the first and says how many there are.

    Examples
    --------
    >>> refuse([Note("a.tsv, line 3", "there is no output", "the line is left out")])
    Traceback (most recent call last):
    ValueError: a.tsv, line 3: there is no output (mend the file, or use --lenient: the line is left out)
    """
    serious = [note for note in notes if not note.harmless]
    if not serious:
        return
    first, others = serious[0], len(serious) - 1
    more = f"; there are {others} more such problems" if others else ""
    raise ValueError(f"{first.place}: {first.problem} (mend the file, or use --lenient: {first.mended}){more}")
