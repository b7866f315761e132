"""How well one rater, or one run of a metric, stands for a whole group."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.corpus.judgements import require_full
from rainbow.stats.correlation.correlation import Correlation, correlate
from rainbow.stats.tidy import tidy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["rater_correlations"]


COLUMNS = ("raters", "group", "r_of_means", "mean_r", "mean_r_without_rater", "n_raters", "n_systems", "reason")


def rater_correlations(ratings: pd.DataFrame) -> pd.DataFrame:
    """Correlate the system scores of single raters with the mean system scores of a group, averaged over the raters.

    Correlations are Pearson's. A rater's score of a system is the mean of the rater's values for it; a group's is the
    mean of its raters' scores. Between a rater and the rater's own group the plain mean of the correlations is too
    high, since the rater is part of the group's mean: the one without the rater compares each with the others only.
    Runs of a metric, say on several test sets, can stand in place of raters.

    Parameters
    ----------
    ratings
        A row per rating: `rater`, `system`, `value` and `group` (experts, non-experts, ...), on a scale that raters
        share.

    Returns
    -------
    DataFrame
        A row for each two groups, and each with itself: `raters` (the group whose single raters are correlated),
        `group` (the one whose means they are correlated with), `r_of_means` (of the two groups' means), `mean_r`,
        `mean_r_without_rater` (the same between different groups), `n_raters` (who have a correlation, with systems
        enough and scores that vary), `n_systems` (that both groups rated), `reason` (why there is no mean, else None).

    Raises
    ------
    ValueError
        If a column is missing or has gaps, or a rater belongs to two groups.

    References
    ----------
    Belz, A. and Reiter, E. (2006). Comparing automatic and human evaluation of NLG systems. EACL, table 3, in brackets.

    Examples
    --------
    >>> import pandas as pd
    >>> ratings = pd.DataFrame({"rater": np.repeat([*"xyz"], 4), "system": [*"ABCD"] * 3, "group": "experts"})
    >>> ratings["value"] = [1, 2, 3, 4, 2, 1, 4, 3, 1, 3, 2, 4]
    >>> rater_correlations(ratings)[["r_of_means", "mean_r", "mean_r_without_rater", "n_raters"]].round(3)
       r_of_means  mean_r  mean_r_without_rater  n_raters
    0         1.0   0.803                 0.584         3
    """
    require_full(ratings, ["rater", "system", "value", "group"])
    groups = ratings.groupby("rater", observed=True)["group"].nunique()
    if (groups > 1).any():
        raise ValueError(f"rater {groups.index[groups > 1][0]!r} belongs to two groups: give each another name")
    scores = ratings.pivot_table(index="rater", columns="system", values="value", aggfunc="mean", observed=True)
    of_rater = ratings.groupby("rater", observed=True)["group"].first().reindex(scores.index)
    tables = {str(name): scores[of_rater == name].to_numpy(dtype=float) for name in dict.fromkeys(ratings["group"])}
    lines = [
        {"raters": one, "group": other} | _line(tables[one], tables[other], one == other)
        for one in tables
        for other in tables
    ]
    return tidy(lines, COLUMNS)


def _line(raters: FloatArray, group: FloatArray, same: bool) -> dict[str, object]:
    """Correlate the rows of one table with the mean row of another, or of the same."""
    mean = _mean_row(group)
    own = _mean_row(raters)
    within = [correlate(row, mean, "pearson") for row in raters]
    others = [np.delete(group, place, axis=0) if same else group for place in range(len(raters))]
    without = [correlate(row, _mean_row(rest), "pearson") for row, rest in zip(raters, others, strict=True)]
    mean_r, n, reason = _mean(within)
    return {
        "r_of_means": correlate(own, mean, "pearson").r,
        "mean_r": mean_r,
        "mean_r_without_rater": _mean(without)[0],
        "n_raters": n,
        "n_systems": int((~np.isnan(own) & ~np.isnan(mean)).sum()),
        "reason": reason,
    }


def _mean_row(table: FloatArray) -> FloatArray:
    """Return the mean of each column that has a value, NaN for the others."""
    rated = ~np.isnan(table)
    total: FloatArray = np.where(rated, table, 0.0).sum(axis=0)
    mean: FloatArray = total / np.where(rated.any(axis=0), rated.sum(axis=0), np.nan)
    return mean


def _mean(found: list[Correlation]) -> tuple[float, int, str | None]:
    known = [one.r for one in found if not math.isnan(one.r)]
    if known:
        return float(np.mean(known)), len(known), None
    return math.nan, 0, f"no rater has a correlation (the first: {found[0].reason})"
