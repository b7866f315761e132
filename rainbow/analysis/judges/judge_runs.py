"""Two runs of a judge, as with two versions of a prompt: which agrees with people better on the same outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.analysis.differences.metric_differences import metric_differences
from rainbow.analysis.judges.judge_differences import changed_labels, judge_differences
from rainbow.analysis.judges.judge_sentences import correlation_sentence, difference_sentence

if TYPE_CHECKING:
    import pandas as pd

_KEYS = ["item", "system", "output"]
CHANGED = "changed_labels"  # the table that lists outputs
JUDGE_TABLES = ("judge_differences", CHANGED, "metric_differences")


class JudgeRuns(NamedTuple):
    """Result tables by name, and what they say."""

    tables: dict[str, pd.DataFrame]
    sentences: list[str]


def compare_judge_runs(
    before: pd.DataFrame,
    after: pd.DataFrame,
    stands_for: Mapping[str, str],
    scale: Sequence[str] = (),
    seed: int = 2017,
) -> JudgeRuns:
    """Test which of two runs agrees with people better: by labels, and by correlation if there are more than two."""
    import pandas as pd

    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in JUDGE_TABLES}
    for score, rating in stands_for.items():
        names = [f"{score} before", f"{score} after"]
        shared = _shared_outputs(before, after, score, names)
        runs = dict.fromkeys(names, rating)
        labels = judge_differences(shared, runs, rng=seed)
        if len(labels):
            parts["judge_differences"].append(labels)
            parts[CHANGED].append(changed_labels(shared, runs, scale))
        if shared[rating].nunique() > 2:
            parts["metric_differences"].append(
                metric_differences(shared, names, [rating], dict.fromkeys(names, True), by="all")
            )
    tables = {name: pd.concat(made, ignore_index=True) for name, made in parts.items() if made}
    lines: dict[str, Any] = {name: [*table.itertuples()] for name, table in tables.items()}
    sentences = [difference_sentence(line) for line in lines.get("judge_differences", ())]
    return JudgeRuns(tables, sentences + [correlation_sentence(line) for line in lines.get("metric_differences", ())])


def has_same_outputs(before: pd.DataFrame, after: pd.DataFrame) -> bool:
    """Return whether the smaller of two runs has only outputs of the other, so that only its scores differ."""
    old, new = ({*table[_KEYS].itertuples(index=False, name=None)} for table in (before, after))
    return old <= new or new <= old


def _shared_outputs(before: pd.DataFrame, after: pd.DataFrame, score: str, names: Sequence[str]) -> pd.DataFrame:
    """Return the outputs of both runs, with a column for the score of each; equal outputs are matched in order."""
    old, new = (table.assign(place=table.groupby(_KEYS).cumcount()) for table in (before, after))
    keys = [*_KEYS, "place"]
    return old.rename(columns={score: names[0]}).merge(new[[*keys, score]].rename(columns={score: names[1]}), on=keys)
