"""Order of metrics in tables and figures."""

from __future__ import annotations

from typing import Any

from rainbow.base.lazy import pd
from rainbow.reports.saved.saved_analysis import SavedAnalysis


def oriented_r(saved: SavedAnalysis, lines: pd.DataFrame) -> pd.Series[Any]:
    """Return r of every row, oriented so that higher is better; NaN without a direction."""
    better = lines["metric"].map(saved.higher_is_better)
    turned = lines["r"].where(better.astype(object) == True, -lines["r"])  # noqa: E712
    return turned.where(better.notna())


def order_by_agreement(saved: SavedAnalysis) -> list[str]:
    """Return metrics by agreement with people, without input types and undefined correlations."""
    whole = saved.rows("correlations", level="pooled", **saved.all_outputs.filters)
    agreement = oriented_r(saved, whole).fillna(whole["r"].abs()).groupby(whole["metric"]).mean().dropna()
    names = [str(name) for name in agreement.sort_values(ascending=False, kind="stable").index]
    return [name for name in names if not name.startswith("type_")]
