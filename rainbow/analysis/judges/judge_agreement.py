"""Agreement of judges with the labels of people, next to a constant judge and a single rater."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.analysis.judges.judge_baselines import numeric_values
from rainbow.analysis.judges.judge_labels import LabelledOutputs, label_names, labelled_outputs
from rainbow.base.arrays import FloatArray, Random
from rainbow.corpus import rater_columns
from rainbow.scoring.table_cells import By
from rainbow.stats.agreement.label_agreement import OVERALL, PER_LABEL, label_agreement, majority_vote
from rainbow.stats.resampling.bootstrap import bootstrap
from rainbow.stats.tidy_tables import tidy_table

if TYPE_CHECKING:
    import pandas as pd

JUDGE, CONSTANT, RATER = "judge", "constant", "rater"
UNDEFINED = {"precision": "it never gives this label", "recall": "people never give this label"}
COLUMNS = ("dataset", "rating", "metric", "kind", "predicts", "label", "measure", "value", "low", "high", "n", "reason")


def judge_agreement(
    frame: pd.DataFrame,
    stands_for: Mapping[str, str],
    scale: Sequence[str] = (),
    *,
    by: By = "all",
    resamples: int = 1000,
    rng: Random = None,
) -> pd.DataFrame:
    """Return how well labels of judges agree with those of people, and how well a constant and a rater would."""
    seed = int(np.random.default_rng(rng).integers(2**62))
    draw = partial(bootstrap, interval="percentile", resamples=resamples, rng=seed)
    rows = [
        {**each.heads, **row}
        for each in labelled_outputs(frame, stands_for, by)
        for row in _judge_rows(each, scale, draw)
    ]
    return tidy_table(rows, COLUMNS)


def _judge_rows(each: LabelledOutputs, scale: Sequence[str], draw: Any) -> Iterator[dict[str, Any]]:
    if not len(each.rows):
        reason = each.reason or "no output has a label of people and of the judge"
        yield {"kind": JUDGE, "predicts": "", "label": "", "measure": "accuracy", "value": np.nan, "n": 0} | {
            "reason": reason
        }
        return
    values, counts = np.unique(each.people, return_counts=True)
    commonest = values[counts.argmax()]
    (name,) = label_names(np.array([commonest]), scale)
    items = each.items.to_numpy()
    yield from _agreement_rows(JUDGE, "", each.people, each.judge, items, each.reason, scale, draw)
    constant = np.full(len(each.people), commonest)
    yield from _agreement_rows(CONSTANT, name, each.people, constant, items, None, scale, draw)
    output, others, own = _left_out_raters(numeric_values(each.rows, rater_columns(each.rows, each.rating)))
    if len(output):
        yield from _agreement_rows(RATER, "", others, own, items[output], None, scale, draw)


def _left_out_raters(raters: FloatArray) -> tuple[Any, FloatArray, FloatArray]:
    """Return for each label of a rater the output, the majority vote of the other raters, and the label."""
    places = range(raters.shape[1])
    votes = [majority_vote(np.delete(raters, place, axis=1)).labels for place in places]
    others = np.column_stack(votes) if votes else raters
    output, rater = np.nonzero(~np.isnan(others) & ~np.isnan(raters))
    return output, others[output, rater], raters[output, rater]


def _agreement_rows(
    kind: str,
    predicts: str,
    people: FloatArray,
    judge: FloatArray,
    items: Any,
    reason: str | None,
    scale: Sequence[str],
    draw: Any,
) -> Iterator[dict[str, Any]]:
    names = label_names(np.unique(np.concatenate([people, judge])), scale)
    measures = [*(("", name) for name in OVERALL), *((label, name) for label in names for name in PER_LABEL)]
    values, bounds = label_agreement(people, judge)[0, 0], draw(partial(label_agreement, people, judge), items)
    for place, (label, measure) in enumerate(measures):
        low, high, why = (table[0, place] for table in bounds)
        yield {
            **{"kind": kind, "predicts": predicts, "label": label, "measure": measure, "value": values[place]},
            **{"low": low, "high": high, "n": len(people)},
            "reason": UNDEFINED.get(measure, why) if np.isnan(values[place]) else reason or why,
        }
