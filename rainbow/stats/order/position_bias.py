"""How often a pairwise judgement depends on which of two outputs is shown first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.formatting import format_interval
from rainbow.stats.resampling.bootstrap import bootstrap

# The first shown wins (share of comparisons); of pairs in both orders: the answer changes, to the first, to the second.
MEASURES = ("first_wins", "changed", "changed_to_first", "changed_to_second")


class PositionMeasure(NamedTuple):
    """A share with its interval; n counts comparisons for `first_wins`, otherwise pairs shown in both orders."""

    measure: str
    value: float
    low: float
    high: float
    n: int
    reason: str | None


def position_bias(
    items: Iterable[Any],
    first: Iterable[Any],
    second: Iterable[Any],
    wins: ArrayLike,
    resamples: int = 1000,
    rng: Random = None,
) -> list[PositionMeasure]:
    """Return the :data:`MEASURES` of comparisons, with 95 % intervals from resampled items.

    `wins` is 1 if the output shown first wins, 0 if the second does, and between if they tie.

    Shapes: items, first, second, wins (n,).
    """
    import pandas as pd

    shown = pd.DataFrame(
        {"item": [*items], "first": [*first], "second": [*second], "wins": np.asarray(wins, dtype=float)}
    )
    shown = shown.dropna(subset="wins").groupby(["item", "first", "second"], sort=False)["wins"].mean().reset_index()
    turned = shown.rename(columns={"first": "second", "second": "first"})
    both = shown.merge(turned, on=["item", "first", "second"], suffixes=("", "_turned"))
    both = both[both["first"] != both["second"]]
    lean = np.sign(both["wins"] - 0.5) + np.sign(both["wins_turned"] - 0.5)  # 0: the same output wins in both orders
    columns = [
        (shown["item"], shown["wins"]),
        *((both["item"], changed) for changed in (lean != 0, lean > 0, lean < 0)),
    ]
    sizes = [len(shown), *[len(both) // 2] * 3]
    return [
        _measure(name, codes.to_numpy(), values.to_numpy(dtype=float), size, resamples, rng)
        for name, (codes, values), size in zip(MEASURES, columns, sizes, strict=True)
    ]


def _measure(name: str, items: ArrayLike, values: FloatArray, n: int, resamples: int, rng: Random) -> PositionMeasure:
    if not n:
        reason = "no comparison" if name == MEASURES[0] else "no pair is shown in both orders"
        return PositionMeasure(name, np.nan, np.nan, np.nan, 0, reason)

    def mean(multiplicities: FloatArray) -> FloatArray:
        share: FloatArray = multiplicities @ values / multiplicities.sum(axis=1)
        return share[:, None, None]

    bounds = bootstrap(mean, items, "percentile", resamples=resamples, rng=rng)
    low, high, reason = (table[0, 0] for table in bounds)
    return PositionMeasure(name, float(values.mean()), float(low), float(high), n, reason)


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
