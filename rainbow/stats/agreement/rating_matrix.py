"""Item-by-rater matrices of ratings: conversion, validation and resampling of items."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.base.lazy import pd
from rainbow.stats.resampling.bootstrap import bootstrap

# Columns for each agreement coefficient of a rating.
AGREEMENT_COLUMNS = ("measure", "rating", "estimate", "low", "high", "n_items", "n_raters", "reason")
# From the multiplicities of items in all draws, shape (draws, items), to a value or k values for each draw.
DrawStatistic: TypeAlias = Callable[[FloatArray], FloatArray]
Ratings: TypeAlias = "ArrayLike | Sequence[Sequence[float | None]] | pd.DataFrame"


class Agreement(NamedTuple):
    """One measure of inter-rater agreement."""

    measure: str  # its name, as it is printed in a table
    estimate: float  # naN where it is not defined
    low: float  # its confidence interval; NaN for none
    high: float  # its confidence interval; NaN for none
    n_items: int  # how many items and raters it rests on
    n_raters: int  # how many items and raters it rests on
    reason: str | None  # why the estimate is NaN; None where it is a number


def rating_matrix(ratings: Ratings) -> FloatArray:
    """Return the ratings as floats, without items and raters that have no rating.

    Shapes: ratings (items, raters), returns (items with a rating, raters with a rating).
    """
    matrix = full_rating_matrix(ratings)
    rated = ~np.isnan(matrix)
    return matrix[rated.any(axis=1)][:, rated.any(axis=0)]


def full_rating_matrix(ratings: Ratings) -> FloatArray:
    """Return the ratings as floats, shape (items, raters), with every item and rater."""
    table: Any = ratings
    try:
        matrix = table.to_numpy(float, na_value=np.nan) if hasattr(table, "to_numpy") else np.array(table, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"ratings must be numbers, or NaN if missing: {error}") from None
    if matrix.ndim != 2:
        raise ValueError(f"ratings of shape {matrix.shape}: give one row per item and one column per rater")
    if np.isinf(matrix).any():
        raise ValueError("ratings must be finite: use NaN for missing ratings")
    return np.asarray(matrix, dtype=float)


def no_agreement_reason(matrix: FloatArray) -> str | None:
    """Return why no agreement measure is defined for an item-by-rater matrix, or None."""
    rated = ~np.isnan(matrix)
    if not rated.any():
        return "there are no ratings"
    if matrix.shape[1] < 2:
        return "there is only one rater: agreement needs at least two"
    if matrix.shape[0] < 2:
        return "there is only one item: agreement needs at least two"
    if rated.sum(axis=1).max() < 2:
        return "no item has two ratings"
    if np.nanmin(matrix) == np.nanmax(matrix):
        return "all ratings are equal"
    return None


def undefined_agreement(measure: str, matrix: FloatArray, reason: str) -> Agreement:
    """Return an agreement measure without a value, with the reason."""
    return Agreement(measure, math.nan, math.nan, math.nan, matrix.shape[0], matrix.shape[1], reason)


def of_draws(statistic: Callable[[IntArray], float]) -> DrawStatistic:
    """Turn a statistic of drawn items, given by their numbers, into one of their multiplicities in all draws."""

    def of_multiplicities(multiplicities: FloatArray) -> FloatArray:
        items = np.arange(multiplicities.shape[1])
        return np.array([statistic(np.repeat(items, times)) for times in multiplicities.astype(int)])

    return of_multiplicities


def bootstrap_items(
    statistics: DrawStatistic, n_items: int, *, resamples: int, rng: Random
) -> list[tuple[float, float, float]]:
    """Return each statistic of the items, with the percentile interval over items resampled with replacement.

    Shapes: statistics (draws, n_items), returns (draws,) or (draws, k).
    """

    def table(multiplicities: FloatArray) -> FloatArray:
        return statistics(multiplicities).reshape(len(multiplicities), 1, -1)

    estimates = table(np.ones((1, n_items)))[0, 0]
    if resamples == 0:
        return [(estimate, math.nan, math.nan) for estimate in estimates.tolist()]
    bounds = bootstrap(table, np.arange(n_items), "percentile", resamples=resamples, rng=rng)
    return list(zip(*(ends.tolist() for ends in (estimates, bounds.low[0], bounds.high[0])), strict=True))


def bootstrap_agreement(
    measure: str, matrix: FloatArray, statistic: DrawStatistic, undefined: str = "", *, resamples: int, rng: Random
) -> Agreement:
    """Return an agreement measure with its interval, or the reason for NaN; see :func:`bootstrap_items`."""
    [values] = bootstrap_items(statistic, len(matrix), resamples=resamples, rng=rng)
    return Agreement(measure, *values, matrix.shape[0], matrix.shape[1], undefined if math.isnan(values[0]) else None)
