"""The compared datasets and their common rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rainbow.base.lazy import pd
from rainbow.reports.saved.saved_analysis import SavedAnalysis


class Overlap(NamedTuple):
    """What two score tables have in common."""

    inputs: int  # that stand in both
    outputs: bool  # whether they hold the same outputs for them, row by row


class Datasets(NamedTuple):
    """Datasets with their common ratings and metrics; others are compared with the first."""

    saved: Sequence[SavedAnalysis]
    ratings: list[str]
    metrics: list[str]

    @property
    def first(self) -> SavedAnalysis:
        return self.saved[0]

    @property
    def others(self) -> list[tuple[SavedAnalysis, str]]:
        """The other datasets, with a suffix for names on the page if there are several."""
        several = len(self.saved) > 2
        return [(saved, f"-{place}" * several) for place, saved in enumerate(self.saved[1:], 1)]

    @property
    def names(self) -> list[str]:
        return [saved.name for saved in self.saved]

    @property
    def all_of_them(self) -> str:
        return "both" if len(self.saved) == 2 else f"all {len(self.saved)}"

    def lines(self, saved: SavedAnalysis, rating: str) -> dict[str, Any]:
        """Return the correlations over all outputs of a dataset, by metric."""
        wanted = {"rating": rating, "level": "pooled", "dataset": saved.all_outputs.dataset, "system": "all"}
        return saved.lookup("correlations", "metric", **wanted)


def find_overlap(first: pd.DataFrame, other: pd.DataFrame) -> Overlap:
    """Return the number of common inputs of two score tables, and whether outputs are equal."""
    sides = [input_names(table) for table in (first, other)]
    same = sides[0].equals(sides[1]) and first["output"].equals(other["output"])
    common = {*sides[0].dropna()} & {*sides[1].dropna()}
    return Overlap(len(common), bool(common) and same)


def input_names(scores: pd.DataFrame) -> pd.Series[str]:
    """Return the input of every row: its item with its MR or references."""
    rows = zip(scores["id"], scores["item"], scores["mr"], scores["references"], strict=True)
    names = [
        None if not (mr or references) and item == identity else "\n".join([item, *([mr] if mr else references)])
        for identity, item, mr, references in rows
    ]
    return pd.Series(names, index=scores.index, dtype=object)
