"""Interrupts (Ctrl-C) that a compiled module or a library reports as another error."""

from __future__ import annotations


def is_interrupt(error: BaseException | None) -> bool:
    """Return whether an error is an interrupt, or was raised because of one."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None
