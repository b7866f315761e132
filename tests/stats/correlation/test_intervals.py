"""Confidence intervals, against scipy and by hand."""

import math
from functools import partial

import numpy as np
import pytest
from scipy import stats

from benchmarks.coverage import coverage, influence
from rainbow.base.arrays import FloatArray
from rainbow.stats.correlation.intervals import bca_interval, fisher_interval, percentile_interval
from rainbow.stats.correlation.rank_influence import influence_intervals
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import bootstrap


def test_pearson_has_the_interval_of_scipy() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 25))
    found = stats.pearsonr(x, y)
    expected = found.confidence_interval(0.9)
    low, high, reason = fisher_interval(float(found.statistic), 25, "pearson", 0.9)
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12) and reason is None


@pytest.mark.parametrize(("method", "error"), [
    ("spearman", math.sqrt((1 + 0.6**2 / 2) / 47)), ("kendall-b", math.sqrt(0.437 / 46)), ("pearson", 47**-0.5)
])  # fmt: skip
def test_the_standard_error_is_that_of_the_method(method: str, error: float) -> None:
    low, high, _ = fisher_interval(-0.6, 50, method)  # type: ignore[arg-type]
    assert (math.atanh(high) - math.atanh(low)) / 2 == pytest.approx(1.959964 * error, rel=1e-6)
    assert math.atanh(high) + math.atanh(low) == pytest.approx(2 * math.atanh(-0.6))


@pytest.mark.parametrize("r", [-1.0, 1.0])
def test_a_perfect_correlation_has_no_width(r: float) -> None:
    assert fisher_interval(r, 10)[:2] == (r, r)


@pytest.mark.parametrize(("r", "n", "method", "reason"), [
    (0.5, 3, "spearman", "n is 3: Fisher's z needs at least 4"),
    (0.5, 4, "kendall-b", "n is 4: Fisher's z needs at least 5"),
    (0.5, 50, "kendall-c", "Fisher's z is not available for kendall-c: resample the items instead"),
    (math.nan, 50, "spearman", "the correlation is undefined"),
])  # fmt: skip
def test_without_an_interval_there_is_a_reason(r: float, n: int, method: str, reason: str) -> None:
    low, high, said = fisher_interval(r, n, method)  # type: ignore[arg-type]
    assert math.isnan(low) and math.isnan(high) and said == reason


def test_r_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="between -1 and 1"):
        fisher_interval(1.5, 10)


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_confidence_out_of_range_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match=r"such as 0\.95"):
        fisher_interval(0.5, 10, confidence=confidence)
    with pytest.raises(ValueError, match=r"such as 0\.95"):
        percentile_interval([1.0], confidence)
    with pytest.raises(ValueError, match=r"such as 0\.95"):
        bca_interval(1.0, [1.0], [1.0], confidence)


def test_the_bca_interval_of_few_units_reaches_as_far_as_t() -> None:
    replicates = stats.norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    ends = {units: bca_interval(0.0, replicates, np.tile([-1.0, 1.0], units // 2)).high for units in (16, 100, 300)}
    assert ends[16] == pytest.approx(stats.t.ppf(0.975, 15) * math.sqrt(16 / 15), abs=0.01)
    assert (ends[100], ends[300]) == (pytest.approx(1.994, abs=0.01), pytest.approx(1.96, abs=0.002))


def _without_factor(confidence: float, units: int) -> float:
    """Return the confidence whose interval, with its factor for few units, is the plain one of this confidence."""
    reach = stats.norm.ppf((1 + confidence) / 2) * math.sqrt((units - 1) / units)
    return float(2 * stats.t.cdf(reach, units - 1) - 1)


@pytest.mark.parametrize("method", ["BCa", "percentile"])
@pytest.mark.parametrize("seed", range(4))
def test_replicates_of_scipy_give_the_interval_of_scipy(method: str, seed: int) -> None:
    values = np.random.default_rng(seed).lognormal(size=15)
    options = {"n_resamples": 800, "rng": seed, "confidence_level": 0.9}
    found = stats.bootstrap((values,), np.std, method=method, **options)  # type: ignore[call-overload]
    replicates = found.bootstrap_distribution
    jackknife = [np.std(np.delete(values, place)) for place in range(15)]
    own = bca_interval(float(np.std(values)), replicates, jackknife, _without_factor(0.9, 15))
    if method == "percentile":
        own = percentile_interval(replicates, 0.9)
    assert own[:2] == pytest.approx(tuple(found.confidence_interval), rel=1e-12)


def test_a_few_undefined_replicates_are_left_out() -> None:
    values = np.arange(100.0)
    holes = np.append(values, [math.nan] * 3)
    assert percentile_interval(holes) == percentile_interval(values)
    assert bca_interval(50, holes, [1, 2, 4, 2]) == bca_interval(50, values, [1, 2, 4, 2])


def test_many_undefined_replicates_make_the_interval_undefined() -> None:
    values = np.append(np.arange(90.0), [math.nan] * 10)
    for interval in (percentile_interval(values), bca_interval(50, values, [1, 2])):
        assert math.isnan(interval.low) and interval.reason == "a column is constant in 10 of 100 resamples"


def test_replicates_that_never_differ_have_no_width() -> None:
    assert bca_interval(1.0, [1.0, 1 - 1e-16, 1.0], [1.0, 1.0, 1.0])[:2] == pytest.approx((1, 1))


def test_a_value_beyond_all_replicates_has_no_interval() -> None:
    interval = bca_interval(5.0, [1.0, 2.0, 3.0], [5.0, 5.1])
    assert math.isnan(interval.high) and "one side" in str(interval.reason)


def test_an_undefined_statistic_has_no_interval() -> None:
    assert bca_interval(math.nan, [1.0, 2.0], [1.0]).reason == "the correlation is undefined"


def test_no_replicates_are_refused() -> None:
    with pytest.raises(ValueError, match="resample at least once"):
        percentile_interval([])


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
