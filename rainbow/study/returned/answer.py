"""One answer of one rater, as a file has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

__all__ = ["Answer", "File", "of_study", "without_halves"]


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
    order
        The how manieth task of the rater it is; None where that is as in the design.
    """

    rater: str
    task: str
    rating: str
    value: Any
    seconds: float
    at: float
    order: int | None = None


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


def of_study(names: Iterable[str]) -> str:
    """Return the study that tasks are of, which other programs know as ``STUDY-TASK``; all of them, if several.

    Examples
    --------
    >>> of_study(["0a1b-r1-01", "0a1b-r1-02"])
    '0a1b'
    """
    return ", ".join(sorted({str(name).partition("-")[0] for name in names}))


def without_halves(text: str, place: int) -> int:
    r"""Return which character a place is that a browser counted, to which some characters are two (UTF-16).

    Examples
    --------
    >>> without_halves("\U0001f954 is", 3)
    2
    """
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * place].decode("utf-16-le", "ignore"))
