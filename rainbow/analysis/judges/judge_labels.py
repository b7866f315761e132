"""Labels of people and of judges for the same outputs, and their agreement, next to a constant judge and a rater."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.analysis.judges.judge_baselines import numeric_values
from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.corpus import rater_columns
from rainbow.scoring.table_cells import By, item_numbers, iterate_cells
from rainbow.stats.agreement.label_agreement import OVERALL, PER_LABEL, label_agreement, left_out_labels, median_labels
from rainbow.stats.tidy_tables import tidy_table

MOST_LABELS = 7  # ratings with more different values are numbers, not labels
MOST_INVALID = 0.1  # judges with a larger share of invalid labels use another scale


class JudgeLabels(NamedTuple):
    """Outputs that have labels of people and of a judge."""

    heads: dict[str, str]  # dataset, rating, and metric: the judge
    rows: pd.DataFrame
    people: FloatArray
    judge: FloatArray
    scores: FloatArray  # of the judge, before they are rounded to labels
    scale: Sequence[str]  # of the ratings, as words
    reason: str | None  # which outputs are excluded, or why all are

    @property
    def items(self) -> NDArray[np.intp]:
        """The input of each output."""
        return item_numbers(self.rows)

    def name(self, label: float) -> str:
        """Return a label as a word of the only declared scale, or as a number."""
        words = self.scale[0].split("<") if len(self.scale) == 1 else []
        used = np.concatenate([self.people, self.judge])
        worded = used.min() > 0 and used.max() <= len(words) and float(label).is_integer()
        return words[int(label) - 1].strip() if worded else f"{label:g}"

    def describe(self, place: int) -> dict[str, Any]:
        """Return the columns that identify an output, with its texts and the label of people."""
        row = self.rows.iloc[place]
        known = {name: row[name] for name in ("dataset", "id", "system", "item", "output")}
        return {**self.heads, **known, "input": row["mr"], "people": self.name(self.people[place])}


def judge_labels(
    frame: pd.DataFrame, stands_for: Mapping[str, str], scale: Sequence[str] = (), by: By = "all"
) -> Iterator[JudgeLabels]:
    """Yield per part the labels of each judge; none of ratings, or of scores in another unit, that are numbers."""
    for key, part in iterate_cells(frame, by):
        for metric, rating in stands_for.items():
            raters = numeric_values(part, rater_columns(part, rating) or [rating])
            labels = np.unique(raters[~np.isnan(raters)])
            if 2 <= len(labels) <= MOST_LABELS:
                heads = {"dataset": key["dataset"], "rating": rating, "metric": metric}
                each = _label_outputs(heads, part, raters, labels, scale)
                if len(each.rows) or len(part[metric].dropna().unique()) <= MOST_LABELS:
                    yield each


def _label_outputs(
    heads: dict[str, str], part: pd.DataFrame, raters: FloatArray, labels: FloatArray, scale: Sequence[str]
) -> JudgeLabels:
    scores, people = numeric_values(part, heads["metric"]), median_labels(raters)
    judge, rated = round_to_labels(scores, labels), ~np.isnan(raters).all(axis=1)
    own = scores[rated & ~np.isnan(scores)]
    invalid = rated & ~np.isnan(scores) & np.isnan(judge)
    excluded = {
        "rated outputs without a label of the judge": rated & np.isnan(scores),
        f"labels of the judge that are not on the scale of the ratings ({_listed(labels)})": invalid,
        "outputs whose raters are split between two labels": rated & np.isnan(people),
    }
    reason = "; ".join(f"{why}: {count}" for why, rows in excluded.items() if (count := int(rows.sum())))
    there = ~np.isnan(people) & ~np.isnan(judge)
    other_code = invalid.any() and len(np.unique(own)) == len(labels) == 2  # as 0 and 1 for 1 and 2
    if invalid.sum() > MOST_INVALID * len(own) or other_code:
        there[:] = False
        reason = f"the judge has the labels {_listed(np.unique(own))}, people have {_listed(labels)}: use the same"
    return JudgeLabels(heads, part[there], people[there], judge[there], scores[there], scale, reason or None)


def _listed(labels: FloatArray) -> str:
    shown = [f"{label:g}" for label in labels[:MOST_LABELS]]
    return ", ".join([*shown, "..."] if len(labels) > MOST_LABELS else shown)


def round_to_labels(scores: FloatArray, labels: FloatArray) -> FloatArray:
    """Return the nearest label of each score, the higher of two; NaN if none is within half a step."""
    own = np.unique(scores[~np.isnan(scores)])
    if len(labels) > 2 and len(own) <= MOST_LABELS:  # marks that people never give are labels of the judge
        labels = np.union1d(labels, own[(own < labels[0]) | (own > labels[-1])])
    nearest: FloatArray = labels[np.searchsorted((labels[1:] + labels[:-1]) / 2, scores, side="right")]
    return np.where(np.abs(scores - nearest) <= np.diff(labels).max() / 2, nearest, np.nan)


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
