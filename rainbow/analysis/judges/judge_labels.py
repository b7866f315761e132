"""Labels of people and of judges for the same outputs: pass or fail, classes, marks on a short scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.analysis.judges.judge_baselines import numeric_values
from rainbow.base.arrays import FloatArray
from rainbow.corpus import rater_columns
from rainbow.scoring.table_cells import By, iterate_cells
from rainbow.stats.agreement.label_agreement import majority_vote

if TYPE_CHECKING:
    import pandas as pd

MOST_LABELS = 7  # ratings with more different values are numbers, not labels
MOST_INVALID = 0.1  # judges with a larger share of invalid labels use another scale


class LabelledOutputs(NamedTuple):
    """Outputs that have labels of people and of a judge."""

    dataset: str
    rating: str
    metric: str  # the judge
    rows: pd.DataFrame
    people: FloatArray
    judge: FloatArray
    scores: FloatArray  # of the judge, before they are rounded to labels
    reason: str | None  # which outputs are excluded, or why all are

    @property
    def heads(self) -> dict[str, str]:
        """What the rows of a result table are about."""
        return {"dataset": self.dataset, "rating": self.rating, "metric": self.metric}

    @property
    def labels(self) -> FloatArray:
        """Labels in use, ascending."""
        return np.unique(np.concatenate([self.people, self.judge]))

    @property
    def items(self) -> pd.Series[int]:
        """The input of each output, as a number."""
        return self.rows.groupby(["dataset", "item"], sort=False).ngroup()


def labelled_outputs(frame: pd.DataFrame, stands_for: Mapping[str, str], by: By) -> Iterator[LabelledOutputs]:
    """Yield per part the labels of each judge whose rating has few different values."""
    for key, part in iterate_cells(frame, by):
        for metric, rating in stands_for.items():
            raters = numeric_values(part, rater_columns(part, rating) or [rating])
            labels = np.unique(raters[~np.isnan(raters)])
            if 2 <= len(labels) <= MOST_LABELS:
                yield _label_outputs(part, (key["dataset"], rating, metric), raters, labels)


def _label_outputs(
    part: pd.DataFrame, heads: tuple[str, str, str], raters: FloatArray, labels: FloatArray
) -> LabelledOutputs:
    scores, vote = numeric_values(part, heads[2]), majority_vote(raters)
    judge = round_to_labels(scores, labels)
    rated = ~np.isnan(raters).all(axis=1)
    invalid = rated & ~np.isnan(scores) & np.isnan(judge)
    there = ~np.isnan(vote.labels) & ~np.isnan(judge)
    excluded = {
        "rated outputs without a label of the judge": rated & np.isnan(scores),
        f"labels of the judge that are not on the scale of the ratings ({_listed(labels)})": invalid,
        "outputs without a majority of raters": vote.tied,
    }
    reason = "; ".join(f"{why}: {count}" for why, rows in excluded.items() if (count := int(rows.sum())))
    own = scores[rated & ~np.isnan(scores)]
    other_code = invalid.any() and len(np.unique(own)) == len(labels) == 2  # as 0 and 1 for 1 and 2
    if invalid.sum() > MOST_INVALID * len(own) or other_code:
        there[:] = False
        reason = f"{heads[2]} has the labels {_listed(np.unique(own))}, people have {_listed(labels)}: use the same"
    return LabelledOutputs(*heads, part[there], vote.labels[there], judge[there], scores[there], reason or None)


def _listed(labels: FloatArray) -> str:
    shown = [f"{label:g}" for label in labels[:MOST_LABELS]]
    return ", ".join([*shown, "..."] if len(labels) > MOST_LABELS else shown)


def round_to_labels(scores: FloatArray, labels: FloatArray) -> FloatArray:
    """Return the nearest label of each score, the higher of two; NaN if none is within half a step.

    If people use at least three labels, marks that people never give are further labels of the judge.
    """
    own = np.unique(scores[~np.isnan(scores)])
    if len(labels) > 2 and len(own) <= MOST_LABELS:
        labels = np.union1d(labels, own[(own < labels[0]) | (own > labels[-1])])
    nearest: FloatArray = labels[np.searchsorted((labels[1:] + labels[:-1]) / 2, scores, side="right")]
    off = np.abs(scores - nearest) > np.diff(labels).max() / 2
    return np.where(off | np.isnan(scores), np.nan, nearest)


def label_names(labels: FloatArray, scale: Sequence[str]) -> list[str]:
    """Return the labels as words of the only declared scale, or as numbers."""
    words = [word.strip() for word in scale[0].split("<")] if len(scale) == 1 else []
    if len(labels) and set(labels) <= set(range(1, len(words) + 1)):
        return [words[int(label) - 1] for label in labels]
    return [f"{label:g}" for label in labels]
