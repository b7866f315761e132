"""Ratings of whole dialogues or documents that were copied to each of their parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rainbow.analysis.checks.findings import Finding
from rainbow.base.lazy import pd

KEYS = ["dataset", "system", "item"]
FEWEST = 3  # wholes of several parts
SHARE = 0.5  # least share of rated outputs that belong to a whole with several parts


def is_rating_copied(rows: pd.DataFrame, rating: str) -> bool:
    """Return whether a rating is constant over several outputs of a system for an input."""
    groups = rows[rows[rating].notna()].groupby(KEYS, sort=False, observed=True)[rating]
    sizes = groups.size()
    several = sizes[sizes > 1]
    if len(several) < FEWEST or several.sum() < SHARE * sizes.sum() or rows[rating].nunique() < 2:
        return False
    return bool((groups.nunique() == 1).all())


def merge_rated_units(rows: pd.DataFrame, metrics: Sequence[str], rating: str) -> pd.DataFrame:
    """Return one row per rated unit: mean scores and concatenated outputs."""
    groups = rows.groupby(KEYS, sort=False, observed=True, as_index=False)
    how: Any = dict.fromkeys(metrics, "mean") | {rating: "first", "output": " ".join}
    wholes: pd.DataFrame = groups.agg(how)
    return wholes[[*KEYS, "output", *metrics, rating]]


def check_copied_ratings(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find ratings of whole units that are repeated for each part."""
    for rating in ratings:
        if is_rating_copied(frame, rating):
            rows = frame[frame[rating].notna()]
            wholes = rows.groupby(KEYS, observed=True).ngroups
            finding = (
                f"{wholes} ratings are copied to {len(rows)} outputs: the verdict counts each once, with the mean "
                "score of its outputs; other tables count every output"
            )
            yield Finding("copied marks", "warning", rating, finding, len(rows))
