"""Paired comparison of two runs on the same items."""

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
    return {
        "metric": name,
        "n": len(old),
        "before": _mean(old),
        "after": _mean(new),
        "difference": _mean(new) - _mean(old),
        "low": bounds.low,
        "high": bounds.high,
        "test": "McNemar" if shares else "sign flips",
        "p": p,
        "better": int((gains > 0).sum()),
        "worse": int((gains < 0).sum()),
        "detectable": detectable_difference(_deviation(new - old), len(old), POWER),
        "higher_is_better": better,
        "reason": "no item has both values" if not len(old) else "no item differs" if undecided else None,
    }


def _mean(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else np.nan


def _deviation(values: FloatArray) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else np.nan
