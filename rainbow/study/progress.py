"""Progress of a study: agreement, differences, and whether the target is reached."""

from __future__ import annotations

import math
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.stats.agreement.krippendorff import krippendorff_alpha
from rainbow.stats.agreement.rating_matrix import Agreement
from rainbow.stats.estimation.always_valid import always_valid_half_width, t_half_width
from rainbow.stats.estimation.sample_size import interval_power, paired_t_power, required_rows
from rainbow.stats.tidy_tables import records, tidy_table
from rainbow.study.design import AT_END, EARLY
from rainbow.study.settings import Settings, Target

COLUMNS = ("rating", "first", "second", "n", "difference", "low", "high", "deviation", "settled")

# Inputs that a look before the end wants: with fewer the deviation is not known well enough.
FEWEST = 20


class StoppingVerdict(NamedTuple):
    """Whether a study may stop, and why."""

    enough: bool  # whether what was aimed at is reached, or all that was planned is there
    because: str  # in a sentence


def rating_agreement(
    answers: pd.DataFrame, rating: str, *, self_agreement: bool = False, seed: int = 2017
) -> Agreement:
    """Return Krippendorff's alpha (interval) with a bootstrap interval, between or within raters."""
    own = answers[(answers["rating"] == rating) & (answers["control"] == "")]
    if (own["against"] != "").any():
        own = own.sort_values(["item", "system"], kind="stable").drop_duplicates(["task"])
    rows, columns = ["id", "against"], "rater"
    if self_agreement:
        rows, columns = [*rows, "rater"], "repeat"
    else:
        own = own[own["repeat"] == 0]
    table = own.groupby([*rows, columns])["value"].mean().unstack()
    return krippendorff_alpha(table.to_numpy(dtype=float), "interval", rng=seed)


def system_differences(answers: pd.DataFrame, settings: Settings, *, complete: bool) -> pd.DataFrame:
    """Return the difference of mean ratings of every two systems, with intervals."""
    rows: list[dict[str, Any]] = []
    for rating, own in answers[answers["control"] == ""].groupby("rating", sort=False):
        target = settings.target if settings.target and settings.target.rating == rating else None
        systems = sorted(own["system"].unique())
        means = None if (own["against"] != "").any() else _item_means(own)
        for first, second in combinations(systems, 2):
            if means is None:
                compared = own["system"].isin([first, second]) & own["against"].isin([first, second])
                alone = own[own["system"].isin([first, second])].assign(value=math.nan)  # never compared
                both = _item_means(own[compared] if compared.any() else alone)
            else:
                both = means
            values = (both[first] - both[second]).dropna().to_numpy(dtype=float)
            result = _difference_interval(values, settings.items, comb(len(systems), 2), complete)
            settled = None if target is None else _is_decided(result, target, len(values), complete)
            rows.append({"rating": rating, "first": first, "second": second, **result, "settled": settled})
    return tidy_table(rows, COLUMNS)


def _item_means(own: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of each system per input; NaN if there is none."""
    return own.groupby(["dataset", "item", "system"])["value"].mean().unstack()


def _difference_interval(values: FloatArray, planned: int, pairs: int, complete: bool) -> dict[str, Any]:
    n = len(values)
    mean, deviation = (float(values.mean()), float(values.std(ddof=1))) if n > 1 else (math.nan, math.nan)
    if complete:
        half = t_half_width(deviation, n, AT_END / pairs)
    else:
        half = always_valid_half_width(deviation, n, planned, EARLY / pairs)
    return {"n": n, "difference": mean, "low": mean - half, "high": mean + half, "deviation": deviation}


def _is_decided(row: dict[str, Any], target: Target, n: int, complete: bool) -> bool:
    """Return whether the interval is narrow enough or decides about the target difference."""
    low, high = row["low"], row["high"]
    if not math.isfinite(high - low) or (n < FEWEST and not complete):
        return False
    if target.margin is not None:
        return bool(high - low <= 2 * target.margin)
    limit = target.difference or 0.0
    return bool(low > 0 or high < 0 or (-limit < low and high < limit))


def stopping_verdict(table: pd.DataFrame, settings: Settings, *, missing: int) -> StoppingVerdict:
    """Return whether a study may stop."""
    target = settings.target
    own = table[table["rating"] == target.rating] if target else table.iloc[:0]
    if target and len(own) and own["settled"].all():
        goal = f"no interval has a half-width above {target.margin:g}" if target.margin else ("every pair is decided")
        return StoppingVerdict(True, f"done: {goal} ({target.rating})")
    if not missing:
        return StoppingVerdict(
            True, "all planned answers are complete" + (f", {_shortfall(own, target)}" if target else "")
        )
    return StoppingVerdict(
        False, f"not done: {missing} answers are missing" + (f"; {_shortfall(own, target)}" if target else "")
    )


def _shortfall(own: pd.DataFrame, target: Target) -> str:
    """Describe what is not reached, and the number of inputs it would take."""
    open_ones = own[~own["settled"].astype(bool)]
    progress = f"{len(own) - len(open_ones)} of {len(own)} pairs of systems are decided ({target.rating})"
    sizes = [_required_inputs(row, target, len(own)) for row in records(open_ones)]
    known = [size for size in sizes if size]
    return (
        f"{progress}; at the current variance, {max(known)} inputs in total would reach the target"
        if known
        else progress
    )


def _required_inputs(row: dict[str, Any], target: Target, pairs: int) -> int | None:
    deviation, level = row["deviation"], AT_END / pairs
    if not deviation > 0:
        return None
    power = paired_t_power if target.margin is None else interval_power
    goal = target.margin or target.difference or 0.0
    return required_rows(lambda n: power(goal, deviation, n, level), target.power)
