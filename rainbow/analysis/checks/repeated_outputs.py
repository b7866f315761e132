"""Checks of repeated texts: equal scores, and equal ratings across systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from rainbow.analysis.checks.findings import Finding, Severity, join_listing
from rainbow.base.lazy import pd
from rainbow.stats.differences.mean_differences import MeanDifference, paired_t
from rainbow.stats.differences.multiplicity import holm

# Scores that are nearer to each other than this, relative to the range of the column, are equal but for rounding.
_ROUNDING = 1e-6
# Differences in a smaller share of the outputs may be slips in single texts that were edited after scoring.
SYSTEMATIC = 0.1
# Below this p, that identical texts are rated differently under two systems is not put down to chance.
SIGNIFICANT = 0.01


def check_repeated_scores(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find metrics that score the same output for the same input differently."""
    for dataset, part in frame.groupby("dataset", sort=False):
        same = ["item", "output", *(["references"] if "references" in part else [])]  # which a score may depend on
        repeated = _repeated_rows(part, same)
        systems = join_listing([str(name) for name in repeated["system"].unique()])
        for name in metrics:
            spread = _value_ranges(repeated, same, name)
            differing = spread > _ROUNDING * float(frame[name].max() - frame[name].min())
            if differing.any():
                severity: Severity = "error" if differing.mean() > SYSTEMATIC else "warning"
                finding = (
                    f"differs in {int(differing.sum())} of {len(spread)} outputs that occur more than once for the "
                    f"same input on {dataset} (as {systems}), by up to {spread.max():.2g}"
                )
                yield Finding("repeated outputs: scores", severity, name, finding, len(spread))


def check_repeated_ratings(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Report how much ratings of the same output for the same input differ."""
    keys = ["dataset", "item", "output"]
    repeated = _repeated_rows(frame, keys)
    for name in ratings:
        known = _repeated_rows(repeated[repeated[name].notna()], keys)
        if len(known):
            spread = _value_ranges(known, keys, name)
            finding = (
                f"differs in {int((spread > 0).sum())} of {len(spread)} outputs that occur more than once for the same "
                f"input; the mean range is {spread.mean():.2g}"
            )
            yield Finding("repeated outputs: ratings", "note", name, finding, len(spread))


def check_batch_effects(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find ratings that differ between two systems for identical texts."""
    systems = [str(name) for name in frame["system"].unique()]
    tested: list[tuple[str, str, str, MeanDifference]] = []
    for name in ratings:
        means = frame.groupby(["dataset", "output", "system"])[name].mean().unstack("system")
        for first, second in combinations(systems, 2):
            if not math.isnan((result := paired_t(means[first], means[second])).p):
                tested.append((name, first, second, result))
    corrected = holm([result.p for *_, result in tested]) if tested else ()
    for (name, first, second, result), p in zip(tested, corrected, strict=True):
        if p < SIGNIFICANT:
            more, points = "more" if result.difference > 0 else "less", abs(result.difference)
            pairs = f" after correction for {len(tested)} tests" if len(tested) > 1 else ""
            finding = (
                f"{result.n_first} texts that occur under both get {points:.3g} points "
                f"({points / frame[name].std():.1f} standard deviations) {more} as {first} than as {second} "
                f"({'p < 0.001' if p < 0.001 else f'p = {p:.1g}'}{pairs}): a batch effect"
            )
            yield Finding("batch effects", "error", name, finding, result.n_first)


def _repeated_rows(frame: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    return frame[frame.duplicated(keys, keep=False)]


def _value_ranges(frame: pd.DataFrame, keys: list[str], name: str) -> pd.Series[float]:
    """Return the range of the values of each output."""
    groups = frame.groupby(keys, sort=False)[name]
    return groups.max() - groups.min()
