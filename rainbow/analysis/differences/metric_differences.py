"""Pairwise tests of metrics' correlations with ratings, and clusters of metrics."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import BoolArray, FloatArray, Random
from rainbow.base.lazy import pd
from rainbow.scoring.table_cells import By, item_numbers, iterate_cells, orient_metrics
from rainbow.stats.correlation.correlation import MINIMUM_ROWS, correlation_matrix, undefined_correlation_reason
from rainbow.stats.differences.dependent_correlations import williams_test
from rainbow.stats.differences.jackknife_differences import PairTests, jackknife_differences
from rainbow.stats.differences.multiplicity import benjamini_hochberg, holm
from rainbow.stats.differences.permutation_difference import permutation_differences
from rainbow.stats.resamples import resamples_for_tests

Test = Literal["jackknife", "williams", "perm-both", "perm-inputs", "perm-systems"]
TESTS: tuple[Test, ...] = get_args(Test)
Significance = Literal["p", "p_holm", "p_bh", "p_permutation_holm"]

_CELL = ["rating", "dataset", "system"]
# Significance level; permutation tests draw enough to reach it after Holm's correction.
ALPHA = 0.05


def metric_differences(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    higher_is_better: Mapping[str, bool | None],
    *,
    by: By = "dataset-system",
    test: Test = "jackknife",
    resamples: int = 9_999,
    rng: Random = None,
) -> pd.DataFrame:
    """Test every pair of metrics, for every rating and cell, optionally also by permutation.

    Source: Graham, Y. and Baldwin, T. (2014). Testing for significance of increased correlation with human judgment.
    EMNLP.
    """
    if test not in TESTS:
        raise ValueError(f"unknown test {test!r}: choose from {', '.join(TESTS)}")
    if len(metrics) < 2 or len(set(metrics)) < len(metrics):
        raise ValueError(f"metrics are {list(metrics)}: name at least two different ones")
    if not ratings or not len(frame):
        raise ValueError("nothing to compare: no rating, or no rows")
    turned = orient_metrics(frame, metrics, higher_is_better)
    if missing := [name for name in ratings if name not in turned]:
        raise ValueError(f"the table has no column {missing[0]!r}")
    parts = []
    generator = np.random.default_rng(rng)
    for rating in ratings:
        for key, rows in iterate_cells(turned, by):
            scores, rated = (rows[names].to_numpy(dtype=float, na_value=np.nan) for names in ([*metrics], rating))
            items = None if test == "williams" else item_numbers(rows)
            part = {"rating": rating, **key, **_pair_columns(scores, rated, metrics, rating, items)}
            if test.startswith("perm"):
                part |= _permutation_columns(scores, rated, _permutation_units(rows, test), resamples, generator)
            parts.append(part)
    return pd.concat([pd.DataFrame(part) for part in parts], ignore_index=True)


def metric_clusters(differences: pd.DataFrame, *, significance: Significance = "p_holm") -> pd.DataFrame:
    """Return the rank of every metric and the cluster of metrics not worse than its best."""
    if significance not in get_args(Significance):
        raise ValueError(f"unknown significance {significance!r}: choose from {', '.join(get_args(Significance))}")
    tables = [pd.DataFrame(columns=[*_CELL, "metric", "r", "n", "rank", "cluster"])]
    for _, pairs in differences.groupby(_CELL, sort=False, dropna=False):
        ranked = _rank_metrics(pairs)
        worse = pairs[pairs[significance] < ALPHA]
        better = np.where(worse["r"] > worse["r_other"], worse["metric"], worse["other"])
        losers = np.where(worse["r"] > worse["r_other"], worse["other"], worse["metric"])
        ranked["cluster"] = _assign_clusters(
            ranked[ranked["rank"].notna()]["metric"], set(zip(better, losers, strict=True))
        )
        for name in _CELL:
            ranked[name] = pairs[name].iloc[0]
        tables.append(ranked[tables[0].columns])
    return pd.concat(tables[1:] or tables, ignore_index=True)


def _pair_columns(
    scores: FloatArray, rated: FloatArray, metrics: Sequence[str], rating: str, items: NDArray[np.intp] | None
) -> dict[str, Any]:
    """Return the columns of the table for one rating and cell; without items, by Williams' test."""
    k = len(metrics)
    r, between = np.full((2, k, k), np.nan)
    n, reasons = np.zeros((k, k), dtype=np.int64), np.full((k, k), "", dtype=object)
    for rows, first, second in _shared_rows(scores, rated):
        left, right, target = scores[rows][:, first], scores[rows][:, second], rated[rows]
        block, turned = np.ix_(first, second), np.ix_(second, first)
        between[block] = correlation_matrix(left, right)
        between[turned] = between[block].T
        r[block], r[turned] = (correlation_matrix(side, target[:, None]) for side in (left, right))
        n[block] = n[turned] = rows.sum()
        reasons[block] = _undefined_reasons(left, target, [(metrics[i], rating) for i in first])[:, None]
        reasons[turned] = _undefined_reasons(right, target, [(metrics[i], rating) for i in second])[:, None]
    r[np.asarray(reasons != "")] = np.nan
    between[n < MINIMUM_ROWS] = np.nan
    test = _williams(r, between, n) if items is None else _jackknife_tests(scores, rated, items)
    return _pair_table(np.triu_indices(k, 1), metrics, r, between, n, reasons, test)


def _williams(r: FloatArray, between: FloatArray, n: NDArray[np.int64]) -> PairTests:
    result = williams_test(r, r.T, between, n)
    return PairTests(*(np.asarray(values) for values in (result.statistic, result.p, result.reason)))


