"""The verdict on every rating as a page says it, with numbers that know where they stand."""

from __future__ import annotations

from typing import Any, NamedTuple

from rainbow.reports.number import Number, count, fixed
from rainbow.reports.saved.saved_tables import SavedTables

# What a state is called beside its colour.
MEANING = {"green": "for outputs", "borderline": "not settled", "amber": "for systems only", "red": "not yet"}


class Ruling(NamedTuple):
    """Whether a metric may be used for a rating."""

    rating: str
    state: str  # green, borderline, amber or red
    metric: str  # empty where there is none
    best: str  # the same, or else the column that agrees best; empty where none agrees
    headline: str
    because: str
    left_out: str  # columns that are no candidates, and why
    agreement: Number  # of the best
    low: Number
    high: Number
    n: Number

    @property
    def meaning(self) -> str:
        """What the colour means."""
        return MEANING[self.state]


def rulings(saved: SavedTables) -> list[Ruling]:
    """Return the verdict on every rating, in the order of the ratings."""
    return [_ruling(saved, line) for line in saved.rows("verdicts").itertuples()]


def _ruling(saved: SavedTables, line: Any) -> Ruling:
    agreement, low, high = (saved.number("verdicts", line.Index, name, fixed) for name in ("agreement", "low", "high"))
    best, n = best_column(saved, line.rating), saved.number("verdicts", line.Index, "n", count)
    texts = line.rating, line.verdict, line.metric, best, line.headline, line.because, line.left_out
    return Ruling(*texts, agreement, low, high, n)


def best_column(saved: SavedTables, rating: str) -> str:
    """Return the column that the verdict names, or else the closest one; empty where none agrees."""
    lines = saved.rows("verdicts", rating=rating)
    return str(lines["metric"].iloc[0] or lines["closest"].iloc[0]) if len(lines) else ""
