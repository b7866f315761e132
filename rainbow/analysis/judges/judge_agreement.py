"""Agreement of judges with the labels of people, next to a constant judge and a single rater."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from rainbow.analysis.judges.judge_baselines import numeric_values
from rainbow.analysis.judges.judge_labels import JudgeLabels
from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.corpus import rater_columns
from rainbow.stats.agreement.label_agreement import OVERALL, PER_LABEL, label_agreement, left_out_labels
from rainbow.stats.tidy_tables import tidy_table

# A rater against the median label of the others, and the judge against the same labels.
JUDGE, CONSTANT, RATER, SAME_RATERS = "judge", "constant", "rater", "judge, same raters"
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
    items = each.items
    values, counts = np.unique(each.people, return_counts=True)
    commonest = values[counts.argmax()]
    yield from _measure_rows(each, heads, each.people, each.judge, items, draw)
    constant = heads | {"kind": CONSTANT, "predicts": each.name(commonest)}
    yield from _measure_rows(each, constant, each.people, np.full(len(items), commonest), items, draw)
    raters = numeric_values(each.rows, rater_columns(each.rows, each.heads["rating"]))
    if raters.shape[1] < 2:
        return
    outputs, labels, others = left_out_labels(raters)
    for kind, compared in ((RATER, labels), (SAME_RATERS, each.judge[outputs])):
        rows = _measure_rows(each, heads | {"kind": kind}, others, compared, items[outputs], draw)
        yield from (row | {"n": row["n"] // 2} for row in rows)


def _measure_rows(
    each: JudgeLabels, heads: dict[str, str], people: FloatArray, judge: FloatArray, items: Any, draw: Any
) -> Iterator[dict[str, Any]]:
    if not len(items):
        return
    names = [each.name(label) for label in np.unique([people, judge])]
    measures = [*(("", name) for name in OVERALL), *((label, name) for label in names for name in PER_LABEL)]
    values, bounds = label_agreement(people, judge)[0, 0], draw(partial(label_agreement, people, judge), items)
    excluded = each.reason if heads["kind"] == JUDGE else None
    for place, (label, name) in enumerate(measures):
        low, high, why = (table[0, place] for table in bounds)
        reason = UNDEFINED.get(name, why) if np.isnan(values[place]) else excluded or why
        row = {"label": label, "measure": name, "value": values[place], "low": low, "high": high, "reason": reason}
        yield {**heads, **row, "n": len(items)}
