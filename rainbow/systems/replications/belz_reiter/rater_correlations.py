"""Correlation of single raters, or metric runs, with a whole group."""

from __future__ import annotations

import math

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.corpus.judgements import require_complete
from rainbow.stats.correlation.correlation import Correlation, correlate
from rainbow.stats.tidy_tables import tidy_table

COLUMNS = ("raters", "group", "r_of_means", "mean_r", "mean_r_without_rater", "n_raters", "n_systems", "reason")


def correlate_raters(ratings: pd.DataFrame) -> pd.DataFrame:
    """Correlate system scores of single raters with group means, averaged over the raters.

    Source: Belz, A. and Reiter, E. (2006). Comparing automatic and human evaluation of NLG systems. EACL, table 3, in
    brackets.
    """
    require_complete(ratings, ["rater", "system", "value", "group"])
    groups = ratings.groupby("rater", observed=True)["group"].nunique()
    if (groups > 1).any():
        raise ValueError(f"rater {groups.index[groups > 1][0]!r} is in two groups: use distinct names")
    scores = ratings.pivot_table(index="rater", columns="system", values="value", aggfunc="mean", observed=True)
    of_rater = ratings.groupby("rater", observed=True)["group"].first().reindex(scores.index)
    tables = {str(name): scores[of_rater == name].to_numpy(dtype=float) for name in dict.fromkeys(ratings["group"])}
    lines = [
        {"raters": one, "group": other} | _correlation_line(tables[one], tables[other], one == other)
        for one in tables
        for other in tables
    ]
    return tidy_table(lines, COLUMNS)


def _correlation_line(raters: FloatArray, group: FloatArray, same: bool) -> dict[str, object]:
    """Correlate the rows of one table with the mean row of another, or of the same."""
    mean = _mean_row(group)
    own = _mean_row(raters)
    within = [correlate(row, mean, "pearson") for row in raters]
    others = [np.delete(group, place, axis=0) if same else group for place in range(len(raters))]
    without = [correlate(row, _mean_row(rest), "pearson") for row, rest in zip(raters, others, strict=True)]
    mean_r, n, reason = _mean_correlation(within)
    return {
        "r_of_means": correlate(own, mean, "pearson").r,
        "mean_r": mean_r,
        "mean_r_without_rater": _mean_correlation(without)[0],
        "n_raters": n,
        "n_systems": int((~np.isnan(own) & ~np.isnan(mean)).sum()),
        "reason": reason,
    }


def _mean_row(table: FloatArray) -> FloatArray:
    """Return the mean of each column, ignoring NaN; NaN if it has no value."""
    rated = ~np.isnan(table)
    total: FloatArray = np.where(rated, table, 0.0).sum(axis=0)
    mean: FloatArray = total / np.where(rated.any(axis=0), rated.sum(axis=0), np.nan)
    return mean


def _mean_correlation(correlations: list[Correlation]) -> tuple[float, int, str | None]:
    known = [one.r for one in correlations if not math.isnan(one.r)]
    if known:
        return float(np.mean(known)), len(known), None
    return math.nan, 0, f"no rater has a defined correlation (the first: {correlations[0].reason})"
