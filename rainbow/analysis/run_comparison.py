"""Paired comparison of two runs on the same items, and tests of non-inferiority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.stats.differences.mean_differences import paired_t
from rainbow.stats.differences.multiplicity import holm
from rainbow.stats.differences.proportion_differences import mcnemar_p, sign_flip_p
from rainbow.stats.estimation.sample_size import detectable_difference

POWER = 0.8  # of the difference that is said to be detectable


def shared_item_means(first: pd.DataFrame, second: pd.DataFrame, columns: Sequence[str]) -> list[pd.DataFrame]:
    """Return the mean of each column per item, for the items that both tables have."""
    means = [table.groupby("item")[list(columns)].mean() for table in (first, second)]
    both = means[0].index.intersection(means[1].index)
    if both.empty:
        raise ValueError("the tables share no input: does their column item identify inputs in the same way?")
    return [table.loc[both] for table in means]


def compare_runs(before: pd.DataFrame, after: pd.DataFrame, columns: Mapping[str, bool | None]) -> pd.DataFrame:
    """Compare the columns of two tables on the items that both have: McNemar's test for shares, else sign flips."""
    old, new = shared_item_means(before, after, list(columns))
    rows = [_compare_column(name, better, old[name], new[name]) for name, better in columns.items()]
    table = pd.DataFrame(rows)
    table.insert([*table].index("p") + 1, "p_holm", holm(table["p"]))
    return table


def changed_items(before: pd.DataFrame, after: pd.DataFrame, columns: Mapping[str, bool | None]) -> pd.DataFrame:
    """Return for each column the items on which two runs differ, those that got worse first, with their outputs."""
    parts = [_changed_items(before, after, name, better) for name, better in columns.items()]
    return pd.concat(parts, ignore_index=True)


def _changed_items(before: pd.DataFrame, after: pd.DataFrame, column: str, better: bool | None) -> pd.DataFrame:
    old, new = (table[column] for table in shared_item_means(before, after, [column]))
    outputs = [table.groupby("item")["output"].first() for table in (before, after)]
    items = pd.DataFrame(
        {
            "metric": column,
            "before": old,
            "after": new,
            "difference": new - old,
            **{
                f"output_{name}": texts.reindex(old.index)
                for name, texts in zip(("before", "after"), outputs, strict=True)
            },
        }
    )
    changed = items[items["difference"].abs() > 0]
    return changed.sort_values("difference", ascending=better is not False, kind="stable").reset_index()


def _compare_column(name: str, better: bool | None, before: pd.Series, after: pd.Series) -> dict[str, object]:
    known = (before.notna() & after.notna()).to_numpy()
    old, new = before.to_numpy(float)[known], after.to_numpy(float)[known]
    bounds = paired_t(new, old)
    shares = bool(len(old)) and set(np.unique([old, new])) <= {0.0, 1.0}
    undecided = not len(old) or (old == new).all()
    p = np.nan if undecided else mcnemar_p(new, old) if shares else sign_flip_p(new - old)
    gains = (new - old) * (-1 if better is False else 1)
    deviation = float((new - old).std(ddof=1)) if len(old) > 1 else np.nan
    return {
        **{"metric": name, "n": len(old), "before": _mean(old), "after": _mean(new)},
        **{"difference": _mean(new) - _mean(old), "low": bounds.low, "high": bounds.high},
        **{"test": "McNemar" if shares else "sign flips", "p": p},
        **{"better": int((gains > 0).sum()), "worse": int((gains < 0).sum())},
        **{"detectable": detectable_difference(deviation, len(old), POWER), "higher_is_better": better},
        "reason": "no item has both values" if not len(old) else "no item differs" if undecided else None,
    }


def _mean(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else np.nan


SIGNIFICANT = 0.05


def compare_outputs(
    now: pd.DataFrame, before: pd.DataFrame, metrics: Mapping[str, bool], margin: float | None = None
) -> pd.DataFrame:
    """Compare the mean scores of two tables of outputs for the same inputs, metric by metric."""
    from rainbow.analysis.run_comparison import shared_item_means

    for name, table in (("now", now), ("before", before)):
        if missing := [column for column in ("item", *metrics) if column not in table]:
            raise ValueError(f"the table of {name} has no column {missing[0]!r}")
    new, old = shared_item_means(now, before, list(metrics))
    result = pd.DataFrame([_metric_row(metric, new[metric].to_numpy(), old[metric].to_numpy()) for metric in metrics])
    result["p_holm"] = holm(result["p"])
    sign = np.where([metrics[metric] for metric in result["metric"]], 1.0, -1.0)
    if margin is None:
        # If every input differs by the same amount, p is undefined but the difference is certain.
        certain = result["p_holm"].lt(SIGNIFICANT) | (result["p"].isna() & result["n"].gt(1))
        result["worse"] = (sign * result["difference"] < 0) & certain
    else:
        lowest = np.where(sign > 0, result["low"], -result["high"])
        result["worse"] = ~(np.where(result["p"].isna(), sign * result["difference"], lowest) > -margin)
    return result[["metric", "n", "before", "now", "difference", "low", "high", "p", "p_holm", "worse", "reason"]]


def _metric_row(metric: str, now: np.ndarray, before: np.ndarray) -> dict[str, object]:
    known = ~(np.isnan(now) | np.isnan(before))
    test = paired_t(now[known], before[known])
    old, new = _mean(before[known]), _mean(now[known])
    bounds = {"low": test.low, "high": test.high, "p": test.p, "reason": test.reason}
    return {"metric": metric, "n": int(known.sum()), "before": old, "now": new, "difference": new - old, **bounds}
