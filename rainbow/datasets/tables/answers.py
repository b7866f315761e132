"""Tables with a row for each answer of a rater, as a study writes them, of which each rating gets a column."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ANSWER_COLUMNS", "is_answers", "spread"]

# What tells such a table from others; what stands beside them is about the output.
ANSWER_COLUMNS = ("rater", "output", "rating", "value", "seconds", "order", "control")
_OF_ASKING = ("rating", "value", "seconds", "order", "control", "task", "repeat", "spans", "against", "id")


def is_answers(columns: Iterable[str]) -> bool:
    """Return whether these are the columns of a table of answers."""
    return {*ANSWER_COLUMNS} <= {*columns}


def spread(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each answer, with a column for each rating; without controls, which are no system's outputs.

    An output that nobody was asked about stays, with no rating.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [["r1", "an inn", "quality", "5", "3", "1", ""], ["r1", "inn an", "quality", "1", "2", "2", "worse"]]
    >>> spread(pd.DataFrame(rows, columns=list(ANSWER_COLUMNS))).values.tolist()
    [['r1', 'an inn', '5']]
    """
    kept = frame[frame["control"].isin(["", None]) | frame["control"].isna()]
    names = [name for name in kept["rating"].dropna().unique() if name != ""]
    if taken := [name for name in names if name in frame]:
        raise ValueError(f"a rating is called {taken[0]!r}, as a column of the table is: call it otherwise")
    ratings = {name: kept["value"].where(kept["rating"] == name, "") for name in names}
    left = kept.drop(columns=[name for name in _OF_ASKING if name in kept])
    return left.assign(**ratings).reset_index(drop=True)
