"""Raters against the rest and against each other, and matrices of items by raters."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from rainbow.stats.agreement.raters import inter_rater_correlation, rater_against_rest
from rainbow.stats.agreement.rating_matrix import bootstrap_items, rating_matrix

from .simulated_raters import NAN, ratings


def test_each_rater_is_correlated_with_the_others_without_his_own_ratings() -> None:
    matrix = ratings(1)
    found = rater_against_rest(matrix)
    for rater in range(4):
        oracle = spearmanr(matrix[:, rater], np.delete(matrix, rater, axis=1).mean(axis=1))
        assert found.loc[rater, "r"] == pytest.approx(oracle.statistic, abs=1e-12)
        assert found.loc[rater, "p"] == pytest.approx(oracle.pvalue, rel=1e-9)
    assert found["n"].tolist() == [40] * 4


def test_the_rest_is_whoever_rated_the_item() -> None:
    found = rater_against_rest(np.array([[1, 2, NAN], [2, 2, 4], [3, NAN, NAN], [4, NAN, 6], [5, 7, 6]]))
    assert found["n"].tolist() == [4, 3, 3]
    assert found.loc[0, "r"] == pytest.approx(spearmanr([1, 2, 4, 5], [2, 4, 6, 6.5]).statistic)
    assert found.loc[1, "reason"] == "only 3 rows have both values: at least 4 are needed"


def test_raters_have_the_names_of_the_columns() -> None:
    frame = pd.DataFrame(ratings(2), columns=["Ann", "Ben", "Cyd", "Dan"])
    assert rater_against_rest(frame)["rater"].tolist() == ["Ann", "Ben", "Cyd", "Dan"]


def test_a_rater_who_always_gives_the_same_mark_is_named_as_the_reason() -> None:
    found = rater_against_rest([[3, 1, 2], [3, 2, 1], [3, 3, 3], [3, 4, 5]])
    assert math.isnan(found["r"].iloc[0]) and found["reason"].tolist() == ["the rater is constant", None, None]


def test_a_rater_without_ratings_keeps_his_row() -> None:
    assert rater_against_rest([[1, NAN, 2], [2, NAN, 1], [3, NAN, 3], [4, NAN, 4]])["n"].tolist() == [4, 0, 4]


@pytest.mark.parametrize("gaps", [0, 0.2])
def test_the_mean_correlation_is_that_over_all_pairs(gaps: float) -> None:
    matrix, expected = ratings(3, gaps=gaps), []
    for first, second in combinations(matrix.T, 2):
        both = ~np.isnan(first) & ~np.isnan(second)
        expected.append(spearmanr(first[both], second[both]).statistic)
    assert inter_rater_correlation(matrix, resamples=0).estimate == pytest.approx(np.mean(expected), abs=1e-12)


def test_too_few_common_items_are_the_reason() -> None:
    assert "only 3 rows" in str(inter_rater_correlation([[1, 2], [2, 3], [3, 1]]).reason)


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
    ([1, 2, 3], "one row per item"), ([["good", 2]], "ratings must be numbers"), ([[1, float("inf")]], "finite")
])  # fmt: skip
def test_what_is_no_table_of_ratings_is_refused(bad: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rating_matrix(bad)


def test_the_bootstrap_interval_of_a_mean_is_near_that_of_the_normal_distribution() -> None:
    values = np.random.default_rng(0).normal(size=400)
    [found] = bootstrap_items(lambda draws: draws @ values / 400, 400, resamples=2000, rng=1)
    margin = 1.96 * values.std() / 20
    assert found == pytest.approx((values.mean(), values.mean() - margin, values.mean() + margin), abs=0.01)


def test_without_resamples_there_is_no_interval() -> None:
    assert np.isnan(bootstrap_items(lambda draws: draws[:, 0], 9, resamples=0, rng=None)[0][1:]).all()
