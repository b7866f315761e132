"""Checks of copies: of inputs, of ratings of whole documents, and of outputs with unequal scores or ratings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from rainbow.analysis.checks.findings import Finding, Severity, join_listing
from rainbow.base.lazy import pd
from rainbow.meaning import parse_if_structured
from rainbow.stats.differences.mean_differences import MeanDifference, paired_t
from rainbow.stats.differences.multiplicity import holm
from rainbow.text.tokens.alphanumeric import alphanumeric_tokens

LEAST_WORDS = 5  # of an output: a shorter one may occur in the input by chance
COPIED_WORDS = 90  # least percent of the words of an output that are consecutive words of the input


def check_copied_inputs(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find datasets with outputs that copy a free-text input."""
    for dataset, part in frame.groupby("dataset", sort=False) if "mr" in frame else ():
        copied = sum(_count_copies(str(text), outputs) for text, outputs in part.groupby("mr", sort=False)["output"])
        if copied:
            finding = (
                f"the input is copied in {copied} of {len(part)} outputs: at least {COPIED_WORDS} % of the words are "
                "consecutive words of the input"
            )
            yield Finding("copied inputs", "warning", str(dataset), finding, len(part))


def _count_copies(text: str, outputs: Iterable[str]) -> int:
    """Return the number of outputs that copy an input; 0 if it is a meaning representation."""
    words = f" {' '.join(alphanumeric_tokens(text))} "
    copies = sum(_is_copy(output, words) for output in outputs)
    return copies if copies and parse_if_structured(text) is None else 0


def _is_copy(output: str, words: str) -> bool:
    """Return whether enough words of an output are consecutive words of the input, which is given in words."""
    own = alphanumeric_tokens(output)
    spare = len(own) * (100 - COPIED_WORDS) // 100
    runs = (own[start : start + len(own) - spare] for start in range(spare + 1))
    return len(own) >= LEAST_WORDS and any(f" {' '.join(run)} " in words for run in runs)


KEYS = ["dataset", "system", "item"]
FEWEST = 3  # wholes of several parts
COPIED_RATINGS = 0.5  # least share of rated outputs that belong to a whole with several parts


def is_rating_copied(rows: pd.DataFrame, rating: str) -> bool:
    """Return whether a rating is constant over several outputs of a system for an input."""
    groups = rows[rows[rating].notna()].groupby(KEYS, sort=False, observed=True)[rating]
    sizes = groups.size()
    several = sizes[sizes > 1]
    if len(several) < FEWEST or several.sum() < COPIED_RATINGS * sizes.sum() or rows[rating].nunique() < 2:
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
