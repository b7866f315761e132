"""The datasets that are compared, and what the rows of two of them have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.reports.saved.saved_analysis import Saved

if TYPE_CHECKING:
    import pandas as pd


class Shared(NamedTuple):
    """What two tables of scores have in common."""

    inputs: int  # that stand in both
    outputs: bool  # whether they hold the same outputs for them, row by row


class Datasets(NamedTuple):
    """Datasets with the ratings and metrics that all have; the first is what the others are compared with."""

    saved: Sequence[Saved]
    ratings: list[str]
    metrics: list[str]

    @property
    def first(self) -> Saved:
        return self.saved[0]

    @property
    def others(self) -> list[tuple[Saved, str]]:
        """The others, each with what makes names in the page differ where there are several."""
        several = len(self.saved) > 2
        return [(saved, f"-{place}" * several) for place, saved in enumerate(self.saved[1:], 1)]

    @property
    def names(self) -> list[str]:
        return [saved.name for saved in self.saved]

    @property
    def all_of_them(self) -> str:
        return "both" if len(self.saved) == 2 else f"all {len(self.saved)}"

    def lines(self, saved: Saved, rating: str) -> dict[str, Any]:
        """Return the rows of the table of correlations over all outputs of a dataset, by metric."""
        wanted = {"rating": rating, "level": "pooled", "dataset": saved.whole.dataset, "system": "all"}
        return saved.lookup("correlations", "metric", **wanted)


def shared(first: pd.DataFrame, other: pd.DataFrame) -> Shared:
    """Return how many inputs two tables of scores share, and whether the outputs are the same."""
    sides = [inputs_of(table) for table in (first, other)]
    same = sides[0].equals(sides[1]) and first["output"].equals(other["output"])
    common = {*sides[0].dropna()} & {*sides[1].dropna()}
    return Shared(len(common), bool(common) and same)


def inputs_of(scores: pd.DataFrame) -> pd.Series[str]:
    """Return the name of the input of every row: its item with its meaning representation, or with its references."""
    import pandas as pd

    rows = zip(scores["id"], scores["item"], scores["mr"], scores["references"], strict=True)
    names = [
        None if not (mr or references) and item == identity else "\n".join([item, *([mr] if mr else references)])
        for identity, item, mr, references in rows
    ]
    return pd.Series(names, index=scores.index, dtype=object)
