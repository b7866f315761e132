"""Outputs that judges label wrongly, and where their error rates differ: by length and by system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rainbow.analysis.judges.judge_baselines import word_counts
from rainbow.analysis.judges.judge_labels import JudgeLabels
from rainbow.base.arrays import BoolArray
from rainbow.base.lazy import pd
from rainbow.stats.differences.multiplicity import holm
from rainbow.stats.differences.proportion_differences import group_difference_p, wilson_interval
from rainbow.stats.tidy_tables import tidy_table

ERROR_COLUMNS = (
    *("dataset", "rating", "metric", "error", "id", "system", "item", "input", "output"),
    *("people", "judge", "score", "answer"),
)
RATE_COLUMNS = (
    *("dataset", "rating", "metric", "error", "by", "group", "rate", "low", "high", "n", "rate_others", "n_others"),
    *("p", "p_holm", "reason"),
)
# Endings of the column that holds what a judge answered; its name begins with that of the judge.
ANSWERS = ("_reason", "_answer", "_explanation", "_rationale", "_critique")
MIN_EVENTS = 5  # errors, and outputs without one, that a test needs
TERTILES = ("short", "medium", "long")


def judge_errors(labelled: Iterable[JudgeLabels], draw: Any = None) -> pd.DataFrame:
    """Return the outputs on which a judge and people give different labels, largest difference first."""
    return tidy_table((row for each in labelled for row in _error_rows(each)), ERROR_COLUMNS)


def _error_rows(each: JudgeLabels) -> Iterator[dict[str, Any]]:
    answer = next((name for end in ANSWERS if (name := each.heads["metric"] + end) in each.rows), None)
    distances = np.where(each.people != each.judge, np.abs(each.scores - each.people), -1)
    kinds = {kind: wrong for kind, (_, wrong) in _error_kinds(each).items()}
    for place in np.argsort(-distances, kind="stable")[: int((distances >= 0).sum())]:
        error = next(kind for kind, wrong in kinds.items() if wrong[place])
        answered = each.rows[answer].iloc[place] if answer else None
        row = {"judge": each.name(each.judge[place]), "score": each.scores[place], "answer": answered}
        yield {**each.describe(int(place)), "error": error, **row}


def _error_kinds(each: JudgeLabels) -> dict[str, tuple[BoolArray, BoolArray]]:
    """Return by kind of error the outputs where it is possible, and those where it occurred."""
    wrong, labels = each.people != each.judge, np.unique([each.people, each.judge])
    if len(labels) != 2:
        return {"wrong label": (np.ones(len(wrong), dtype=bool), wrong)}
    low, high = (each.people == label for label in labels)
    return {"false positive": (low, low & wrong), "false negative": (high, high & wrong)}


def judge_error_rates(labelled: Iterable[JudgeLabels], draw: Any = None) -> pd.DataFrame:
    """Return the error rates of judges on short, medium and long outputs and on each system."""
    rows = [
        {**each.heads, "error": error, "by": by, **row}
        for each in labelled
        for error, (possible, wrong) in _error_kinds(each).items()
        for by, groups in _groupings(each.rows).items()
        for row in _rate_rows(wrong[possible], groups[possible], each.items[possible])
    ]
    return tidy_table(rows, RATE_COLUMNS)


def _groupings(rows: pd.DataFrame) -> dict[str, NDArray[Any]]:
    """Return the groups of outputs by length and by system."""
    lengths = word_counts(rows)
    ends = np.quantile(lengths, [1 / 3, 2 / 3]) if len(lengths) else np.zeros(2)
    tertiles = np.array(TERTILES)[np.searchsorted(ends, lengths, side="left")]
    return {"length": tertiles, "system": rows["system"].to_numpy(dtype=str)}


def _rate_rows(wrong: BoolArray, groups: NDArray[Any], items: NDArray[Any]) -> list[dict[str, Any]]:
    names = [name for name in dict.fromkeys((*TERTILES, *groups)) if name in groups]
    if len(names) < 2:
        return []
    rows = [{"group": name, **_rate_row(wrong, groups == name, items)} for name in names]
    p = np.array([row["p"] for row in rows])
    p = holm(p) if len(names) > 2 else p  # two groups have the same test
    return [row | {"p_holm": float(corrected)} for row, corrected in zip(rows, p, strict=True)]


def _rate_row(wrong: BoolArray, inside: BoolArray, items: NDArray[Any]) -> dict[str, Any]:
    rates = {"rate": float(wrong[inside].mean()), "rate_others": float(wrong[~inside].mean())}
    low, high = wilson_interval(rates["rate"], len(np.unique(items[inside])))
    counts = {"n": int(inside.sum()), "n_others": int((~inside).sum())}
    few = min(wrong.sum(), (~wrong).sum()) < MIN_EVENTS
    reason = f"fewer than {MIN_EVENTS} outputs with or without the error" if few else None
    p = np.nan if few else group_difference_p(wrong, inside, items)
    return {**rates, "low": low, "high": high, **counts, "p": p, "reason": reason}
