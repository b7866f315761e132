"""The verdict on every rating as a page says it, with numbers that know where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.analysis.verdicts.evidence import LENGTH
from rainbow.reports.number import Number, count, fixed
from rainbow.reports.saved.saved_analysis import Saved

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MEANING", "Ruling", "best_column", "oriented", "rulings"]

# What a state is called beside its colour.
MEANING = {"green": "for outputs", "amber": "for systems only", "red": "not yet"}


class Ruling(NamedTuple):
    """May a metric be used for a rating?"""

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


def rulings(saved: Saved) -> list[Ruling]:
    """Return the verdict on every rating, in the order of the ratings."""
    return [_ruling(saved, line) for line in saved.tables["verdicts"].itertuples()]


def _ruling(saved: Saved, line: Any) -> Ruling:
    numbers = [saved.number("verdicts", line.Index, name, fixed) for name in ("agreement", "low", "high")]
    texts = (line.rating, line.verdict, line.metric, best_column(saved, line.rating), line.headline, line.because)
    return Ruling(*map(str, texts), *numbers, saved.number("verdicts", line.Index, "n", count))


def best_column(saved: Saved, rating: str) -> str:
    """Return the column that the verdict names, or else the one that agrees best; empty where none agrees."""
    named = saved.rows("verdicts", rating=rating)["metric"]
    if len(named) and named.iloc[0]:
        return str(named.iloc[0])
    lines = saved.rows("evidence", rating=rating)
    known = lines[lines["metric"] != LENGTH].dropna(subset="agreement") if len(lines) else lines
    return str(known.loc[known["agreement"].idxmax(), "metric"]) if len(known) else ""


def oriented(saved: Saved, lines: pd.DataFrame) -> pd.Series[Any]:
    """Return r of every row, turned so that higher is better; NaN for metrics without a direction."""
    better = lines["metric"].map(saved.higher_is_better)
    turned = lines["r"].where(better.astype(object) == True, -lines["r"])  # noqa: E712
    return turned.where(better.notna())
