"""Differences of shares with clusters; Holm and Benjamini-Hochberg; both against statsmodels."""

from collections.abc import Callable

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

from rainbow.stats.differences.multiplicity import benjamini_hochberg, benjamini_yekutieli, holm
from rainbow.stats.differences.proportion_differences import (
    group_difference_p,
    proportion_differences,
    sign_flip_p,
    wilson_interval,
)


def test_the_test_is_that_of_a_regression_with_clustered_errors() -> None:
    rng = np.random.default_rng(1)
    clusters = rng.integers(12, size=200)
    right = rng.choice([0, 0.5, 1], size=(200, 2), p=[0.3, 0.1, 0.6])
    t, p = proportion_differences(right, clusters.astype(np.intp))
    options = {"groups": clusters, "use_correction": False}
    fitted = sm.OLS(right[:, 0] - right[:, 1], np.ones(200)).fit(cov_type="cluster", cov_kwds=options, use_t=True)
    assert (t[0, 1], p[0, 1]) == (pytest.approx(fitted.tvalues[0]), pytest.approx(fitted.pvalues[0]))
    assert t[1, 0] == -t[0, 1] and np.isnan(t.diagonal()).all()


def test_clusters_that_go_together_are_one_witness_each() -> None:
    rng, found = np.random.default_rng(1), []
    for _ in range(300):
        drawn = rng.integers(2, size=(25, 2)).astype(float)
        _, p = proportion_differences(np.repeat(drawn, 10, axis=0), np.repeat(np.arange(25), 10))
        found.append(p[0, 1] < 0.05)
    assert 0.01 < np.mean(found) < 0.09


def test_equal_columns_and_one_cluster_have_no_test() -> None:
    right = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert np.isnan(proportion_differences(right, np.array([0, 1]))[1][0, 1])
    assert np.isnan(proportion_differences(right, np.array([0, 0]))[1]).all()


def test_signs_are_turned_exactly_where_differences_are_few() -> None:
    assert (sign_flip_p([1.0] * 5), sign_flip_p([1, -1, 1, -1]), sign_flip_p([0, 0])) == (2 / 32, 1, 1)
    assert sign_flip_p(np.ones(30)) < 1e-6


def test_a_group_without_a_difference_is_rarely_found() -> None:
    rng = np.random.default_rng(3)
    clusters, found = rng.integers(0, 40, 200), []
    for _ in range(400):
        events = rng.normal(size=40)[clusters] + rng.normal(size=200) > 1  # rows of a cluster are alike
        found.append(group_difference_p(events, clusters % 3 == 0, clusters))
    assert 0.01 < np.mean(np.array(found) < 0.05) < 0.09


def test_the_interval_of_a_share_is_that_of_scipy() -> None:
    for k, n in ((0, 3), (2, 7), (50, 50)):
        interval = binomtest(k, n).proportion_ci(0.95, "wilson")
        assert wilson_interval(k / n, n) == pytest.approx((interval.low, interval.high))


def test_a_repeated_row_of_the_same_cluster_adds_nothing() -> None:
    events, inside = np.array([1, 0, 0, 1, 1, 0, 0, 0]), np.arange(8) < 4
    once = group_difference_p(events, inside, np.arange(8))
    twice = group_difference_p(np.repeat(events, 2), np.repeat(inside, 2), np.repeat(np.arange(8), 2))
    assert (once, group_difference_p(events, ~inside, np.arange(8))) == (pytest.approx(twice), pytest.approx(once))
    assert np.isnan(group_difference_p(np.ones(8), inside, np.arange(8)))


Adjust = Callable[[object], NDArray[np.float64]]
EVERY = pytest.mark.parametrize(
    ("adjust", "name"), [(holm, "holm"), (benjamini_hochberg, "fdr_bh"), (benjamini_yekutieli, "fdr_by")]
)


@EVERY
@pytest.mark.parametrize("decimals", [None, 1])
def test_adjusted_p_is_that_of_statsmodels_with_and_without_ties(adjust, name, decimals) -> None:
    rng = np.random.default_rng(1)
    for size in [1, 2, 3, 20, 210]:
        p = rng.random(size) ** 3
        p = p if decimals is None else p.round(decimals)
        assert adjust(p) == pytest.approx(multipletests(p, method=name)[1], abs=1e-15)


@EVERY
def test_what_is_rejected_is_what_statsmodels_rejects(adjust: Adjust, name: str) -> None:
    p = np.random.default_rng(2).random(200) ** 4
    assert (adjust(p) <= 0.05).tolist() == multipletests(p, alpha=0.05, method=name)[0].tolist()


@EVERY
def test_tests_that_could_not_be_made_do_not_count(adjust: Adjust, name: str) -> None:
    p = np.array([0.01, np.nan, 0.02, np.nan, 0.2])
    assert adjust(p)[~np.isnan(p)] == pytest.approx(multipletests(p[~np.isnan(p)], method=name)[1])
    assert np.isnan(adjust(p)[np.isnan(p)]).all()


@EVERY
def test_a_family_of_no_tests_stays_as_it_is(adjust: Adjust, name: str) -> None:
    assert adjust([]).shape == (0,) and np.isnan(adjust([np.nan, np.nan])).all()


@EVERY
def test_a_table_of_p_is_one_family_and_keeps_its_shape(adjust: Adjust, name: str) -> None:
    p = np.random.default_rng(3).random((4, 5)) / 10
    before = p.copy()
    assert (adjust(p).ravel(), adjust(p).shape) == (pytest.approx(multipletests(p.ravel(), method=name)[1]), p.shape)
    assert (p == before).all(), "the argument must not change"


@EVERY
@pytest.mark.parametrize("wrong", [-0.1, 1.1])
def test_what_is_no_probability_is_refused(adjust: Adjust, name: str, wrong: float) -> None:
    with pytest.raises(ValueError, match="outside 0 to 1"):
        adjust([0.5, wrong])
