"""Outputs that judges label wrongly, error rates by length and system, and which of two judges is right more often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rainbow.analysis.differences.metric_differences import metric_differences
from rainbow.analysis.judges.judge_baselines import word_counts
from rainbow.analysis.judges.judge_labels import JudgeLabels, judge_labels
from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.base.lazy import pd
from rainbow.stats.agreement.label_agreement import OVERALL, label_agreement
from rainbow.stats.differences.multiplicity import holm
from rainbow.stats.differences.proportion_differences import (
    group_difference_p,
    mcnemar_p,
    proportion_differences,
    wilson_interval,
)
from rainbow.stats.resampling.bootstrap import bootstrap
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


SEED = 2017
_KEYS = ["item", "system", "output"]
TABLES = ("judge_differences", "metric_differences", "changed_labels")


def has_same_outputs(before: pd.DataFrame, after: pd.DataFrame) -> bool:
    """Return whether the smaller of two runs has only outputs of the other, so that only its scores differ."""
    old, new = ({*table[_KEYS].itertuples(index=False, name=None)} for table in (before, after))
    return old <= new or new <= old


def compare_judge_runs(
    before: pd.DataFrame, after: pd.DataFrame, stands_for: Mapping[str, str], scale: Sequence[str] = ()
) -> dict[str, pd.DataFrame]:
    """Test which of two runs agrees with people better: by labels, and by correlation if there are more than two."""
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in TABLES}
    for score, rating in stands_for.items():
        names = [f"{score} before", f"{score} after"]
        shared = _shared_outputs(before, after, score, names)
        labelled = [*judge_labels(shared, dict.fromkeys(names, rating), scale)]
        if labelled:
            draw = partial(bootstrap, interval="percentile", rng=SEED)
            parts["judge_differences"].append(judge_differences(labelled, draw))
            parts["changed_labels"].append(changed_labels(labelled))
        if shared[rating].nunique() > 2:
            tested = metric_differences(shared, names, [rating], dict.fromkeys(names, True), by="all")
            parts["metric_differences"].append(tested)
    return {name: pd.concat(made, ignore_index=True) for name, made in parts.items() if made}


def _shared_outputs(before: pd.DataFrame, after: pd.DataFrame, score: str, names: Sequence[str]) -> pd.DataFrame:
    """Return the outputs of both runs, with a column for the score of each; equal outputs are matched in order."""
    old, new = (table.assign(place=table.groupby(_KEYS).cumcount()) for table in (before, after))
    keys = [*_KEYS, "place"]
    return old.rename(columns={score: names[0]}).merge(new[[*keys, score]].rename(columns={score: names[1]}), on=keys)


COLUMNS = (
    *("rating", "first", "second", "n", "changed", "better", "worse", "accuracy_first", "accuracy_second"),
    *("test", "p", "p_holm", "kappa_first", "kappa_second", "difference", "low", "high", "reason"),
)
CHANGED_COLUMNS = (
    *("dataset", "rating", "first", "second", "id", "system", "item", "input", "output", "people"),
    *("label_first", "label_second", "right"),
)
_KAPPA = OVERALL.index("kappa")


def judge_differences(labelled: Iterable[JudgeLabels], draw: Any) -> pd.DataFrame:
    """Test for every pair of judges of a rating whether one agrees with people more often."""
    table = tidy_table((_difference_row(*pair, draw) for pair in _judge_pairs(labelled)), COLUMNS)
    return table.assign(p_holm=holm(table["p"].to_numpy(dtype=float)))


def changed_labels(labelled: Iterable[JudgeLabels], draw: Any = None) -> pd.DataFrame:
    """Return the outputs that two judges label differently, with the label of people and which judge is right."""
    rows = (row for pair in _judge_pairs(labelled) for row in _changed_rows(*pair))
    return tidy_table(rows, CHANGED_COLUMNS)


def _judge_pairs(labelled: Iterable[JudgeLabels]) -> Iterator[tuple[JudgeLabels, JudgeLabels]]:
    """Yield every two judges of a rating, with the outputs that both labelled."""
    for pair in combinations(labelled, 2):
        if pair[0].heads["rating"] == pair[1].heads["rating"]:
            both = pair[0].rows.index.intersection(pair[1].rows.index, sort=False)
            first, second = (_select_outputs(each, both) for each in pair)
            yield first, second


def _select_outputs(each: JudgeLabels, index: pd.Index) -> JudgeLabels:
    at = each.rows.index.get_indexer(index)
    return each._replace(rows=each.rows.iloc[at], people=each.people[at], judge=each.judge[at], scores=each.scores[at])


def _difference_row(one: JudgeLabels, other: JudgeLabels, draw: Any) -> dict[str, Any]:
    first, second = ((each.judge == each.people).astype(float) for each in (one, other))
    better, worse = int((second > first).sum()), int((second < first).sum())
    counts = {"n": len(first), "changed": int((one.judge != other.judge).sum()), "better": better, "worse": worse}
    row = {"rating": one.heads["rating"], "first": one.heads["metric"], "second": other.heads["metric"], **counts}
    if not len(first):
        return row | {"reason": "no output has labels of both"}

    def kappas(weights: FloatArray) -> FloatArray:
        values = [label_agreement(one.people, each.judge, weights)[:, :, _KAPPA] for each in (one, other)]
        return np.stack(values, axis=2)

    (test, p), (old, new) = _paired_test(first, second, one.items), kappas(np.ones((1, len(first))))[0, 0]
    low, high, why = (table[0, 0] for table in draw(lambda weights: np.diff(kappas(weights)), one.items))
    return {
        **row,
        **{"accuracy_first": first.mean(), "accuracy_second": second.mean(), "test": test, "p": p},
        **{"kappa_first": old, "kappa_second": new, "difference": new - old, "low": low, "high": high},
        "reason": why if better + worse else "no output is right with one and wrong with the other",
    }


def _paired_test(first: FloatArray, second: FloatArray, items: Any) -> tuple[str, float]:
    """Test whether both are right equally often: McNemar, or a t test by input if inputs have several outputs."""
    if len(np.unique(items)) == len(items):
        return "McNemar", mcnemar_p(second, first)
    p = float(proportion_differences(np.column_stack([first, second]), items)[1][0, 1])
    return "t by input", 1.0 if np.isnan(p) else p


def _changed_rows(one: JudgeLabels, other: JudgeLabels) -> Iterator[dict[str, Any]]:
    for place in np.flatnonzero(one.judge != other.judge):
        labels = one.judge[place], other.judge[place]
        right = [name for name, label in zip(("first", "second"), labels, strict=True) if label == one.people[place]]
        yield {
            **{**one.describe(int(place)), "first": one.heads["metric"], "second": other.heads["metric"]},
            **{"label_first": one.name(labels[0]), "label_second": other.name(labels[1])},
            "right": right[0] if right else "neither",
        }
