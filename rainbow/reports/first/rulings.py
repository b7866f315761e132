"""The verdict on every rating as a page says it, with numbers that know where they stand."""

from __future__ import annotations

from typing import Any, NamedTuple

from rainbow.analysis.verdicts.evidence import LENGTH
from rainbow.reports.number import Number, count, fixed
from rainbow.reports.saved.saved_tables import SavedTables

__all__ = ["MEANING", "Ruling", "best_column", "rulings"]

# What a state is called beside its colour.
MEANING = {"green": "for outputs", "amber": "for systems only", "red": "not yet"}


class Ruling(NamedTuple):
    """Whether a metric may be used for a rating."""

    rating: str
    state: str  # green, amber or red
    metric: str  # empty where there is none
    best: str  # the same, or else the column that agrees best; empty where none agrees
    headline: str
    because: str
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
    texts = line.rating, line.verdict, line.metric, best, line.headline, line.because
    return Ruling(*texts, agreement, low, high, n)


def best_column(saved: SavedTables, rating: str) -> str:
    """Return the column that the verdict names, or else the one that agrees best; empty where none agrees."""
    named = saved.rows("verdicts", rating=rating)["metric"]
    if len(named) and named.iloc[0]:
        return str(named.iloc[0])
    lines = saved.rows("evidence", rating=rating)
    known = lines[lines["metric"] != LENGTH].dropna(subset="agreement") if len(lines) else lines
    return str(known["metric"].iloc[known["agreement"].argmax()]) if len(known) else ""
