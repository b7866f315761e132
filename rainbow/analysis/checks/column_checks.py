"""Checks of single columns and of their coverage: missing values, outliers, constants, ties, raters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rainbow.analysis.checks.findings import Finding, join_listing
from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.corpus.corpus_table import rater_columns
from rainbow.scoring.table_cells import iterate_cells

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


# A column in which more than this share of the pairs of outputs is tied says little about their order.
MOSTLY = 0.5
# Minimum range of any rating scale.
LEAST_RANGE = 2
# A column that more outputs lack than these is no candidate for a verdict.
MOST_MISSING = 0.1


def check_missing(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find columns with missing or infinite values and where most of them are."""
    n = len(frame)
    if empty := [name for name in metrics if np.isnan(_numbers(frame, name)).all()]:
        # One finding for all: what they need, meaning representations say, is most often not there for any output.
        yield Finding("missing values", "note", join_listing(empty), f"missing in all {n} outputs", n)
    for name in [name for name in [*metrics, *ratings] if name not in empty]:
        values = _numbers(frame, name)
        missing, infinite = int(np.isnan(values).sum()), int(np.isinf(values).sum())
        if missing == n:
            yield Finding("missing values", "error", name, f"missing in all {n} outputs", n)
        elif missing:
            finding = f"missing in {missing} of {n} outputs ({100 * missing / n:.2g} %){_most_missing(frame, name)}"
            yield Finding("missing values", "warning" if missing > MOST_MISSING * n else "note", name, finding, n)
        if infinite:
            yield Finding("missing values", "error", name, f"infinite in {infinite} of {n} outputs", n)


def check_off_scale(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find ratings further from the nearest other one than twice the range of the rest."""
    for name in [column for rating in ratings for column in (rating, *rater_columns(frame, rating))]:
        values = _numbers(frame, name)
        order = np.argsort(values)[: int((~np.isnan(values)).sum())]
        for odd, others in ((order[0], order[1:]), (order[-1], order[:-1])) if len(order) > 2 else ():
            low, high = values[others[0]], values[others[-1]]
            if max(low - values[odd], values[odd] - high) > 2 * max(high - low, LEAST_RANGE):
                output = frame["id"].iloc[odd] if "id" in frame else odd + 1
                finding = f"{values[odd]:g} for output {output}, all others are from {low:g} to {high:g}: is it a typo?"
                yield Finding("ratings off the scale", "warning", name, finding, len(order))


def check_constant(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find constant columns, over all outputs or within a system and dataset."""
    parts = list(iterate_cells(frame, "dataset-system"))
    for name in [*metrics, *ratings]:
        if (value := _constant_value(frame, name)) is not None:
            finding = f"constant ({value:g}) over all {len(frame)} outputs: no correlation is defined"
            yield Finding("constant columns", "error" if name in ratings else "note", name, finding, len(frame))
            continue
        for key, part in parts:
            if (value := _constant_value(part, name)) is not None:
                where = f"{key['system']} on {key['dataset']}"
                finding = (
                    f"constant ({value:g}) over all {len(part)} outputs of {where}: no correlation is defined there"
                )
                yield Finding("constant columns", "warning" if name in ratings else "note", name, finding, len(part))


def check_ties(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find columns in which most pairs of outputs are tied."""
    for name in [*metrics, *ratings]:
        values = _numbers(frame, name)
        result, counts = np.unique(values[~np.isnan(values)], return_counts=True)
        n = int(counts.sum())
        tied = float((counts * (counts - 1.0)).sum()) / (n * (n - 1)) if n > 1 else 0.0
        if tied > MOSTLY and len(result) > 1:
            most = int(counts.argmax())
            finding = (
                f"{100 * tied:.0f} % of all pairs of outputs are tied, and {counts[most]} of {n} outputs have "
                f"{result[most]:g}: it cannot order them"
            )
            yield Finding("ties", "warning" if name in ratings else "note", name, finding, n)


def _numbers(frame: pd.DataFrame, name: str) -> FloatArray:
    return frame[name].to_numpy(dtype=float, na_value=np.nan)


def _most_missing(frame: pd.DataFrame, name: str) -> str:
    """Name the system or dataset with the largest share of missing values."""
    shares = {
        f"those of {key['system']} on {key['dataset']}": float(np.isnan(_numbers(part, name)).mean())
        for key, part in iterate_cells(frame, "dataset-system")
    }
    most = max(shares.values())
    if len(shares) == 1:
        return ""
    return f"; most in {join_listing([where for where, share in shares.items() if share == most])} ({100 * most:.2g} %)"


def _constant_value(frame: pd.DataFrame, name: str) -> float | None:
    """Return the only value of a column; None if it has several or none."""
    values = _numbers(frame, name)
    known = values[~np.isnan(values)]
    return float(known[0]) if len(known) > 1 and (known == known[0]).all() else None
