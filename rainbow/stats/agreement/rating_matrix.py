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


def agreement_result(measure: str, matrix: FloatArray, estimate: float, interval: tuple[float, float]) -> Agreement:
    """Return an agreement measure with its value on an item-by-rater matrix."""
    return Agreement(measure, estimate, *interval, matrix.shape[0], matrix.shape[1], None)


def undefined_agreement(measure: str, matrix: FloatArray, reason: str) -> Agreement:
    """Return an agreement measure without a value, with the reason."""
    return Agreement(measure, math.nan, math.nan, math.nan, matrix.shape[0], matrix.shape[1], reason)


def item_interval(
    statistic: Callable[[IntArray], float], n_items: int, *, confidence: float, resamples: int, rng: Random
) -> tuple[float, float]:
    """Return the percentile interval of a statistic over items resampled with replacement.

    Shapes: statistic (n_items,).
    """
    items = np.arange(n_items)

    def of_draws(multiplicities: FloatArray) -> FloatArray:
        return np.array([statistic(np.repeat(items, times)) for times in multiplicities.astype(int)])

    return item_draws_interval(of_draws, n_items, confidence=confidence, resamples=resamples, rng=rng)


def item_draws_interval(
    statistic: Callable[[FloatArray], FloatArray], n_items: int, *, confidence: float, resamples: int, rng: Random
) -> tuple[float, float]:
    """Return the interval of a statistic that takes all draws at once; see :func:`item_interval`.

    Shapes: statistic (draws, n_items).
    """
    return bootstrap_item_intervals(
        lambda draws: statistic(draws)[:, None], n_items, confidence=confidence, resamples=resamples, rng=rng
    )[0]


def bootstrap_item_intervals(
    statistics: Callable[[FloatArray], FloatArray], n_items: int, *, confidence: float, resamples: int, rng: Random
) -> list[tuple[float, float]]:
    """Return intervals of k statistics of the same draws, shape (draws, k); see :func:`item_interval`."""
    tail_probability(confidence)
    if resamples == 0:
        return [(math.nan, math.nan)] * statistics(np.ones((1, n_items))).shape[1]
    bounds = bootstrap(
        lambda draws: statistics(draws)[:, None], np.arange(n_items), "percentile", confidence, resamples, rng
    )
    return [(float(low), float(high)) for low, high in zip(bounds.low[0], bounds.high[0], strict=True)]


def tail_probability(confidence: float) -> float:
    """Validate a confidence level and return the probability in each tail."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}: use a number between 0 and 1, such as 0.95")
    return (1 - confidence) / 2
