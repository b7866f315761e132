"""The test of two Spearman correlations against simulation, against leaving rows out, and at its limits."""

import warnings

import numpy as np
import pytest
from scipy import stats

from benchmarks.levels import Population, alike_in_nothing, rejected, rejected_apart
from rainbow.base.arrays import FloatArray
from rainbow.stats.correlation.rank_influence import MidRanks, spearman_influence
from rainbow.stats.differences.jackknife_differences import (
    RatedScores,
    independent_jackknife_difference,
    jackknife_difference,
    jackknife_differences,
)


@pytest.mark.parametrize(
    ("r", "between", "items", "marks"), [(0.8, 0.6, 100, "continuous"), (0.9, 0.95, 120, "1 to 6")]
)
def test_the_default_keeps_its_level_where_williams_test_does_not(r, between, items, marks) -> None:
    williams, default = rejected(Population(r, r, between, items, 1, marks).study, ("Williams", "jackknife t"), 500, 1)
    assert williams > 0.06 and 0.03 < default < 0.07


def test_the_default_keeps_its_level_with_rows_that_share_items_and_errors_that_are_unlike() -> None:
    shared = rejected(Population(0.3, 0.3, 0.3, 100, 3, "median of 3").study, ("Williams", "jackknife t"), 300, 2)
    unlike = rejected(lambda rng: alike_in_nothing(0.6, 100, rng), ("Williams", "jackknife t"), 300, 3)
    for williams, default in (shared, unlike):
        assert williams > 0.08 and 0.025 < default < 0.08


@pytest.mark.parametrize("population", [Population(0.9, 0.9, 0.9, 200), Population(0.3, 0.3, 0.3, 100, 3, "1 to 6")])
def test_of_two_datasets_it_keeps_its_level_where_fishers_z_does_not(population: Population) -> None:
    fisher, default = rejected_apart(population, 500, 6)
    assert fisher > 0.07 and 0.03 < default < 0.07


def test_two_datasets_of_which_one_says_nothing_have_no_test() -> None:
    scores, ratings = table(60)
    sound, few = (RatedScores(scores[:, 1], ratings, np.arange(60) // rows) for rows in (2, 20))
    assert independent_jackknife_difference(sound, few).reason == "only 3 items: at least 4 are needed"
    for column in (ratings, -ratings, np.ones(60)):
        found = independent_jackknife_difference(sound, sound._replace(scores=column))
        assert (found.p != found.p, found.reason) == (True, "a correlation with the rating is 1, -1 or undefined")


def test_with_few_items_it_never_finds_too_many_differences() -> None:
    for population in (Population(0.6, 0.6, 0.9, 15), Population(0.8, 0.8, 0.6, 15)):
        (found,) = rejected(population.study, ("jackknife t",), 300, 4)
        assert found < 0.08


def test_influence_values_are_what_leaving_a_row_out_changes() -> None:
    rng = np.random.default_rng(1)
    ratings = rng.integers(1, 7, 400).astype(float)
    scores = np.round(ratings + 2 * rng.normal(size=400))
    r, influence = spearman_influence(MidRanks(scores[None]), MidRanks(ratings[None]))
    assert r[0] == pytest.approx(stats.spearmanr(scores, ratings).statistic)
    without = [stats.spearmanr(np.delete(scores, i), np.delete(ratings, i)).statistic for i in range(40)]
    assert influence[0, :40] == pytest.approx(399 * (r[0] - np.array(without)), abs=0.02)
    assert influence.mean() == pytest.approx(0, abs=1e-12)


def table(n: int = 200) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(2)
    ratings = rng.integers(1, 7, n).astype(float)
    return ratings[:, None] + rng.normal(size=(n, 4)) * [1, 2, 3, 4], ratings


@pytest.mark.parametrize("n", [40, 200])
def test_all_pairs_at_once_are_each_pair_by_itself(n: int) -> None:
    scores, ratings = table(n)
    found = jackknife_differences(scores, ratings, np.arange(n) // 2)
    single = jackknife_difference(scores[:, 3], scores[:, 1], ratings, np.arange(n) // 2)
    assert (single.statistic, single.p) == pytest.approx((found.statistic[3, 1], found.p[3, 1]))
    assert found.statistic == pytest.approx(-found.statistic.T, nan_ok=True)


def test_the_order_of_rows_and_any_monotonic_scale_change_nothing() -> None:
    scores, ratings = table()
    order, items = np.random.default_rng(3).permutation(200), np.arange(200) // 2
    plain = jackknife_differences(scores, ratings, items)
    moved = jackknife_differences(np.exp(scores[order]), ratings[order] ** 3, items[order].astype(str))
    assert moved.p == pytest.approx(plain.p, nan_ok=True)


def test_what_is_not_defined_has_its_reason() -> None:
    scores, ratings = table(50)
    scores[:, 0], scores[:, 1], scores[:, 3] = ratings, 2 * scores[:, 2], 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = jackknife_differences(scores, ratings)
        few = jackknife_differences(scores, ratings, np.arange(50) % 3)
    assert found.reason[1, 2] == "the two metrics order the outputs identically"
    assert found.reason[0, 1] == "a correlation with the rating is 1 or -1"
    assert np.isnan(found.p).all() and np.isnan(few.p).all()
    assert set(few.reason.ravel()) == {"only 3 items: at least 4 are needed"}
