"""Ranking of systems from pairwise comparisons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rainbow.datasets.columns import Columns
from rainbow.datasets.shapes.pairs import PREFERENCE
from rainbow.datasets.shapes.shape import Shape
from rainbow.systems.rankings.rankings import rank_systems

if TYPE_CHECKING:
    import pandas as pd


def rank_by_preference(tables: Iterable[pd.DataFrame], columns: Columns, seed: int = 2017) -> pd.DataFrame:
    """Return one row per system, the most preferred first."""
    import pandas as pd

    parts, before = [], 0
    for frame in tables:
        parts.append(Shape(columns).compared(frame, before))
        before += len(frame)
    table = pd.concat(parts, ignore_index=True)
    item = table["item"] if "item" in table else table[columns.mr or "comparison"]
    judged = pd.DataFrame(
        {
            "judgement": table["comparison"],
            "item": item.map(str),
            "system": table["system"],
            "criterion": PREFERENCE,
            "kind": "preference",
            "value": pd.to_numeric(table[PREFERENCE]),
        }
    )
    ranked = rank_systems(judged, method="bradley-terry", rng=seed)
    shares = judged.groupby("system")["value"].mean()
    ranked["preferred"] = ranked["system"].map(shares)
    names = ["system", "comparisons", "preferred", "bradley_terry", "low", "high", "rank_from", "rank_to", "cluster"]
    return ranked[names]