def _jackknife_tests(scores: FloatArray, rated: FloatArray, items: NDArray[np.intp]) -> PairTests:
    """Test all pairs on the rows that both metrics have."""
    k = scores.shape[1]
    t, p = np.full((2, k, k), np.nan)
    reason = np.full((k, k), None, dtype=object)
    for rows, first, second in _shared_rows(scores, rated):
        both = np.union1d(first, second)
        result = jackknife_differences(scores[rows][:, both], rated[rows], items[rows])
        for one, other in ((first, second), (second, first)):
            here, there = np.ix_(one, other), np.ix_(np.searchsorted(both, one), np.searchsorted(both, other))
            t[here], p[here], reason[here] = (values[there] for values in result)
    return PairTests(t, p, reason)


def _pair_table(
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    metrics: Sequence[str],
    r: FloatArray,
    between: FloatArray,
    n: NDArray[np.int64],
    reasons: NDArray[np.object_],
    test: PairTests,
) -> dict[str, Any]:
    own, other = r[pairs], r.T[pairs]
    pair_reasons = [a or b or c for a, b, c in zip(reasons[pairs], reasons.T[pairs], test.reason[pairs], strict=True)]
    t, p = (np.where([reason is None for reason in pair_reasons], values[pairs], np.nan) for values in test[:2])
    return {
        "metric": [metrics[i] for i in pairs[0]],
        "other": [metrics[i] for i in pairs[1]],
        "r": own,
        "r_other": other,
        "r_between": between[pairs],
        "difference": own - other,
        "t": t,
        "p": p,
        "p_holm": holm(p),
        "p_bh": benjamini_hochberg(p),
        "n": n[pairs],
        "reason": pd.Series(pair_reasons, dtype=object),  # pandas makes a NaN of None in a column of strings
    }


def _permutation_units(rows: pd.DataFrame, test: Test) -> NDArray[np.intp]:
    """Return the exchangeable unit of each row, as an integer."""
    if test == "perm-both":
        return np.arange(len(rows))
    column = "item" if test == "perm-inputs" else "system"
    return np.asarray(rows.groupby(["dataset", column], sort=False).ngroup(), dtype=np.intp)


def _permutation_columns(
    scores: FloatArray, rated: FloatArray, units: NDArray[np.intp], resamples: int, rng: np.random.Generator
) -> dict[str, Any]:
    """Return the columns of the permutation test, one value per pair."""
    k, swapped = scores.shape[1], len(np.unique(units))
    pairs, p = np.triu_indices(k, 1), np.full((k, k), np.nan)
    times = resamples_for_tests(resamples, len(pairs[0]), ALPHA)
    # The least p of u units is 2 / 2^u; Holm's correction takes it times the number of pairs.
    needed = math.ceil(math.log2(2 * len(pairs[0]) / ALPHA))
    for rows, first, second in _shared_rows(scores, rated) if swapped >= needed else ():
        both, whole = np.union1d(first, second), units[rows]
        result = permutation_differences(scores[rows][:, both], rated[rows], whole, resamples=times, rng=rng)
        for one, other in ((first, second), (second, first)):
            p[np.ix_(one, other)] = result[np.ix_(np.searchsorted(both, one), np.searchsorted(both, other))]
    reason = f"only {swapped} units to permute: {needed} are needed for significance among {len(pairs[0])} pairs"
    return {
        "p_permutation": p[pairs],
        "p_permutation_holm": holm(p[pairs]),
        "resamples": times,
        "permutation_reason": reason if swapped < needed else None,
    }


def _shared_rows(
    scores: FloatArray, rated: FloatArray
) -> Iterator[tuple[BoolArray, NDArray[np.intp], NDArray[np.intp]]]:
    """Yield the shared rows and positions for every two groups of metrics with equal gaps."""
    there = ~np.isnan(scores)
    patterns, group_of = np.unique(there, axis=1, return_inverse=True)
    groups = [(rows, np.flatnonzero(group_of == i)) for i, rows in enumerate(patterns.T)]
    for (one, places), (other, others) in combinations_with_replacement(groups, 2):
        yield one & other & ~np.isnan(rated), places, others


def _undefined_reasons(columns: FloatArray, target: FloatArray, names: list[tuple[str, str]]) -> NDArray[np.object_]:
    """Return why each metric has no correlation with the rating; empty if it has one."""
    column_reasons = [
        undefined_correlation_reason(column, target, pair) or "" for column, pair in zip(columns.T, names, strict=True)
    ]
    return np.array(column_reasons, dtype=object)


def _rank_metrics(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the metrics of one rating and cell with their ranks, best first."""
    others = pairs[["other", "r_other", "n"]].set_axis(["metric", "r", "n"], axis=1)
    all_of = pd.concat([pairs[["metric", "r", "n"]], others], ignore_index=True)
    known = all_of.assign(there=all_of["r"].notna()).sort_values(["there", "n"], ascending=False, kind="stable")
    best = known.drop_duplicates("metric").sort_values("r", ascending=False, kind="stable", ignore_index=True)
    return best.assign(rank=best["r"].rank(method="min", ascending=False).astype("Int64"))


def _assign_clusters(metrics: pd.Series[str], significant_pairs: set[tuple[str, str]]) -> pd.Series[int]:
    """Return the cluster of each metric, best first."""
    clusters: list[int] = []
    head, number = None, 0
    for metric in metrics:
        if head is None or (head, metric) in significant_pairs:
            head, number = metric, number + 1
        clusters.append(number)
    return pd.Series(clusters, index=metrics.index, dtype="Int64")
