"""How often a pairwise judgement depends on which of two outputs is shown first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.formatting import format_interval
from rainbow.base.lazy import pd
from rainbow.stats.resampling.bootstrap import bootstrap

# The first shown wins (share of comparisons); of pairs in both orders: the answer changes, to the first, to the second.
MEASURES = ("first_wins", "changed", "changed_to_first", "changed_to_second")


def position_bias(
    items: Iterable[Any], first: Iterable[Any], second: Iterable[Any], wins: Iterable[float], rng: Random = None
) -> list[dict[str, Any]]:
    """Return the :data:`MEASURES` with intervals; `wins` is 1 if the output shown first wins, 0 if the second does.

    Shapes: items, first, second, wins (n,).
    """
    shown = pd.DataFrame({"item": [*items], "first": [*first], "second": [*second], "wins": [*wins]})
    shown = shown.dropna(subset="wins").groupby(["item", "first", "second"], sort=False)["wins"].mean().reset_index()
    turned = shown.rename(columns={"first": "second", "second": "first"})
    both = shown[shown["first"] != shown["second"]].merge(
        turned, on=["item", "first", "second"], suffixes=("", "_turned")
    )
    lean = np.sign(both["wins"] - 0.5) + np.sign(both["wins_turned"] - 0.5)  # 0: the same output wins in both orders
    shares = [(shown["item"], shown["wins"], len(shown))]
    shares += [(both["item"], changed, len(both) // 2) for changed in (lean != 0, lean > 0, lean < 0)]
    return [
        {"measure": name, **_share_row(codes.to_numpy(), values.to_numpy(dtype=float), rng), "n": n}
        for name, (codes, values, n) in zip(MEASURES, shares, strict=True)
    ]


def _share_row(items: ArrayLike, values: FloatArray, rng: Random) -> dict[str, Any]:
    if not len(values):
        return {"value": np.nan, "low": np.nan, "high": np.nan, "reason": "no pair is shown in both orders"}
    bounds = bootstrap(
        lambda counts: (counts @ values / counts.sum(axis=1))[:, None, None], items, "percentile", rng=rng
    )
    low, high, reason = (table[0, 0] for table in bounds)
    return {"value": float(values.mean()), "low": float(low), "high": float(high), "reason": reason}


def position_sentence(measures: Sequence[Mapping[str, Any]]) -> str:
    """Return the position bias in words."""
    rows = {row["measure"]: row for row in measures}
    first, changed, to_first, to_second = (rows[name] for name in MEASURES)
    says = f"the first output wins {_share(first)} of {first['n']:.0f} comparisons"
    if not changed["n"]:
        return f"{says}; {changed['reason']}"
    sides = f"to the first {to_first['value']:.0%}, to the second {to_second['value']:.0%}"
    return f"{says}; the answer changes with the order in {_share(changed)} of {changed['n']:.0f} pairs ({sides})"


def _share(row: Mapping[str, Any]) -> str:
    ends = format_interval(row["low"], row["high"], "{:.0%}".format, "no interval")
    return f"{row['value']:.0%} ({ends})"
