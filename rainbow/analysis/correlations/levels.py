"""Correlations over all outputs, within items, and over system means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd, scipy
from rainbow.stats.correlation.correlation import (
    MINIMUM_ROWS,
    Correlation,
    Method,
    correlate_columns,
    correlation_matrix,
)
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.differences.proportion_differences import sign_flip_p
from rainbow.stats.tidy_tables import require_columns

# The outputs, the outputs within each item, or the means of systems: on what metrics and ratings are compared.
Level = Literal["pooled", "item", "system"]

# Decimals of system means, in columns rescaled to [-1, 1].
_DECIMALS = 12


def correlate_at_level(
    rows: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str], level: Level, method: Method = "spearman"
) -> LevelCorrelations:
    """Return the correlations of metrics with ratings on a level."""
    if level not in get_args(Level):
        raise ValueError(f"unknown level {level!r}: choose from {', '.join(get_args(Level))}")
    scores, rated = (rows[list(names)].to_numpy(dtype=float) for names in (metrics, ratings))
    names = tuple(metrics), tuple(ratings)
    if level == "pooled":
        return LevelCorrelations(scores, rated, names, method)
    groups = item_numbers(rows) if level == "item" else _numbers(rows, "system")
    return (_OverItems if level == "item" else _OverSystems)(scores, rated, names, method, groups)


def item_numbers(rows: pd.DataFrame) -> IntArray:
    """Return the item of each row as an integer; items of different datasets differ."""
    return _numbers(rows, "item")


def _numbers(rows: pd.DataFrame, column: str) -> IntArray:
    require_columns(rows, ["dataset", column])
    return np.asarray(rows.groupby(["dataset", column], sort=False).ngroup(), dtype=np.intp)


@dataclass(frozen=True, eq=False)
class LevelCorrelations:
    """Correlations of metrics with ratings: over outputs, and below on the other levels."""

    scores: FloatArray
    ratings: FloatArray
    names: tuple[tuple[str, ...], tuple[str, ...]]
    method: Method

    def correlation(self, metric: int, rating: int) -> Correlation:
        """Return r, p, n and a reason for a metric and a rating, by position."""
        return self._columns[metric][rating]

    def resampled(self, weights: FloatArray) -> FloatArray:
        """Return r for row multiplicities (resamples, n): shape (resamples, k, m)."""
        return weighted_correlations(self.scores, self.ratings, weights, self.method)

    @cached_property
    def _columns(self) -> list[list[Correlation]]:
        return correlate_columns(self.scores, self.ratings, self.method, self.names)


@dataclass(frozen=True, eq=False)
class _OverSystems(LevelCorrelations):
    groups: IntArray

    def correlation(self, metric: int, rating: int) -> Correlation:
        result = self._columns[metric][rating]
        if result.n < MINIMUM_ROWS:
            return result._replace(reason=f"only {result.n} systems: at least {MINIMUM_ROWS} are needed")
        return result

    def resampled(self, weights: FloatArray) -> FloatArray:
        undefined = np.full((self.scores.shape[1], self.ratings.shape[1]), np.nan)
        tables, method = list(self._system_means(weights)), self.method
        if method == "spearman" and tables[0].size:  # all resamples are ranked at once
            tables, method = [scipy.stats.rankdata(table, axis=1) for table in tables], "pearson"
        return np.array(
            [
                undefined if np.isnan(scores).any() else correlation_matrix(scores, ratings, method)
                for scores, ratings in zip(*tables, strict=True)
            ]
        )

    @cached_property
    def _columns(self) -> list[list[Correlation]]:
        scores, ratings = (table[0] for table in self._system_means(np.ones((1, len(self.groups)))))
        return correlate_columns(scores, ratings, self.method, self.names)

    def _system_means(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the means of every system, shape (resamples, systems, columns); NaN without rows."""
        members = [np.flatnonzero(self.groups == place) for place in range(int(self.groups.max(initial=-1)) + 1)]
        first, second = (
            np.stack([_weighted_means(table[rows], weights[:, rows]) for rows in members], axis=1)
            if members
            else np.empty((len(weights), 0, table.shape[1]))
            for table in (_rescale_columns(self.scores), _rescale_columns(self.ratings))
        )
        return first, second


@dataclass(frozen=True, eq=False)
class _OverItems(LevelCorrelations):
    groups: IntArray

    def correlation(self, metric: int, rating: int) -> Correlation:
        r = self._within_items[:, metric, rating]
        r = r[~np.isnan(r)]
        if len(r) < MINIMUM_ROWS:
            both = f"{self.names[0][metric]} and {self.names[1][rating]}"
            reason = f"only {len(r)} items in which both {both} vary: at least {MINIMUM_ROWS} are needed"
            return Correlation(math.nan, math.nan, len(r), reason)
        return Correlation(float(r.mean()), sign_flip_p(r), len(r), None)

    def resampled(self, weights: FloatArray) -> FloatArray:
        first_rows = np.unique(self.groups, return_index=True)[1]
        shape = self._within_items.shape[1:]
        counts, within = weights[:, first_rows], self._within_items.reshape(len(first_rows), math.prod(shape))
        r = np.full((len(weights), within.shape[1]), np.nan)
        items = counts @ ~np.isnan(within)
        np.divide(counts @ np.nan_to_num(within), items, out=r, where=items > 0)
        return r.reshape(-1, *shape)

    @cached_property
    def _within_items(self) -> FloatArray:
        """Correlations within each item, shape (items, k, m); NaN if a column is constant."""
        order = np.argsort(self.groups, kind="stable")
        parts = np.split(order, np.flatnonzero(np.diff(self.groups[order])) + 1) if len(order) else []
        r = [correlation_matrix(self.scores[rows], self.ratings[rows], self.method) for rows in parts]
        return np.array(r).reshape(-1, self.scores.shape[1], self.ratings.shape[1])


def _rescale_columns(table: FloatArray) -> FloatArray:
    """Rescale columns to [-1, 1], which keeps correlations and makes rounding comparable."""
    largest = np.abs(table).max(axis=0, initial=0)
    return table / np.where(largest > 0, largest, 1)


def _weighted_means(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return weighted column means, shape (resamples, columns); NaN if all weights are 0."""
    total = weights.sum(axis=1, keepdims=True)
    means = np.full((len(weights), values.shape[1]), np.nan)
    np.divide(weights @ values, total, out=means, where=total > 0)
    # The same values in another order have the same mean but for rounding, and equal means share a rank.
    return np.round(means, _DECIMALS)
