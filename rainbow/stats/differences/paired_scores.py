"""Two metrics on the same outputs, and how each correlates with the ratings: over outputs, systems or items."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.stats.correlation.correlation import MINIMUM_ROWS, why_undefined
from rainbow.stats.correlation.rowwise_correlation import RowwiseMethod, rowwise_correlations

__all__ = ["Level", "PairedScores", "ResampledCorrelations", "paired_scores"]

# The outputs, the outputs within each item, or the means of systems: on what metrics and ratings are compared.
Level = Literal["pooled", "item", "system"]


class ResampledCorrelations(NamedTuple):
    """Correlations of two metrics with the ratings in each of many resamples, shapes (resamples,).

    Attributes
    ----------
    r, r_other
        Of the one and of the other metric; NaN where either has none.
    n
        The outputs, systems or items that they rest on.
    """

    r: FloatArray
    r_other: FloatArray
    n: FloatArray


@dataclass(frozen=True, eq=False)
class PairedScores:
    """The rows that have both scores and a rating, shapes (n,).

    Attributes
    ----------
    x, y
        Scores of the one and of the other metric, with mean 0 and standard deviation 1.
    ratings
        The ratings.
    items, systems
        Which item and which system a row belongs to, numbered from 0.
    reason
        Why the correlations are not defined; None where they are.
    """

    x: FloatArray
    y: FloatArray
    ratings: FloatArray
    items: IntArray
    systems: IntArray
    reason: str | None

    @property
    def item_count(self) -> int:
        """The number of different items."""
        return int(self.items.max(initial=-1)) + 1

    @property
    def system_count(self) -> int:
        """The number of different systems."""
        return int(self.systems.max(initial=-1)) + 1

    @cached_property
    def places(self) -> IntArray:
        """The rows of each item, shape (items, most rows of an item); n where an item has no more rows."""
        order = np.argsort(self.items, kind="stable")
        sizes = np.bincount(self.items)
        columns = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        table = np.full((len(sizes), sizes.max()), len(order))
        table[self.items[order], columns] = order
        return table

    def correlate(
        self,
        level: Level,
        method: RowwiseMethod,
        *,
        x: FloatArray | None = None,
        y: FloatArray | None = None,
        item_weights: FloatArray | None = None,
        system_weights: FloatArray | None = None,
    ) -> ResampledCorrelations:
        """Correlate both metrics with the ratings in every resample.

        Parameters
        ----------
        level
            ``pooled``: over all outputs. ``system``: over the means of the systems. ``item``: over the outputs of one
            item, then the mean over those items for which both metrics have a correlation.
        method
            ``spearman``, ``pearson`` or ``kendall-b``.
        x, y
            Scores in place of the own ones, shape (resamples, n).
        item_weights, system_weights
            How often each item, and each system, counts: shapes (resamples, items) and (resamples, systems).

        Raises
        ------
        ValueError
            If level or method has another name.
        """
        if level not in get_args(Level):
            raise ValueError(f"there is no level {level!r}: choose from {', '.join(get_args(Level))}")
        items = np.ones((1, self.item_count)) if item_weights is None else item_weights
        systems = np.ones((1, self.system_count)) if system_weights is None else system_weights
        scores = [np.atleast_2d(self.x if x is None else x), np.atleast_2d(self.y if y is None else y)]
        over = {"pooled": self._over_outputs, "system": self._over_systems, "item": self._over_items}[level]
        return over(scores, items, systems, method)

    def _over_outputs(
        self, scores: list[FloatArray], items: FloatArray, systems: FloatArray, method: RowwiseMethod
    ) -> ResampledCorrelations:
        weights = items[:, self.items] * systems[:, self.systems]
        r = [rowwise_correlations(values, self.ratings, weights, method) for values in scores]
        return ResampledCorrelations(r[0], r[1], weights.sum(axis=1))

    def _over_systems(
        self, scores: list[FloatArray], items: FloatArray, systems: FloatArray, method: RowwiseMethod
    ) -> ResampledCorrelations:
        weights = items[:, self.items]
        members = np.eye(self.system_count)[self.systems]
        sizes = weights @ members
        counts = systems * (sizes > 0)
        *means, rated = ((weights * values) @ members / np.maximum(sizes, 1) for values in (*scores, self.ratings))
        r = [rowwise_correlations(values, rated, counts, method) for values in means]
        return ResampledCorrelations(r[0], r[1], counts.sum(axis=1))

    def _over_items(
        self, scores: list[FloatArray], items: FloatArray, systems: FloatArray, method: RowwiseMethod
    ) -> ResampledCorrelations:
        weights, rated = self._by_item(systems[:, self.systems]), self._by_item(self.ratings[None])
        first, second = (self._correlate_items(values, rated, weights, method) for values in scores)
        counts = items * (np.isfinite(first) & np.isfinite(second))
        n = counts.sum(axis=1)
        r = [
            np.divide((counts * np.nan_to_num(each)).sum(axis=1), n, out=np.full(len(n), np.nan), where=n > 0)
            for each in (first, second)
        ]
        return ResampledCorrelations(r[0], r[1], n)

    def _by_item(self, rows: FloatArray) -> FloatArray:
        """Arrange values of rows by items, shape (resamples, items, most rows of an item); 0 where there is no row."""
        return np.pad(rows, ((0, 0), (0, 1)))[:, self.places]

    def _correlate_items(
        self, scores: FloatArray, rated: FloatArray, weights: FloatArray, method: RowwiseMethod
    ) -> FloatArray:
        values = self._by_item(scores)
        shape = np.broadcast_shapes(values.shape, weights.shape)
        first, second, counts = (
            np.broadcast_to(table, shape).reshape(-1, shape[2]) for table in (values, rated, weights)
        )
        return rowwise_correlations(first, second, counts, method).reshape(shape[:2])


def paired_scores(x: ArrayLike, y: ArrayLike, ratings: ArrayLike, items: ArrayLike, systems: ArrayLike) -> PairedScores:
    """Return the rows that have both scores and a rating; scores get mean 0 and standard deviation 1.

    Standardised scores of two metrics may be exchanged: BLEU from 0 to 1 and NIST from 0 to 10 may not.

    Parameters
    ----------
    x, y, ratings
        Numbers, shapes (n,); NaN where one is missing.
    items, systems
        Names of any kind, shapes (n,): the input that an output is for, and the system that it is from.

    Returns
    -------
    PairedScores
        With the reason if fewer than four rows are left, or a column is constant or has infinite values.

    Raises
    ------
    ValueError
        If the columns differ in length.

    Examples
    --------
    >>> scores = paired_scores([1, 2, 4, 3], [1, 3, 2, 4], [1, 2, 3, 4], ["a", "a", "b", "b"], ["S", "T", "S", "T"])
    >>> scores.correlate("pooled", "pearson").r.round(2).tolist()
    [0.8]
    """
    columns = [np.asarray(values, dtype=float) for values in (x, y, ratings)]
    labels = [np.asarray(names, dtype=str) for names in (items, systems)]
    if any(values.ndim != 1 or values.shape != columns[0].shape for values in (*columns, *labels)):
        raise ValueError("x, y, ratings, items and systems differ in length: give one value of each for every output")
    there = ~np.isnan(columns).any(axis=0)
    first, second, rated = (values[there] for values in columns)
    codes = [np.unique(names[there], return_inverse=True)[1].astype(np.int64) for names in labels]
    reason = None
    if len(rated) < MINIMUM_ROWS:
        reason = f"only {len(rated)} rows have both scores and a rating: at least {MINIMUM_ROWS} are needed"
    for name, values in (("x", first), ("y", second)):
        reason = reason or why_undefined(values, rated, "pearson", names=(name, "ratings"))
    if reason is None:
        first, second = ((values - values.mean()) / values.std() for values in (first, second))
    return PairedScores(first, second, rated, codes[0], codes[1], reason)
