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
from rainbow.stats.agreement.label_agreement import OVERALL, PER_LABEL, label_agreement, left_out_votes
from rainbow.stats.resampling.bootstrap import bootstrap
from rainbow.stats.tidy_tables import tidy_table

if TYPE_CHECKING:
    import pandas as pd

# A rater against the majority vote of the others, and the judge against the same votes.
JUDGE, CONSTANT, RATER, SAME_RATERS = "judge", "constant", "rater", "judge, same votes"
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
        head = {"kind": JUDGE, "predicts": "", "label": "", "measure": OVERALL[0]}
        yield head | {"value": np.nan, "low": np.nan, "high": np.nan, "n": 0, "reason": reason}
        return
    items = each.items.to_numpy()
    values, counts = np.unique(each.people, return_counts=True)
    commonest = values[counts.argmax()]
    (name,) = label_names(np.array([commonest]), scale)
    compared = {JUDGE: (each.people, each.judge, np.ones(len(items)), items)}
    compared[CONSTANT] = (each.people, np.full(len(items), commonest), np.ones(len(items)), items)
    raters = numeric_values(each.rows, rater_columns(each.rows, each.rating))
    if raters.shape[1] > 1:
        votes = left_out_votes(raters)
        compared[RATER] = (votes.votes, votes.labels, votes.weights, items[votes.outputs])
        compared[SAME_RATERS] = (votes.votes, each.judge[votes.outputs], votes.weights, items[votes.outputs])
    for kind, columns in compared.items():
        head = {"kind": kind, "predicts": name if kind == CONSTANT else ""}
        excluded = each.reason if kind == JUDGE else None
        yield from (head | row for row in _measure_rows(*columns, excluded, scale, draw))


def _measure_rows(
    people: FloatArray,
    judge: FloatArray,
    weights: FloatArray,
    items: Any,
    reason: str | None,
    scale: Sequence[str],
    draw: Any,
) -> Iterator[dict[str, Any]]:
    def measure(multiplicities: FloatArray) -> FloatArray:
        return label_agreement(people, judge, multiplicities * weights)

    if not len(items):
        return
    names = label_names(np.unique(np.concatenate([people, judge])), scale)
    measures = [*(("", name) for name in OVERALL), *((label, name) for label in names for name in PER_LABEL)]
    values, bounds = measure(np.ones((1, len(items))))[0, 0], draw(measure, items)
    for place, (label, name) in enumerate(measures):
        low, high, why = (table[0, place] for table in bounds)
        yield {
            **{"label": label, "measure": name, "value": values[place], "low": low, "high": high},
            "n": round(weights.sum()),
            "reason": UNDEFINED.get(name, why) if np.isnan(values[place]) else reason or why,
        }
