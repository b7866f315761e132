"""Two judges, or two versions of a prompt, on the same outputs: which agrees with people more often."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rainbow.analysis.judges.judge_labels import LabelledOutputs, label_names, labelled_outputs
from rainbow.base.arrays import FloatArray, Random
from rainbow.stats.agreement.label_agreement import OVERALL, label_agreement
from rainbow.stats.differences.multiplicity import holm
from rainbow.stats.differences.proportion_differences import mcnemar_p, proportion_differences
from rainbow.stats.resampling.bootstrap import bootstrap
from rainbow.stats.tidy_tables import tidy_table

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    *("rating", "first", "second", "n", "changed", "better", "worse", "accuracy_first", "accuracy_second"),
    *("test", "p", "p_holm", "kappa_first", "kappa_second", "difference", "low", "high", "reason"),
)
CHANGED_COLUMNS = (
    *("dataset", "rating", "first", "second", "id", "system", "item", "input", "output", "people"),
    *("label_first", "label_second", "right"),
)
_KAPPA = OVERALL.index("kappa")


class _Pair(NamedTuple):
    """Labels of two judges on the outputs that both labelled."""

    heads: dict[str, str]
    rows: pd.DataFrame
    people: FloatArray
    labels: FloatArray  # of the first and of the second judge, shape (2, outputs)

    @property
    def right(self) -> FloatArray:
        """Whether each judge agrees with people, 1 or 0, shape (2, outputs)."""
        right: FloatArray = (self.labels == self.people).astype(float)
        return right


def judge_differences(
    frame: pd.DataFrame, stands_for: Mapping[str, str], *, resamples: int = 1000, rng: Random = None
) -> pd.DataFrame:
    """Test for every two judges of a rating whether one agrees with people more often."""
    seed = int(np.random.default_rng(rng).integers(2**62))
    draw = partial(bootstrap, interval="percentile", resamples=resamples, rng=seed)
    table = tidy_table((_difference_row(pair, draw) for pair in _judge_pairs(frame, stands_for)), COLUMNS)
    return table.assign(p_holm=holm(table["p"].to_numpy(dtype=float)))


def changed_labels(frame: pd.DataFrame, stands_for: Mapping[str, str], scale: Sequence[str] = ()) -> pd.DataFrame:
    """Return the outputs that two judges label differently, with the label of people and which judge is right."""
    rows = [row for pair in _judge_pairs(frame, stands_for) for row in _changed_rows(pair, scale)]
    return tidy_table(rows, CHANGED_COLUMNS)


def _judge_pairs(frame: pd.DataFrame, stands_for: Mapping[str, str]) -> Iterator[_Pair]:
    for one, other in combinations(labelled_outputs(frame, stands_for, "all"), 2):
        if one.rating == other.rating:
            both = one.rows.index.intersection(other.rows.index, sort=False)
            (people, first), (_, second) = (_labels_at(each, both) for each in (one, other))
            heads = {"rating": one.rating, "first": one.metric, "second": other.metric}
            yield _Pair(heads, frame.loc[both], people, np.stack([first, second]))


def _labels_at(each: LabelledOutputs, index: pd.Index) -> tuple[FloatArray, FloatArray]:
    places = each.rows.index.get_indexer(index)
    return each.people[places], each.judge[places]


def _difference_row(pair: _Pair, draw: Any) -> dict[str, Any]:
    right, items = pair.right, pair.rows.groupby(["dataset", "item"], sort=False).ngroup().to_numpy()
    first, second = right
    better, worse = int((second > first).sum()), int((second < first).sum())
    changed = int((pair.labels[0] != pair.labels[1]).sum())
    row = {**pair.heads, "n": len(pair.rows), "changed": changed, "better": better, "worse": worse}
    if not len(pair.rows):
        return row | {"p": np.nan, "reason": "no output has labels of both"}
    test, p = _paired_test(first, second, items)
    kappas = _kappas(pair, np.ones((1, len(items))))[0, 0]
    bounds = draw(lambda weights: np.diff(_kappas(pair, weights)), items)
    reason = bounds.reason[0, 0] if better + worse else "no output is right with one and wrong with the other"
    return {
        **row,
        **{"accuracy_first": first.mean(), "accuracy_second": second.mean(), "test": test, "p": p},
        **{"kappa_first": kappas[0], "kappa_second": kappas[1], "difference": kappas[1] - kappas[0]},
        **{"low": bounds.low[0, 0], "high": bounds.high[0, 0], "reason": reason},
    }


def _kappas(pair: _Pair, weights: FloatArray) -> FloatArray:
    """Return the kappa of both judges with people, shape (resamples, 1, 2)."""
    return np.stack([label_agreement(pair.people, labels, weights)[:, :, _KAPPA] for labels in pair.labels], axis=2)


def _paired_test(first: FloatArray, second: FloatArray, items: Any) -> tuple[str, float]:
    """Test whether both are right equally often: McNemar, or a t test by input if inputs have several outputs."""
    if len(np.unique(items)) == len(items):
        return "McNemar", mcnemar_p(second, first)
    p = float(proportion_differences(np.column_stack([first, second]), items)[1][0, 1])
    return "t by input", 1.0 if np.isnan(p) else p


def _changed_rows(pair: _Pair, scale: Sequence[str]) -> Iterator[dict[str, Any]]:
    labels = np.unique(np.concatenate([pair.people, *pair.labels]))
    names = dict(zip(labels, label_names(labels, scale), strict=True))
    for place in np.flatnonzero(pair.labels[0] != pair.labels[1]):
        row, (first, second) = pair.rows.iloc[place], pair.right[:, place]
        yield {
            **{name: row[name] for name in ("dataset", "id", "system", "item", "output")},
            **pair.heads,
            **{"input": row["mr"], "people": names[pair.people[place]]},
            **{"label_first": names[pair.labels[0, place]], "label_second": names[pair.labels[1, place]]},
            "right": "second" if second > first else "first" if first > second else "neither",
        }
