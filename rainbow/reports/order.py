"""In which order metrics stand in tables and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rainbow.reports.saved.saved_analysis import Saved

if TYPE_CHECKING:
    import pandas as pd


def oriented(saved: Saved, lines: pd.DataFrame) -> pd.Series[Any]:
    """Return r of every row, turned so that higher is better; NaN for metrics without a direction."""
    better = lines["metric"].map(saved.higher_is_better)
    turned = lines["r"].where(better.astype(object) == True, -lines["r"])  # noqa: E712
    return turned.where(better.notna())


def by_agreement(saved: Saved) -> list[str]:
    """Return the metrics that agree most with people first; without types of input, and what has no correlation."""
    whole = saved.rows("correlations", level="pooled", **saved.whole.wanted)
    agreement = oriented(saved, whole).fillna(whole["r"].abs()).groupby(whole["metric"]).mean().dropna()
    names = [str(name) for name in agreement.sort_values(ascending=False, kind="stable").index]
    return [name for name in names if not name.startswith("type_")]
