"""Means of systems, and tests of their differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.lazy import pd
from rainbow.scoring.table_cells import iterate_cells
from rainbow.stats.differences.mean_differences import (
    MeanDifference,
    Sample,
    paired_t,
    pooled_t,
    summarise_sample,
    welch_t,
    wilcoxon_signed_rank,
)
from rainbow.stats.resampling.paired_resampling import approximate_randomisation
from rainbow.stats.tidy_tables import require_columns, tidy_table

# Tests of all rows of both systems, and of the values for the items that both have an output for.
_OF_ROWS: dict[str, Callable[[Sample, Sample], MeanDifference]] = {"pooled t": pooled_t, "Welch t": welch_t}
_OF_ITEMS: dict[str, Callable[[ArrayLike, ArrayLike], MeanDifference]] = {
    "paired t": paired_t,
    "Wilcoxon signed-rank": wilcoxon_signed_rank,
}
TESTS = (*_OF_ROWS, *_OF_ITEMS, "approximate randomisation")


def system_means(frame: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Return mean and standard deviation of every column, per dataset and system."""
    require_columns(frame, ["dataset", "system", *columns])
    rows: list[dict[str, Any]] = [
        {**key, "column": column, **_mean(part[column].to_numpy(dtype=float, na_value=np.nan))}
        for key, part in iterate_cells(frame, "dataset-system")
        for column in columns
    ]
    return tidy_table(rows, ["dataset", "system", "column", "mean", "sd", "n", "reason"])


def _mean(values: FloatArray) -> dict[str, Any]:
    known = values[~np.isnan(values)]
    n = len(known)
    reason = {0: "there are no values", 1: "a standard deviation needs two rows"}.get(n)
    if not np.isfinite(known).all():
        return {"mean": math.nan, "sd": math.nan, "n": n, "reason": "there are infinite values"}
    mean = float(known.mean()) if n else math.nan
    return {"mean": mean, "sd": float(known.std(ddof=1)) if n > 1 else math.nan, "n": n, "reason": reason}


def compare_systems(
    frame: pd.DataFrame, columns: Sequence[str], *, resamples: int = 10_000, rng: Random = None
) -> pd.DataFrame:
    """Test every pair of systems on each dataset for a difference in every column.

    Source: Dror, R., Baumer, G., Shlomov, S. and Reichart, R. (2018). The hitchhiker's guide to testing statistical
    significance in natural language processing. ACL.
    """
    require_columns(frame, ["dataset", "system", "item", *columns])
    generator = np.random.default_rng(rng)
    rows: list[dict[str, Any]] = []
    for key, part in iterate_cells(frame, "dataset"):
        pairs = _system_pairs(part["system"])
        scores = {name: _system_scores(part, columns, name) for name in dict.fromkeys(chain(*pairs))}
        for pair in pairs:
            heads = {"dataset": key["dataset"], **dict(zip(("first", "second"), pair, strict=True))}
            first, second = (scores[name] for name in pair)
            rows += [heads | result for result in _test_rows(first, second, columns, resamples, generator)]
    return tidy_table(rows, ["dataset", "first", "second", "column", "test", *MeanDifference._fields, "resamples"])


class _Scores(NamedTuple):
    """Scores of one system: columns over its outputs, and means per item, (items, columns)."""

    columns: list[Sample]
    items: pd.Index[Any]
    means: FloatArray


def _system_scores(part: pd.DataFrame, columns: Sequence[str], system: str) -> _Scores:
    rows = part[part["system"] == system]
    means = rows.groupby("item", sort=False)[list(columns)].mean()
    values, by_item = (table[list(columns)].to_numpy(dtype=float, na_value=np.nan) for table in (rows, means))
    return _Scores([summarise_sample(column) for column in values.T], means.index, by_item)


def _system_pairs(systems: pd.Series[str]) -> list[tuple[str, str]]:
    """Return each pair of systems in order of occurrence; a single system is paired with ""."""
    names = [str(name) for name in systems.unique()]
    return list(combinations(names, 2)) if len(names) > 1 else [(names[0], "")]


def _test_rows(
    first: _Scores, second: _Scores, columns: Sequence[str], resamples: int, rng: np.random.Generator
) -> Iterator[dict[str, Any]]:
    """Return a row per column and test; the second system may have no items."""
    places = second.items.get_indexer(first.items)
    items = first.means[places >= 0], second.means[places[places >= 0]]
    for place, column in enumerate(columns):
        one, other = (means[:, place] for means in items)
        shuffled = approximate_randomisation(one, other, resamples=resamples, tests=len(columns), rng=rng)
        n, gap = shuffled.n, math.nan
        randomised = MeanDifference(shuffled.difference, gap, gap, gap, shuffled.p, n, n, shuffled.reason)
        of_rows = {name: test(first.columns[place], second.columns[place]) for name, test in _OF_ROWS.items()}
        of_items = {name: test(one, other) for name, test in _OF_ITEMS.items()}
        for test, tests in {**of_rows, **of_items, TESTS[-1]: randomised}.items():
            if not len(second.items):
                tests = tests._replace(reason="there is only one system")
            made = shuffled.resamples if test == TESTS[-1] else 0
            yield {"column": column, "test": test, **tests._asdict(), "resamples": made}
