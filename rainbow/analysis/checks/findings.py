"""Findings of data checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from rainbow.base.lazy import pd

# error: wrong data, comparisons that use this column or these rows are not sound; warning: numbers read without it are
# misleading; note: background; ok: nothing found.
Severity = Literal["error", "warning", "note", "ok"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)


class Finding(NamedTuple):
    """One finding of a check."""

    check: str  # the name of the check
    severity: Severity  # ``error``, ``warning``, ``note`` or ``ok``
    subject: str  # the column, the system or the dataset that it is about
    finding: str  # one sentence with the numbers
    n: int  # the rows, texts or items that it rests on


# A check looks at a table, its metrics and its ratings.
Check = Callable[["pd.DataFrame", Sequence[str], Sequence[str]], Iterator[Finding]]


def join_listing(names: Sequence[str]) -> str:
    """Join names for a sentence."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
