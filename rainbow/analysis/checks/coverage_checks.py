"""Checks of rating coverage: the same items for every system, by equally many raters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rainbow.analysis.checks.findings import Finding, join_listing
from rainbow.base.lazy import pd

# Below this probability, that a system has no half point is not put down to chance.
IMPROBABLE = 0.001


def check_coverage(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find datasets whose items are not covered equally by all systems."""
    rated = frame[frame[list(ratings)].notna().any(axis=1)] if ratings else frame
    for dataset, part in rated.groupby("dataset", sort=False):
        counts = part.groupby(["item", "system"], sort=False).size().unstack("system", fill_value=0)
        if counts.shape[1] == 1:
            finding = f"only {counts.columns[0]} has outputs: no systems can be compared"
            yield Finding("coverage", "note", str(dataset), finding, len(counts))
            continue
        missing = (counts == 0).any(axis=1)
        if missing.any():
            shares = [f"{name} {(counts[name] > 0).sum()}" for name in counts]
            finding = f"{int(missing.sum())} of {len(counts)} items lack some system: {', '.join(shares)} have it"
            yield Finding("coverage", "warning", str(dataset), finding, len(counts))
        unequal = (counts.nunique(axis=1) > 1) & ~missing
        if unequal.any():
            totals = [f"{name} {counts[name].sum()}" for name in counts]
            finding = (
                f"{int(unequal.sum())} of {len(counts)} items have more outputs of one system than of another: "
                f"{', '.join(totals)} in total"
            )
            yield Finding("coverage", "warning", str(dataset), finding, len(counts))


def check_rater_counts(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find ratings that are fractional for some systems only: the numbers of raters differ."""
    for name in ratings:
        values = frame[frame[name].notna()]
        if values[name].max() <= 1:
            continue
        groups = values[name].mod(1).ne(0).groupby(values["system"].astype(str), sort=False)
        shares, sizes = groups.mean(), groups.size()
        whole = shares.index[shares == 0]
        broken = shares.index[shares > 0]
        if not len(whole) or not len(broken):
            continue
        share = float(np.average(shares[broken], weights=sizes[broken]))
        if (1 - share) ** int(sizes[whole].sum()) < IMPROBABLE:
            finding = (
                f"has fractions in {100 * share:.0f} % of {sizes[broken].sum()} outputs of "
                f"{join_listing(list(broken))}, but in none of {sizes[whole].sum()} of "
                f"{join_listing(list(whole))}: medians of different numbers of raters"
            )
            yield Finding("numbers of raters", "warning", name, finding, int(sizes.sum()))
