"""Progress of long work, and its interruption (Ctrl-C)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

Step = TypeVar("Step")


class Progress(Protocol):
    """Wrapper around the steps of a task, such as tqdm; ``iter`` shows nothing."""

    def __call__(self, steps: list[Step], /) -> Iterable[Step]: ...


class PartProgress(Protocol):
    """Wrapper around the steps of a named part of a task."""

    def __call__(self, part: str, steps: list[Step], /) -> Iterable[Step]: ...


# Called with the stage (``reading``, ``scoring``, ``writing``), finished rows and the total (None if unknown).
RowProgress = Callable[[str, int, int | None], None]


def silent(stage: str, done: int, total: int | None) -> None:
    """Show no progress of rows."""


def is_interrupt(error: BaseException | None) -> bool:
    """Return whether an error is an interrupt, or was raised because of one."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None
