"""Intervals from influence values: against the bootstrap, against known truth, and at their limits."""

from functools import partial

import numpy as np
import pytest

from benchmarks.coverage import coverage, influence
from rainbow.base.arrays import FloatArray
from rainbow.stats.correlation.influence_intervals import influence_intervals
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import bootstrap

ITEMS = np.arange(3000) // 3


def table() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(3)
    of_item = rng.normal(size=1000)[ITEMS, None]
    rating = np.rint(of_item + rng.normal(size=(3000, 2)))
    return of_item + rating[:, :1] + rng.normal(size=(3000, 3)) * [1, 3, 9], rating


def test_they_are_what_drawing_items_comes_to() -> None:
    columns, ratings = table()
    found = influence_intervals(columns, ratings, ITEMS)
    drawn = bootstrap(partial(weighted_correlations, columns, ratings), ITEMS, resamples=1000, rng=1)
    width = drawn.high - drawn.low
    assert found.low == pytest.approx(drawn.low, abs=0.12 * width.max())
    assert found.high == pytest.approx(drawn.high, abs=0.12 * width.max())
    assert found.high - found.low == pytest.approx(width, rel=0.12)


@pytest.mark.parametrize(("items", "rows"), [(2500, 1), (50, 50)])
def test_they_hold_the_truth_as_often_as_they_say(items: int, rows: int) -> None:
    assert 0.92 <= coverage(0.9, items, rows, times=400, interval=influence) <= 0.98


def test_items_are_told_apart_by_any_name_and_in_any_order() -> None:
    columns, ratings = table()
    order = np.random.default_rng(1).permutation(len(columns))
    names = np.array([f"input {item}" for item in ITEMS])
    low, high, _ = influence_intervals(columns[order], ratings[order], names[order])
    assert low == pytest.approx(influence_intervals(columns, ratings, ITEMS).low)
    narrower = influence_intervals(columns, ratings, np.arange(3000))
    assert (high - low > narrower.high - narrower.low).all()


def test_where_there_is_none_it_says_why() -> None:
    rating = np.arange(60.0)[:, None]
    columns = np.column_stack([rating, np.ones(60), -rating])
    low, high, reason = influence_intervals(columns, rating, np.arange(60))
    assert np.isnan([low, high]).all()
    ends = "the correlation is at the limit of its range"
    assert reason.ravel().tolist() == [ends, "the correlation is undefined", ends]
    with pytest.raises(ValueError, match="confidence is 95"):
        influence_intervals(columns, rating, np.arange(60), 95)
