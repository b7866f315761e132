"""Ranking of systems from pairwise comparisons."""

from __future__ import annotations

from collections.abc import Iterable

from rainbow.base.lazy import pd
from rainbow.datasets.columns import Columns
from rainbow.datasets.shapes.comparisons import PREFERENCE
from rainbow.datasets.shapes.shape import Shape
from rainbow.stats.order.position_bias import position_bias
from rainbow.systems.rankings.rankings import rank_systems


def read_comparisons(tables: Iterable[pd.DataFrame], columns: Columns) -> pd.DataFrame:
    """Return two rows per comparison, with its item; the system shown first comes first."""
    parts, before = [], 0
    for frame in tables:
        parts.append(Shape(columns).compared(frame, before))
        before += len(frame)
    table = pd.concat(parts, ignore_index=True)
    item = table["item"] if "item" in table else table[columns.mr or "comparison"]
    return table.assign(item=item.map(str), **{PREFERENCE: pd.to_numeric(table[PREFERENCE])})


def measure_position_bias(comparisons: pd.DataFrame, seed: int = 2017) -> pd.DataFrame:
    """Return how often a preference depends on which system is shown first."""
    first, second = (comparisons.iloc[side::2] for side in (0, 1))
    columns = first["item"].tolist(), first["system"].tolist(), second["system"].tolist(), first[PREFERENCE]
    return pd.DataFrame(position_bias(*columns, rng=seed))


def rank_by_preference(table: pd.DataFrame, seed: int = 2017) -> pd.DataFrame:
    """Return one row per system, the most preferred first."""
    judged = pd.DataFrame(
        {
            "judgement": table["comparison"],
            "item": table["item"],
            "system": table["system"],
            "criterion": PREFERENCE,
            "kind": "preference",
            "value": table[PREFERENCE],
        }
    )
    ranked = rank_systems(judged, method="bradley-terry", rng=seed)
    shares = judged.groupby("system")["value"].mean()
    ranked["preferred"] = ranked["system"].map(shares)
    names = ["system", "comparisons", "preferred", "bradley_terry", "low", "high", "rank_from", "rank_to", "cluster"]
    return ranked[names]
