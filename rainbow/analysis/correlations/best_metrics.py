"""The best metric of each group for every rating."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rainbow.base.lazy import pd
from rainbow.stats.tidy_tables import require_columns, tidy_table

_PART = ("dataset", "system", "stratum", "level", "rating")
_BEST = ("metric", "r", "low", "high", "p", "p_selected", "n", "candidates", "reason")


def best_metrics(
    table: pd.DataFrame, groups: Mapping[str, str], higher_is_better: Mapping[str, bool | None]
) -> pd.DataFrame:
    """Return the metric of each group with the highest agreement, per rating and part of a table.

    Source: Novikova, Dušek, Cercas Curry and Rieser (2017), Why We Need New Evaluation Metrics for NLG, table 3.
    """
    require_columns(table, ["rating", "metric", "r", "p", "n"])
    known = table[table["metric"].isin(list(groups))]
    if missing := [name for name in known["metric"].unique() if name not in higher_is_better]:
        raise ValueError(f"the direction of {missing[0]!r} is unknown: set it in higher_is_better")
    part = [name for name in _PART if name in table]
    result: dict[tuple[Any, ...], dict[str, list[dict[str, Any]]]] = {}
    for line in known.to_dict("records"):
        of_part = result.setdefault(tuple(line[name] for name in part), {})
        of_part.setdefault(groups[line["metric"]], []).append({str(name): value for name, value in line.items()})
    rows = [
        {**dict(zip(part, key, strict=True)), "group": group, **_best_row(of_part[group], higher_is_better)}
        for key, of_part in result.items()
        for group in dict.fromkeys(groups.values())
        if group in of_part
    ]
    return tidy_table(rows, [*part, "group", *(name for name in _BEST if name not in ("low", "high") or name in table)])


def _best_row(lines: list[dict[str, Any]], higher_is_better: Mapping[str, bool | None]) -> dict[str, Any]:
    agreement = [_agreement(line["r"], higher_is_better[line["metric"]]) for line in lines]
    candidates = sum(value > -math.inf for value in agreement)
    if not candidates:
        undefined = {"metric": None, "r": math.nan, "p": math.nan, "p_selected": math.nan, "n": 0, "candidates": 0}
        return undefined | {"low": math.nan, "high": math.nan, "reason": "no metric of the group has a correlation"}
    best = lines[max(range(len(lines)), key=agreement.__getitem__)]
    selected = {"p_selected": min(1.0, best["p"] * candidates), "candidates": candidates}
    return {"reason": None} | best | selected


def _agreement(r: float, higher_is_better: bool | None) -> float:
    if math.isnan(r):
        return -math.inf
    if higher_is_better is None:
        return max(r, -r)
    return r if higher_is_better else -r
