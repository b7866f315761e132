"""Matrices of items by raters."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from rainbow.stats.agreement.rating_matrix import item_interval, rating_matrix

from .simulated_raters import NAN


def test_items_and_raters_without_a_rating_are_left_out() -> None:
    assert rating_matrix([[1, NAN, 2], [NAN, NAN, NAN], [3, NAN, NAN]]).shape == (2, 2)


def test_a_frame_with_missing_integers_is_read() -> None:
    frame = pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"), "b": [1, 2, 3]})
    assert np.array_equal(rating_matrix(frame), np.array([[1, 1], [NAN, 2], [3, 3]]), equal_nan=True)


def test_the_table_given_is_not_changed() -> None:
    given = np.array([[1.0, 2.0], [3.0, 4.0]])
    rating_matrix(given)[:] = 0
    assert given.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(("bad", "message"), [
    ([1, 2, 3], "one row per item"),
    ([["good", 2]], "ratings must be numbers"),
    ([[1, float("inf")]], "finite"),
])  # fmt: skip
def test_what_is_no_table_of_ratings_is_refused(bad: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rating_matrix(bad)


def test_the_bootstrap_interval_of_a_mean_is_near_that_of_the_normal_distribution() -> None:
    values = np.random.default_rng(0).normal(size=400)
    low, high = item_interval(lambda items: values[items].mean(), 400, confidence=0.95, resamples=2000, rng=1)
    margin = 1.96 * values.std() / 20
    assert (low, high) == pytest.approx((values.mean() - margin, values.mean() + margin), abs=0.01)


def test_without_resamples_there_is_no_interval() -> None:
    assert np.isnan(item_interval(lambda items: 1.0, 9, confidence=0.95, resamples=0, rng=None)).all()


def test_a_confidence_in_per_cent_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        item_interval(lambda items: 1.0, 9, confidence=95, resamples=10, rng=None)
