"""Agreement of segment-level metrics with judgements, compared with output length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rainbow.analysis.correlations.correlation_table import correlation_table
from rainbow.analysis.differences.metric_differences import metric_differences
from rainbow.analysis.ranking.pairwise_accuracy import two_way_accuracy
from rainbow.base.arrays import Random
from rainbow.base.lazy import pd
from rainbow.corpus.judgements import split_by_kind, validate_judgements
from rainbow.scoring.table_cells import orient_metrics
from rainbow.stats.tidy_tables import require_columns

LENGTH = "length in words"

_KEYS = ["rating", "metric"]
COLUMNS = (
    *("rating", "metric", "spearman", "low", "high", "n", "pairs", "accuracy", "metric_ties"),
    *("length_spearman", "length_accuracy", "length_t", "length_p", "reason"),
)


def rated_outputs(scores: pd.DataFrame, judgements: pd.DataFrame) -> pd.DataFrame:
    """Return the median rating of each output per criterion, with its scores."""
    require_columns(scores, ["item", "system"])
    if scores.duplicated(["item", "system"]).any():
        row = scores[scores.duplicated(["item", "system"])].iloc[0]
        raise ValueError(f"there are two rows for system {row['system']!r} and item {row['item']}: keep one")
    table = validate_judgements(judgements)
    magnitude = (table["kind"] == "magnitude").to_numpy()
    value = table["value"].to_numpy(dtype=float)
    value = np.log(value, out=value.copy(), where=magnitude)
    keys = ["item", "system", "criterion"]
    groups = table.assign(value=value, magnitude=magnitude).groupby(keys, sort=False, observed=True)
    median, kinds = groups["value"].median(), groups["magnitude"].agg(["all", "any"])
    if (kinds["all"] != kinds["any"]).any():
        raise ValueError("an output has magnitudes and ratings for one criterion: choose one kind of judgement")
    median = median.where(~kinds["all"], np.exp(median))
    wide = median.unstack("criterion")
    if taken := [name for name in wide if name in scores]:
        raise ValueError(f"the scores already have a column {taken[0]!r}, which is a criterion of the judgements")
    result = scores.merge(wide.reset_index(), on=["item", "system"])
    if result.empty:
        raise ValueError("no judged output has scores: items and systems must have the same names in both tables")
    return result


def meta_evaluation(
    scores: pd.DataFrame,
    judgements: pd.DataFrame,
    metrics: Sequence[str],
    higher_is_better: Mapping[str, bool | None],
    *,
    resamples: int = 1000,
    rng: Random = None,
) -> pd.DataFrame:
    """Return how well metrics order single outputs compared with output length.

    Source: Graham, Y. and Baldwin, T. (2014). Testing for significance of increased correlation with human judgment.
    EMNLP.
    """
    require_columns(scores, [*metrics, "output"])
    length = [float(len(str(output).split())) for output in scores["output"]]
    frame, names = scores.assign(dataset="", **{LENGTH: length}), [LENGTH, *metrics]
    directions = dict(higher_is_better) | {LENGTH: None}
    table = split_by_kind(validate_judgements(judgements))
    criteria = [str(name) for name in dict.fromkeys(table["criterion"])]
    rated = rated_outputs(orient_metrics(frame, names, directions), table)
    result = correlation_table(rated, names, criteria, "all", interval="percentile", resamples=resamples, rng=rng)
    result = result.rename(columns={"r": "spearman"}).merge(_pair_accuracies(rated, table, names, criteria), on=_KEYS)
    result = result.merge(_length_tests(rated, metrics, criteria), on=_KEYS, how="left")
    own = result[result["metric"] == LENGTH].set_index("rating")
    for column in ("spearman", "accuracy"):
        result[f"length_{column}"] = result["rating"].map(own[column])
    reasons = zip(result["reason"], result["pairs_reason"], strict=True)
    return result.assign(reason=np.array([one or other for one, other in reasons], dtype=object))[list(COLUMNS)]


def _pair_accuracies(
    rated: pd.DataFrame, judgements: pd.DataFrame, names: list[str], criteria: list[str]
) -> pd.DataFrame:
    """Return the pairwise accuracy of every metric for each criterion."""
    # Each judgement is an item of its own: only outputs that one person saw together make a pair.
    together = judgements.groupby(["criterion", "judgement", "item"], sort=False, observed=True).ngroup()
    rows = judgements[["item", "system", "criterion", "value"]].assign(judgement=together)
    rows = rows.merge(rated.drop(columns=criteria), on=["item", "system"])
    rows = rows.drop(columns="item").rename(columns={"judgement": "item"})
    parts = [
        two_way_accuracy(rows[rows["criterion"] == name], names, ["value"], dict.fromkeys(names, True), by="all")
        for name in criteria
    ]
    table = pd.concat([part.assign(rating=name) for name, part in zip(criteria, parts, strict=True)])
    return table.rename(columns={"reason": "pairs_reason"})[
        [*_KEYS, "pairs", "accuracy", "metric_ties", "pairs_reason"]
    ]


def _length_tests(rated: pd.DataFrame, metrics: Sequence[str], criteria: list[str]) -> pd.DataFrame:
    """Return the test of every metric against length; t > 0 if the metric is better."""
    tests = [
        metric_differences(rated, [name, LENGTH], criteria, {name: True, LENGTH: True}, by="all") for name in metrics
    ]
    renamed = {"t": "length_t", "p": "length_p"}
    empty = pd.DataFrame(columns=[*_KEYS, *renamed.values()])
    return pd.concat(tests).rename(columns=renamed)[[*_KEYS, *renamed.values()]] if tests else empty
