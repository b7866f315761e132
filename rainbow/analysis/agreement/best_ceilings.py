"""The ceiling for a metric's correlation with each rating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rainbow.analysis.agreement.ceiling import ceiling_from_repeats, ceiling_table
from rainbow.base.lazy import pd

# From single raters where they are known, else from outputs that were rated twice.
_SOURCES = ("spearman with the median", "from repeated outputs")
FEWEST = 20  # outputs that were rated more than once


def all_ceilings(frame: pd.DataFrame, ratings: Sequence[str], seed: int | Sequence[int]) -> pd.DataFrame:
    """Return all ceiling estimates: from single raters and from outputs rated more than once."""
    single = ceiling_table(frame, ratings, rng=np.random.default_rng(seed))
    repeats = ceiling_from_repeats(frame, ratings, batch=["dataset", "system"], rng=np.random.default_rng(seed))
    few = repeats["estimate"].notna() & (repeats["n_items"] < FEWEST)
    interval_text = (
        "only " + repeats["n_items"].astype(str) + (f" outputs were rated more than once; at least {FEWEST} are needed")
    )
    repeats = repeats.assign(reason=repeats["reason"].where(~few, interval_text))
    repeats.loc[few, ["estimate", "low", "high"]] = np.nan
    return pd.concat([single, repeats], ignore_index=True)


def best_ceilings(table: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the Spearman ceiling of each rating that has one: measure, estimate, low, high."""
    columns = ["rating", "measure", "estimate", "low", "high"]
    chosen: dict[str, dict[str, Any]] = {}
    known = table.dropna(subset="estimate")
    for source in _SOURCES:
        lines = known[known["measure"].str.contains(source)]
        for line in lines[columns].itertuples(index=False, name=None):
            chosen.setdefault(line[0], dict(zip(columns, line, strict=True)))
    return chosen


def ceiling_intervals(table: pd.DataFrame) -> dict[str, tuple[float, float, float]]:
    """Return the ceiling of each rating that has one, with its interval."""
    return {rating: (line["estimate"], line["low"], line["high"]) for rating, line in best_ceilings(table).items()}


def missing_ceiling_reasons(table: pd.DataFrame) -> dict[str, str]:
    """Return why a rating has no Spearman ceiling."""
    best = best_ceilings(table)
    lines = table[table["measure"].str.contains("|".join(_SOURCES)) & ~table["rating"].isin(list(best))]
    groups = lines.groupby("rating", sort=False)["reason"]
    return {str(rating): "; ".join(dict.fromkeys(reasons.dropna())) for rating, reasons in groups}
