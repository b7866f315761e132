"""Raters who may not have looked: they failed controls, were faster than anybody reads, or always said the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.stats.tidy import records, tidy
from rainbow.study.design import REFERENCE, WORSE

if TYPE_CHECKING:
    import pandas as pd

    from rainbow.study.settings import Settings

__all__ = ["COLUMNS", "rater_table"]

COLUMNS = ("rater", "answers", "controls", "failed", "seconds", "agrees", "flagged")

# A rater who looks fails a control with this probability at most; more failures than that has in 1 of 20 are a flag.
SLIPS, LEVEL = 0.1, 0.05
# Words a second that nobody reads; whoever does so in more than half of the tasks is flagged.
FASTEST = 12
# So many answers that are all the same are a flag.
ALIKE = 10


def rater_table(answers: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return a row for each rater, with the reasons to doubt the answers.

    A worse text is failed by a value that is not below the mean of what the rater gave other texts, a reference by one
    in their lowest quarter, a comparison by preferring the worse text, or neither.

    Parameters
    ----------
    answers
        See :func:`~rainbow.study.returned.collect.collect`.
    settings
        Of the study.

    Returns
    -------
    DataFrame
        `rater`, `answers` (tasks), `controls`, `failed`, `seconds` (the median of a task), `agrees` (mean correlation
        of the ratings with the mean of the others'), `flagged` (the reasons; empty for none).
    """
    first = answers[answers["repeat"] == 0]
    means = first[first["control"] == ""].groupby(["rating", "id", "against", "rater"])["value"].mean().unstack()
    rows = [_row(str(rater), own, means) for rater, own in answers.groupby("rater")]
    return tidy(rows, COLUMNS)


def _row(rater: str, own: pd.DataFrame, means: pd.DataFrame) -> dict[str, Any]:
    controls = own[own["control"] != ""]
    controls = controls[controls["id"] == ""]  # of a comparison the worse text
    failed = sum(_fails(own, control) for control in records(controls))
    tasks = own.drop_duplicates("task")
    return {
        **{"rater": rater, "answers": len(tasks), "controls": len(controls), "failed": failed},
        **{"seconds": float(tasks["seconds"].median()), "agrees": _agrees(rater, means)},
        "flagged": "; ".join(_reasons(own, tasks, len(controls), failed)),
    }


def _fails(own: pd.DataFrame, control: dict[str, Any]) -> bool:
    if control["against"]:
        return bool(control["value"] >= 0.5)
    usual = own.loc[(own["rating"] == control["rating"]) & (own["control"] == ""), "value"]
    if usual.empty:
        return False
    limit = {WORSE: usual.mean(), REFERENCE: usual.quantile(0.25)}[control["control"]]
    return bool(control["value"] >= limit if control["control"] == WORSE else control["value"] < limit)


def _reasons(own: pd.DataFrame, tasks: pd.DataFrame, controls: int, failed: int) -> list[str]:
    from scipy.stats import binom

    reasons = []
    if failed and binom.sf(failed - 1, controls, SLIPS) < LEVEL:
        reasons.append(f"failed {failed} of {controls} controls")
    words = np.array([len(text.split()) for text in tasks["output"]])
    hasty = tasks["seconds"].gt(0) & (tasks["seconds"] < words / FASTEST)
    if 2 * hasty.sum() > len(tasks):
        reasons.append(f"answered {hasty.sum()} of {len(tasks)} tasks faster than anybody reads")
    usual = own[(own["control"] == "") & (own["against"] == "")]
    for rating, values in usual.groupby("rating")["value"]:
        if len(values) >= ALIKE and values.nunique() == 1 and not (usual["spans"] == "[]").all():
            reasons.append(f"gave {values.iloc[0]:g} {len(values)} times of {len(values)} ({rating})")
    return reasons


def _agrees(rater: str, means: pd.DataFrame) -> float:
    """Return the mean over ratings of the correlation with the mean of the other raters; NaN where there is none."""
    if rater not in means:
        return float("nan")
    others = means.drop(columns=rater).mean(axis=1)
    parts = [own[rater] for _, own in means.groupby(level="rating")]
    found = [own.corr(others.loc[own.index]) for own in parts if own.nunique() > 1]
    return float(np.mean(found)) if found else float("nan")
