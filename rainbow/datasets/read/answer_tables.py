"""Tables with one row per rater's answer, with a column for each rating."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# The columns that identify such a table; any other describes the output.
ANSWER_COLUMNS = ("rater", "output", "rating", "value", "seconds", "order", "control")
_DROPPED = ("rating", "value", "seconds", "order", "control", "task", "repeat", "spans", "against", "id")


def is_answer_table(columns: Iterable[str]) -> bool:
    """Return whether these are the columns of an answer table."""
    return {*ANSWER_COLUMNS} <= {*columns}


def spread_ratings(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each answer, with a column for each rating, without control items."""
    kept = frame[frame["control"].isin(["", None]) | frame["control"].isna()]
    names = [name for name in kept["rating"].dropna().unique() if name != ""]
    if taken := [name for name in names if name in frame]:
        raise ValueError(f"the rating name {taken[0]!r} is already a column of the table: rename the rating")
    ratings = {name: kept["value"].where(kept["rating"] == name, "") for name in names}
    left = kept.drop(columns=[name for name in _DROPPED if name in kept])
    return left.assign(**ratings).reset_index(drop=True)
