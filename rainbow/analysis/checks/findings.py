"""What a check of a table of scores says: one finding, one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SEVERITIES", "Check", "Finding", "Severity", "listing"]

# error: wrong data, no comparison that uses this column or these rows is sound; warning: beware, a number that is read
# without it misleads; note: what somebody may want to know; ok: looked for and not found.
Severity = Literal["error", "warning", "note", "ok"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)


class Finding(NamedTuple):
    """One thing that a check found.

    Attributes
    ----------
    check
        The name of the check.
    severity
        ``error``, ``warning``, ``note`` or ``ok``.
    subject
        The column, the system or the dataset that it is about.
    finding
        One sentence with the numbers.
    n
        The rows, texts or items that it rests on.
    """

    check: str
    severity: Severity
    subject: str
    finding: str
    n: int


# A check looks at a table, its metrics and its ratings.
Check = Callable[["pd.DataFrame", Sequence[str], Sequence[str]], Iterator[Finding]]


def listing(names: Sequence[str]) -> str:
    """Return names as they stand in a sentence.

    Examples
    --------
    >>> listing(["LOLS"]), listing(["LOLS", "RNNLG", "TGEN"])
    ('LOLS', 'LOLS, RNNLG and TGEN')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
