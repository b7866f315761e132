"""Two runs of a judge, as with two versions of a prompt: which agrees with people better on the same outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from rainbow.analysis.differences.metric_differences import metric_differences
from rainbow.analysis.judges.judge_differences import changed_labels, judge_differences
from rainbow.analysis.judges.judge_labels import judge_labels
from rainbow.base.lazy import pd
from rainbow.stats.resampling.bootstrap import bootstrap

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
