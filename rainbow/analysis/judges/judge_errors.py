"""Outputs that judges label wrongly, and where their error rates differ: by length and by system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rainbow.analysis.judges.judge_baselines import word_counts
from rainbow.analysis.judges.judge_labels import LabelledOutputs, label_names, labelled_outputs
from rainbow.base.arrays import BoolArray
from rainbow.stats.differences.multiplicity import holm
from rainbow.stats.differences.proportion_differences import group_difference_p, wilson_interval
from rainbow.stats.tidy_tables import tidy_table

if TYPE_CHECKING:
    import pandas as pd

POSITIVE, NEGATIVE, OTHER = "false positive", "false negative", "wrong label"
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


def judge_errors(frame: pd.DataFrame, stands_for: Mapping[str, str], scale: Sequence[str] = ()) -> pd.DataFrame:
    """Return the outputs on which a judge and people give different labels, largest difference first."""
    rows = [row for each in labelled_outputs(frame, stands_for, "all") for row in _error_rows(each, scale)]
    return tidy_table(rows, ERROR_COLUMNS)


def _error_rows(each: LabelledOutputs, scale: Sequence[str]) -> Iterator[dict[str, Any]]:
    kinds = _error_kinds(each)
    names = dict(zip(each.labels, label_names(each.labels, scale), strict=True))
    answer = next((name for end in ANSWERS if (name := each.metric + end) in each.rows), None)
    wrong = np.flatnonzero(each.people != each.judge)
    for place in wrong[np.argsort(-np.abs(each.scores - each.people)[wrong], kind="stable")]:
        row = each.rows.iloc[place]
        yield {
            **{name: row[name] for name in ("dataset", "id", "system", "item", "output")},
            **{"rating": each.rating, "metric": each.metric, "input": row["mr"]},
            "error": next(kind for kind, (_, events) in kinds.items() if events[place]),
            **{"people": names[each.people[place]], "judge": names[each.judge[place]], "score": each.scores[place]},
            "answer": row[answer] if answer else None,
        }


def _error_kinds(each: LabelledOutputs) -> dict[str, tuple[BoolArray, BoolArray]]:
    """Return by kind of error the outputs where it is possible, and those where it occurred."""
    wrong, labels = each.people != each.judge, each.labels
    if len(labels) != 2:
        return {OTHER: (np.ones(len(wrong), dtype=bool), wrong)}
    low, high = (each.people == label for label in labels)
    return {POSITIVE: (low, low & wrong), NEGATIVE: (high, high & wrong)}


def judge_error_rates(frame: pd.DataFrame, stands_for: Mapping[str, str]) -> pd.DataFrame:
    """Return the error rates of judges on short, medium and long outputs and on each system."""
    rows = [
        {**each.heads, "error": error, "by": by, **row}
        for each in labelled_outputs(frame, stands_for, "all")
        for error, (possible, wrong) in _error_kinds(each).items()
        for by, groups in _groupings(each.rows).items()
        for row in _rate_rows(wrong[possible], groups[possible], each.items.to_numpy()[possible])
    ]
    return tidy_table(rows, RATE_COLUMNS)


def _groupings(rows: pd.DataFrame) -> dict[str, NDArray[Any]]:
    """Return the groups of outputs by length and by system."""
    lengths = word_counts(rows)
    ends = np.quantile(lengths, [1 / 3, 2 / 3]) if len(lengths) else np.zeros(2)
    return {
        "length": np.array(TERTILES)[np.searchsorted(ends, lengths, side="left")],
        "system": rows["system"].to_numpy(dtype=str),
    }


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
