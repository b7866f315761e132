"""Tables with one row per rater's answer, with a column for each rating."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rainbow.base.lazy import pd
from rainbow.corpus.error_spans import ERROR_SPANS, ErrorSpan, join_annotators

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
    if "spans" in kept and (spans := [_read_spans(cell) for cell in kept["spans"]]) and any(spans):
        outputs = [repr(cells) for cells in left.drop(columns="rater").itertuples(index=False, name=None)]
        cells = join_annotators(outputs, kept["rater"].map(str).tolist(), spans)
        left = left.assign(**{ERROR_SPANS: pd.Series(cells, index=left.index, dtype=object)})
    return left.assign(**ratings).reset_index(drop=True)


def _read_spans(cell: Any) -> list[ErrorSpan] | None:
    """Return the errors that a rater marked; None for an answer to another question."""
    try:
        return [ErrorSpan(span["start"], span["end"], span["kind"], span["severity"]) for span in json.loads(cell)]
    except (TypeError, ValueError, KeyError):
        return None
