"""One answer of one rater, as a file has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

__all__ = ["Answer", "File"]


class Answer(NamedTuple):
    """An answer.

    Attributes
    ----------
    rater, task, rating
        Who says it, of what.
    value
        As it is written.
    seconds
        How long the task was seen; NaN where that is not known.
    at
        When it was given (milliseconds since 1970), 0 where that is not known: of two answers the later counts.
    """

    rater: str
    task: str
    rating: str
    value: Any
    seconds: float
    at: float


class File(NamedTuple):
    """A file that came back.

    Attributes
    ----------
    study
        The name of the study that it is of; empty where it does not say.
    answers
        What is in it.
    edited
        Whether it is not as it was saved.
    own_lists
        Whether raters have the lists of the design; on platforms whoever comes takes a task of any list.
    """

    study: str
    answers: Iterator[Answer]
    edited: bool = False
    own_lists: bool = True
