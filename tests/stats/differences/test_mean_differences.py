"""Tests of two means, against scipy and by hand."""

import math

import numpy as np
import pytest
from scipy import stats

from rainbow.stats.differences.mean_differences import paired_t, pooled_t, welch_t, wilcoxon_signed_rank

RNG = np.random.default_rng(3)
FIRST, SECOND = RNG.normal(0.3, 1, 30), RNG.normal(0, 2, 30)
PAIRED = pytest.mark.parametrize("test", [paired_t, wilcoxon_signed_rank])
UNPAIRED = pytest.mark.parametrize("test", [pooled_t, welch_t])


@pytest.mark.parametrize(("test", "equal_variances"), [(pooled_t, True), (welch_t, False)])
@pytest.mark.parametrize("size", [2, 7, 30])
def test_the_unpaired_tests_are_those_of_scipy(test, equal_variances, size) -> None:
    oracle = stats.ttest_ind(FIRST, SECOND[:size], equal_var=equal_variances)
    result = test(FIRST, SECOND[:size])
    assert (result.statistic, result.p) == pytest.approx((oracle.statistic, oracle.pvalue))
    assert (result.low, result.high) == pytest.approx(oracle.confidence_interval(0.95))
    assert (result.n_first, result.n_second, result.reason) == (30, size, None)


def test_the_paired_t_test_is_that_of_scipy() -> None:
    oracle, result = stats.ttest_rel(FIRST, SECOND), paired_t(FIRST, SECOND)
    assert (result.statistic, result.p) == pytest.approx((oracle.statistic, oracle.pvalue))
    assert (result.low, result.high) == pytest.approx(oracle.confidence_interval(0.95))


@pytest.mark.parametrize("size", [5, 30])
def test_signed_ranks_without_ties_have_the_exact_p_of_scipy(size) -> None:
    oracle = stats.wilcoxon(FIRST[:size], SECOND[:size], method="exact")
    result = wilcoxon_signed_rank(FIRST[:size], SECOND[:size])
    assert (result.statistic, result.p) == pytest.approx((oracle.statistic, oracle.pvalue))


def test_signed_ranks_with_ties_have_the_normal_p_of_scipy() -> None:
    first, second = RNG.integers(1, 7, (2, 200)).astype(float)
    oracle = stats.wilcoxon(first, second, method="asymptotic")
    result = wilcoxon_signed_rank(first, second)
    assert (result.statistic, result.p) == pytest.approx((oracle.statistic, oracle.pvalue))
    assert result.n_first == (first != second).sum()


def test_differences_that_are_equal_but_for_rounding_share_a_rank() -> None:
    # 0.3 - 0.1 and 0.9 - 0.7 differ in the last bit.
    first, second = [0.3, 0.9, 0.1, 0.5, 0.2], [0.1, 0.7, 0.3, 0.1, 0.9]
    whole = wilcoxon_signed_rank([3, 9, 1, 5, 2], [1, 7, 3, 1, 9])
    result = wilcoxon_signed_rank(first, second)
    assert (result.statistic, result.p) == pytest.approx((whole.statistic, whole.p))


def test_an_offset_that_is_constant_but_for_rounding_has_no_t() -> None:
    first = np.array([0.1, 0.2, 0.3, 0.7, 0.9])
    assert paired_t(first + 0.1, first).reason == "the difference is the same for every item"


@PAIRED
def test_items_with_a_gap_are_left_out(test) -> None:
    gap = float("nan")
    assert test([*FIRST, gap, 1.0], [*SECOND, 1.0, gap]) == test(FIRST, SECOND)


@UNPAIRED
def test_rows_with_a_gap_are_left_out(test) -> None:
    assert test([*FIRST, float("nan")], SECOND) == test(FIRST, SECOND)


@PAIRED
def test_fewer_than_four_items_have_no_p(test) -> None:
    result = test([1, 2, 3], [2, 4, 5])
    assert math.isnan(result.p) and result.difference == pytest.approx(-5 / 3)
    assert result.reason == "only 3 items have both values: at least 4 are needed"


@UNPAIRED
@pytest.mark.parametrize(("first", "second", "reason"), [
    ([1, 2, 3], [2], "the samples have 3 and 1 values: each needs at least 2"),
    ([], [], "the samples have 0 and 0 values: each needs at least 2"),
    ([2, 2, 2], [2, 2], "both samples are constant"),
    ([2, 2, 2], [3, 3], "both samples are constant"),
    ([2, math.inf], [3, 4], "there are infinite values"),
])  # fmt: skip
def test_samples_without_a_spread_have_no_p(test, first, second, reason) -> None:
    result = test(first, second)
    assert math.isnan(result.p) and result.reason == reason


@UNPAIRED
def test_one_constant_sample_is_enough_to_be_tested_against(test) -> None:
    result = test([2, 2, 2], [3, 4, 5])
    assert 0 < result.p < 1 and result.reason is None


@pytest.mark.parametrize(("test", "reason"), [
    (paired_t, "the difference is the same for every item"), (wilcoxon_signed_rank, "no item has a difference")
])  # fmt: skip
def test_items_that_are_all_tied_have_no_p(test, reason) -> None:
    result = test([1, 2, 3, 4], [1, 2, 3, 4])
    assert math.isnan(result.p) and (result.difference, result.reason) == (0, reason)


@PAIRED
def test_infinite_values_have_no_p(test) -> None:
    result = test([1, 2, 3, math.inf], [1, 3, 5, 4])
    assert (math.isnan(result.p), result.reason) == (True, "there are infinite values")


@PAIRED
def test_values_that_do_not_pair_are_refused(test) -> None:
    with pytest.raises(ValueError, match="one value per item for both"):
        test([1, 2, 3, 4], [1, 2, 3])


@UNPAIRED
def test_a_table_is_refused(test) -> None:
    with pytest.raises(ValueError, match=r"shape \(n,\)"):
        test([[1, 2], [3, 4]], [1, 2])
