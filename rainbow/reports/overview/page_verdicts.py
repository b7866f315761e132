"""Verdicts as shown on a page, with the sources of their numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

from rainbow.reports.number_format import Number, format_count, format_fixed
from rainbow.reports.saved.saved_tables import SavedTables

# Label of each state next to its colour.
MEANING = {"green": "for outputs", "borderline": "not settled", "amber": "for systems only", "red": "not yet"}


# The section of docs/verdicts.md that says what to do, by the cause of a red verdict, or by the verdict.
HELP = {
    "constant": "All ratings are the same",
    "too few": "Too few ratings",
    "wrong way": "Columns agree in the wrong direction",
    "inputs": "A column ranks inputs, not outputs",
    "length": "No column beats length",
    "raters": "The raters do not agree",
    "nothing": "Nothing agrees with people",
    "borderline": "Borderline",
    "amber": "Amber: only to compare systems",
}


class PageVerdict(NamedTuple):
    """The verdict on a rating."""

    rating: str
    state: str  # green, borderline, amber or red
    metric: str  # empty for none
    best: str  # the same, or else the column that agrees best; empty where none agrees
    headline: str
    because: str
    left_out: str  # columns that are no candidates, and why
    agreement: Number  # of the best
    low: Number
    high: Number
    n: Number
    help: str = ""  # section of docs/verdicts.md; empty for a green verdict

    @property
    def meaning(self) -> str:
        """Meaning of the colour."""
        return MEANING[self.state]


def page_verdicts(saved: SavedTables) -> list[PageVerdict]:
    """Return the verdict on every rating, in order."""
    return [_page_verdict(saved, line) for line in saved.rows("verdicts").itertuples()]


def _page_verdict(saved: SavedTables, line: Any) -> PageVerdict:
    agreement, low, high = (
        saved.number("verdicts", line.Index, name, format_fixed) for name in ("agreement", "low", "high")
    )
    best, n = best_column(saved, line.rating), saved.number("verdicts", line.Index, "n", format_count)
    texts = line.rating, line.verdict, line.metric, best, line.headline, line.because, line.left_out
    return PageVerdict(*texts, agreement, low, high, n, HELP.get(line.cause or line.verdict, ""))


def best_column(saved: SavedTables, rating: str) -> str:
    """Return the column named by the verdict, or else the closest one; empty if none agrees."""
    lines = saved.rows("verdicts", rating=rating)
    return str(lines["metric"].iloc[0] or lines["closest"].iloc[0]) if len(lines) else ""
