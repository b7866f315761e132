"""One answer of one rater."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """An answer."""

    rater: str  # who says it, of what
    task: str  # who says it, of what
    rating: str  # who says it, of what
    value: Any  # as it is written
    seconds: float  # how long the task was seen; NaN where that is not known
    at: float  # when it was given (milliseconds since 1970), 0 where that is not known: of two answers the later counts
    order: int | None = None  # the how manieth task of the rater it is; None where that is as in the design


class File(NamedTuple):
    """A returned file."""

    study: str  # the name of the study that it is of; empty where it does not say
    answers: Iterator[Answer]  # its content
    edited: bool = False  # whether it is not as it was saved
    own_lists: bool = True  # whether raters have the lists of the design


def belonging_study(names: Iterable[str]) -> str:
    """Return the study of tasks named ``STUDY-TASK``; all of them, if several."""
    return ", ".join(sorted({str(name).partition("-")[0] for name in names}))
