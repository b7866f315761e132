"""Agreement of judges with the labels of people, next to a constant judge and a single rater."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.analysis.judges.judge_baselines import numeric_values
from rainbow.analysis.judges.judge_labels import JudgeLabels
from rainbow.base.arrays import FloatArray
from rainbow.corpus import rater_columns
from rainbow.stats.agreement.label_agreement import OVERALL, PER_LABEL, label_agreement, left_out_votes
from rainbow.stats.tidy_tables import tidy_table

if TYPE_CHECKING:
    import pandas as pd

# A rater against the majority vote of the others, and the judge against the same votes.
JUDGE, CONSTANT, RATER, SAME_RATERS = "judge", "constant", "rater", "judge, same votes"
UNDEFINED = {"precision": "it never gives this label", "recall": "people never give this label"}
COLUMNS = ("dataset", "rating", "metric", "kind", "predicts", "label", "measure", "value", "low", "high", "n", "reason")


def judge_agreement(labelled: Iterable[JudgeLabels], draw: Any) -> pd.DataFrame:
    """Return how well labels of judges agree with those of people, and how well a constant and a rater would."""
    return tidy_table((row for each in labelled for row in _judge_rows(each, draw)), COLUMNS)


def _judge_rows(each: JudgeLabels, draw: Any) -> Iterator[dict[str, Any]]:
    heads = {**each.heads, "kind": JUDGE, "predicts": "", "label": ""}
    if not len(each.rows):
        yield {**heads, "measure": OVERALL[0], "n": 0, "reason": each.reason or "no output has both labels"}
        return
    items, one = each.items, np.ones(len(each.rows))
    values, counts = np.unique(each.people, return_counts=True)
    commonest = values[counts.argmax()]
    yield from _measure_rows(each, heads, (each.people, each.judge, one), items, draw)
    constant = heads | {"kind": CONSTANT, "predicts": each.name(commonest)}
    yield from _measure_rows(each, constant, (each.people, commonest * one, one), items, draw)
    raters = numeric_values(each.rows, rater_columns(each.rows, each.heads["rating"]))
    if raters.shape[1] < 2:
        return
    votes = left_out_votes(raters)
    for kind, labels in ((RATER, votes.labels), (SAME_RATERS, each.judge[votes.outputs])):
        columns = votes.votes, labels, votes.weights
        yield from _measure_rows(each, heads | {"kind": kind}, columns, items[votes.outputs], draw)


def _measure_rows(
    each: JudgeLabels, heads: dict[str, str], columns: tuple[FloatArray, FloatArray, FloatArray], items: Any, draw: Any
) -> Iterator[dict[str, Any]]:
    people, judge, weights = columns
    if not len(items):
        return

    def measure(multiplicities: FloatArray) -> FloatArray:
        return label_agreement(people, judge, multiplicities * weights)

    names = [each.name(label) for label in np.unique([people, judge])]
    measures = [*(("", name) for name in OVERALL), *((label, name) for label in names for name in PER_LABEL)]
    values, bounds = measure(np.ones((1, len(items))))[0, 0], draw(measure, items)
    excluded = each.reason if heads["kind"] == JUDGE else None
    for place, (label, name) in enumerate(measures):
        low, high, why = (table[0, place] for table in bounds)
        reason = UNDEFINED.get(name, why) if np.isnan(values[place]) else excluded or why
        row = {"label": label, "measure": name, "value": values[place], "low": low, "high": high, "reason": reason}
        yield {**heads, **row, "n": round(weights.sum())}
