"""Checks for careless raters: failed controls, haste, and constant answers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from rainbow.base.lazy import pd
from rainbow.stats.agreement.raters import rater_against_rest
from rainbow.stats.tidy_tables import tidy_table
from rainbow.study.design import REFERENCE, WORSE

COLUMNS = ("rater", "answers", "controls", "failed", "seconds", "agrees", "flagged")

# A rater who looks fails a control with this probability at most; more failures than that has in 1 of 20 are a flag.
SLIPS, LEVEL = 0.1, 0.05
# Words a second that nobody reads; whoever does so in more than half of the tasks is flagged.
FASTEST = 12
# Number of worse texts for which the test can reach the level.
FEWEST = 3
# Number of equal answers that raises a flag.
ALIKE = 10


def check_raters(answers: pd.DataFrame) -> pd.DataFrame:
    """Return a row per rater with reasons to doubt the answers."""
    agrees = _rater_correlations(answers[(answers["repeat"] == 0) & (answers["control"] == "")])
    rows = [_rater_row(str(rater), own, float(agrees.get(rater, math.nan))) for rater, own in answers.groupby("rater")]
    return tidy_table(rows, COLUMNS)


def _rater_row(rater: str, own: pd.DataFrame, agrees: float) -> dict[str, Any]:
    tasks, scores = own.drop_duplicates("task"), _task_scores(own)
    controls = scores[scores["control"] != ""]
    failed = int(controls["fails"].sum())
    reasons = [*_control_reason(scores, len(controls), failed), *_haste_reason(tasks), *_constant_reason(own)]
    return {
        **{"rater": rater, "answers": len(tasks), "controls": len(controls), "failed": failed},
        **{"seconds": float(tasks["seconds"].median()), "agrees": agrees},
        "flagged": "; ".join(reasons),
    }


def _task_scores(own: pd.DataFrame) -> pd.DataFrame:
    """Return the mean rank (0 to 1) per task, and whether a control fails."""
    own = own[(own["control"] == "") | (own["id"] == "")]  # of a comparison that is a control the worse text
    pairs = own["against"] != ""
    ranks = own["value"].where(pairs, own.groupby("rating")["value"].rank(pct=True))
    scores = own.assign(score=ranks, pairs=pairs).groupby("task")[["score", "pairs", "control"]]
    table = scores.agg({"score": "mean", "pairs": "first", "control": "first"})
    usual = table.loc[(table["control"] == "") & ~table["pairs"], "score"]
    limit = np.where(table["pairs"], 0.5, usual.mean())
    worse = (table["control"] == WORSE) & (table["score"] >= limit)
    return table.assign(fails=worse | ((table["control"] == REFERENCE) & (table["score"] < usual.quantile(0.25))))


def _control_reason(scores: pd.DataFrame, controls: int, failed: int) -> Iterator[str]:
    from scipy.stats import binom, mannwhitneyu

    single = scores[~scores["pairs"]]
    worse, usual = (single.loc[single["control"] == kind, "score"] for kind in (WORSE, ""))
    if failed and binom.sf(failed - 1, controls, SLIPS) < LEVEL:
        yield f"failed {failed} of {controls} controls"
    elif len(worse) >= FEWEST and len(usual) and not mannwhitneyu(worse, usual, alternative="less").pvalue < LEVEL:
        yield f"did not rate {len(worse)} worthless texts below the others"


def _haste_reason(tasks: pd.DataFrame) -> Iterator[str]:
    words = np.array([len(text.split()) for text in tasks["output"]])
    hasty = int((tasks["seconds"].gt(0) & (tasks["seconds"] < words / FASTEST)).sum())
    if 2 * hasty > len(tasks):
        yield f"answered {hasty} of {len(tasks)} tasks faster than anyone can read"


def _constant_reason(own: pd.DataFrame) -> Iterator[str]:
    usual = own[(own["control"] == "") & (own["against"] == "")]
    for rating, values in usual.groupby("rating")["value"]:
        if len(values) >= ALIKE and values.nunique() == 1 and not (usual["spans"] == "[]").all():
            yield f"gave {values.iloc[0]:g} {len(values)} times out of {len(values)} ({rating})"


def _rater_correlations(first: pd.DataFrame) -> pd.Series[float]:
    """Return each rater's mean correlation with the mean of the others."""
    means = first.groupby(["rating", "id", "against", "rater"])["value"].mean().unstack()
    return pd.concat([rater_against_rest(own) for _, own in means.groupby(level="rating")]).groupby("rater")["r"].mean()
