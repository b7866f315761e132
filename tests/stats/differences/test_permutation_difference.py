"""Permutation tests against every possible swap, their size and power, and the bootstrap against scipy."""

import warnings
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import stats

from rainbow.base.arrays import FloatArray
from rainbow.stats.correlation.rowwise_correlation import RowwiseMethod
from rainbow.stats.differences.dependent_correlations import Alternative, williams_test
from rainbow.stats.differences.paired_scores import Level
from rainbow.stats.differences.permutation_difference import (
    Resampled,
    bootstrap_difference,
    permutation_difference,
)
from tests.stats.differences.test_paired_scores import ORACLES, expected, unbalanced


def simulated(
    rng: np.random.Generator, *, items: int = 20, systems: int = 5, noise: float = 1.0, shared: float = 0.0
) -> tuple[FloatArray, FloatArray, FloatArray, NDArray[np.int64], NDArray[np.int64]]:
    """Return two metrics with independent errors; the second's are `noise` times as large; `shared`: by a system."""
    item, system = np.repeat(np.arange(items), systems), np.tile(np.arange(systems), items)
    ratings = rng.normal(size=len(item)) + rng.normal(size=systems)[system]
    errors = [rng.normal(size=len(item)) + shared * rng.normal(size=systems)[system] for _ in range(2)]
    return ratings + errors[0], ratings + noise * errors[1], ratings, item, system


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall-b"])
def test_perm_both_gives_the_p_of_all_swaps_of_ten_outputs(method: RowwiseMethod) -> None:
    rng = np.random.default_rng(1)
    ratings = rng.normal(size=10)
    x, y = stats.zscore(ratings + rng.normal(size=10)), stats.zscore(rng.normal(size=10))

    def statistic(first: FloatArray, second: FloatArray) -> float:
        return float(ORACLES[method](first, ratings)[0] - ORACLES[method](second, ratings)[0])

    alternatives: tuple[Alternative, ...] = ("greater", "less")
    for alternative in alternatives:
        exact = stats.permutation_test(
            (x, y), statistic, permutation_type="samples", n_resamples=2**10, vectorized=False, alternative=alternative
        )
        found = permutation_difference(
            x, y, ratings, range(10), ["A"] * 10, method=method, alternative=alternative, resamples=20_000, rng=2
        )
        assert found.difference == pytest.approx(exact.statistic)
        assert found.p == pytest.approx(exact.pvalue, abs=0.012)  # 3.5 standard errors at p = 1/2


@pytest.mark.parametrize("method", ["pearson", "kendall-b"])
@pytest.mark.parametrize("level", ["pooled", "item", "system"])
@pytest.mark.parametrize("swap", ["inputs", "systems"])
def test_whole_inputs_or_systems_are_swapped(swap: Resampled, level: Level, method: RowwiseMethod) -> None:
    frame = unbalanced(5, items=6)
    unit = {"inputs": "item", "systems": "system"}[swap]
    standard = frame.assign(x=stats.zscore(frame["x"]), y=stats.zscore(frame["y"]), copy=0, twin=0)
    r, r_other = expected(standard, level, method)
    differences = []
    for swapped in product([False, True], repeat=frame[unit].nunique()):
        exchange = np.array(swapped)[frame[unit]]
        x, y = np.where(exchange, standard["y"], standard["x"]), np.where(exchange, standard["x"], standard["y"])
        first, second = expected(standard.assign(x=x, y=y), level, method)
        differences.append(first - second)
    exact = np.mean(np.abs(differences) >= abs(r - r_other) - 1e-12)
    found = permutation_difference(
        *(frame[name] for name in ["x", "y", "rating", "item", "system"]),
        swap=swap, level=level, method=method, resamples=4_999, rng=3,
    )  # fmt: skip
    assert (found.r, found.r_other, found.difference) == pytest.approx((r, r_other, r - r_other))
    assert found.p == pytest.approx(exact, abs=0.025)


def test_perm_both_keeps_its_size_over_2000_nulls() -> None:
    rng = np.random.default_rng(1)
    tests = [permutation_difference(*simulated(rng), method="pearson", resamples=199, rng=rng) for _ in range(2_000)]
    assert np.mean([test.p <= 0.05 for test in tests]) == pytest.approx(0.05, abs=0.01)


@pytest.mark.parametrize("level", ["pooled", "system"])
def test_perm_systems_keeps_its_size_where_systems_share_errors_and_perm_both_does_not(level: Level) -> None:
    rng = np.random.default_rng(2)
    rejected = {}
    for swap in ("both", "systems"):
        tests = [
            permutation_difference(
                *simulated(rng, systems=8, shared=1.0), swap=swap, level=level, method="pearson", resamples=99, rng=rng
            )
            for _ in range(500)
        ]
        rejected[swap] = np.mean([test.p <= 0.05 for test in tests])
    assert rejected["systems"] == pytest.approx(0.05, abs=0.03)
    assert rejected["both"] > 0.25


@pytest.mark.parametrize("level", ["pooled", "item", "system"])
@pytest.mark.parametrize("swap", ["both", "inputs"])
def test_a_planted_difference_is_found(swap: Resampled, level: Level) -> None:
    rng = np.random.default_rng(3)
    columns = simulated(rng, items=60, systems=12, noise=6.0)
    found = permutation_difference(*columns, swap=swap, level=level, method="pearson", resamples=999, rng=4)
    assert found.difference > 0.05
    assert found.p <= 0.05
    other_way = permutation_difference(
        *columns, swap=swap, level=level, method="pearson", resamples=999, rng=4, alternative="less"
    )
    assert other_way.p > 0.95


def test_perm_both_agrees_with_williams_test_where_rows_are_independent() -> None:
    rng = np.random.default_rng(5)
    ratings = rng.normal(size=400)
    x, y = ratings + 2 * rng.normal(size=400), ratings + 2.4 * rng.normal(size=400)
    r = np.corrcoef([x, y, ratings])
    williams = williams_test(r[0, 2], r[1, 2], r[0, 1], 400)
    found = permutation_difference(x, y, ratings, range(400), ["A"] * 400, method="pearson", rng=6)
    assert found.p == pytest.approx(williams.p, abs=0.03)


def test_scores_may_have_any_scale() -> None:
    x, y, *rest = simulated(np.random.default_rng(7))
    as_they_are = permutation_difference(x, y, *rest, resamples=199, rng=8)
    assert permutation_difference(1000 * x + 5, y / 7, *rest, resamples=199, rng=8).p == as_they_are.p


def test_turning_both_metrics_round_turns_the_difference_round() -> None:
    x, y, *rest = simulated(np.random.default_rng(9), noise=3)
    good = permutation_difference(x, y, *rest, alternative="greater", resamples=199, rng=10)
    bad = permutation_difference(-x, -y, *rest, alternative="less", resamples=199, rng=10)
    assert (bad.r, bad.r_other, bad.difference) == pytest.approx((-good.r, -good.r_other, -good.difference))
    assert bad.p == good.p


def test_one_seed_gives_one_answer_whatever_the_size_of_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = simulated(np.random.default_rng(11))
    for test in (permutation_difference, bootstrap_difference):
        monkeypatch.setattr("rainbow.stats.differences.permutation_difference._CELLS", 10**9)
        whole = test(*columns, resamples=300, rng=12)
        monkeypatch.setattr("rainbow.stats.differences.permutation_difference._CELLS", 1_000)
        assert test(*columns, resamples=300, rng=12) == pytest.approx(whole)
        assert test(*columns, resamples=300, rng=13) != pytest.approx(whole)


def test_p_is_never_zero_and_a_metric_does_not_differ_from_itself() -> None:
    x, y, ratings, items, systems = simulated(np.random.default_rng(13), noise=100)
    assert permutation_difference(ratings, y, ratings, items, systems, resamples=99, rng=14).p == 1 / 100
    same = permutation_difference(x, x, ratings, items, systems, resamples=99, rng=14)
    assert (same.difference, same.p) == (0, 1)


def test_rows_without_a_score_or_rating_are_left_out() -> None:
    x, y, ratings, items, systems = simulated(np.random.default_rng(15))
    x[0], y[1], ratings[2] = np.nan, np.nan, np.nan
    there = slice(3, None)
    expected_result = permutation_difference(x[there], y[there], ratings[there], items[there], systems[there], rng=16)
    assert permutation_difference(x, y, ratings, items, systems, rng=16) == expected_result
    assert expected_result.n == 97


@pytest.mark.parametrize(
    ("change", "choice", "reason"),
    [
        ({"x": 1.0}, {}, "x is constant"),
        ({"y": 1.0}, {}, "y is constant"),
        ({"rating": 3.0}, {}, "ratings is constant"),
        ({"x": [np.inf] + [0.0] * 38 + [1.0]}, {}, "x has infinite values"),
        (
            {"x": [1.0, 2.0, 3.0] + [np.nan] * 37},
            {},
            "only 3 rows have both scores and a rating: at least 4 are needed",
        ),
        ({"x": np.nan}, {}, "only 0 rows have both scores and a rating: at least 4 are needed"),
        ({"system": "A"}, {"level": "system"}, "only 1 systems: at least 4 are needed"),
        ({"system": "A"}, {"unit": "systems"}, "only 1 systems to resample: at least 4 are needed"),
        ({"item": "i"}, {"unit": "inputs"}, "only 1 inputs to resample: at least 4 are needed"),
        (
            {"item": list(range(40))},
            {"level": "item"},
            "only 0 items have a correlation for both metrics: at least 4 are needed",
        ),
    ],
)
def test_what_is_not_defined_is_nan_with_its_reason_and_without_a_warning(
    change: dict[str, Any], choice: dict[str, Any], reason: str
) -> None:
    x, y, ratings, items, systems = simulated(np.random.default_rng(17), items=8)
    frame = pd.DataFrame({"x": x, "y": y, "rating": ratings, "item": items, "system": systems}).assign(**change)
    columns = [frame[name] for name in ["x", "y", "rating", "item", "system"]]
    level, unit = choice.get("level", "pooled"), choice.get("unit", "inputs" if "item" not in change else "both")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tested = permutation_difference(*columns, swap=unit, level=level, resamples=9, rng=1)
        drawn = bootstrap_difference(
            *columns, draw="systems" if unit == "both" else unit, level=level, resamples=9, rng=1
        )
    assert (np.isnan(tested.p), tested.resamples, tested.reason) == (True, 0, reason)
    assert (np.isnan(drawn.low), np.isnan(drawn.high), drawn.resamples, drawn.reason) == (True, True, 0, reason)


def test_both_systems_and_inputs_are_needed_to_draw_both() -> None:
    x, y, ratings, items, systems = simulated(np.random.default_rng(18), systems=2)
    drawn = bootstrap_difference(x, y, ratings, items, systems, resamples=9, rng=1)
    assert drawn.reason == "only 2 systems to resample: at least 4 are needed"


def test_system_means_that_are_all_equal_have_no_correlation() -> None:
    x, y, _, items, systems = simulated(np.random.default_rng(19))
    tested = permutation_difference(x, y, items, items, systems, level="system", resamples=9, rng=1)
    assert tested.reason == "a metric, or the ratings, are the same for all systems"


@pytest.mark.parametrize(
    ("name", "value"), [("swap", "rows"), ("level", "summary"), ("method", "tau"), ("alternative", "larger")]
)
def test_an_unknown_choice_is_refused_by_name(name: str, value: str) -> None:
    choice: dict[str, Any] = {name: value}
    with pytest.raises(ValueError, match=f"{name} is '{value}': choose from"):
        permutation_difference(*simulated(np.random.default_rng(20)), **choice)


def test_impossible_numbers_are_refused() -> None:
    columns = simulated(np.random.default_rng(21))
    with pytest.raises(ValueError, match="resamples is 0"):
        permutation_difference(*columns, resamples=0)
    with pytest.raises(ValueError, match="a confidence of 95"):
        bootstrap_difference(*columns, confidence=95)


def test_boot_inputs_gives_the_percentile_interval_of_scipy() -> None:
    rng = np.random.default_rng(22)
    ratings = rng.normal(size=60)
    x, y = ratings + rng.normal(size=60), ratings + 2 * rng.normal(size=60)

    def statistic(a: FloatArray, b: FloatArray, c: FloatArray) -> float:
        r = np.corrcoef([a, b, c])
        return float(r[0, 2] - r[1, 2])

    oracle = stats.bootstrap(
        (x, y, ratings), statistic, paired=True, vectorized=False, method="percentile", n_resamples=9_999, rng=rng
    )
    found = bootstrap_difference(x, y, ratings, range(60), ["A"] * 60, draw="inputs", method="pearson", rng=23)
    assert (found.low, found.high) == pytest.approx(tuple(oracle.confidence_interval), abs=0.015)
    assert found.difference == pytest.approx(statistic(x, y, ratings))


def test_boot_both_covers_the_true_difference_of_new_systems_and_inputs() -> None:
    """Two equally good metrics whose errors systems share: the difference is 0, in some 95 of 100 intervals."""
    rng = np.random.default_rng(24)
    covered = []
    for _ in range(200):
        columns = simulated(rng, items=20, systems=20, shared=1.0)
        found = bootstrap_difference(*columns, method="pearson", resamples=200, rng=rng)
        covered.append(found.low <= 0 <= found.high)
    assert 0.9 <= np.mean(covered) <= 0.99


def test_samples_without_a_correlation_are_not_counted() -> None:
    """With four systems, one sample in 64 holds a single one: it has no correlation over systems."""
    columns = simulated(np.random.default_rng(25), systems=4)
    found = bootstrap_difference(*columns, draw="systems", level="system", method="pearson", resamples=2_000, rng=1)
    assert 2_000 * 0.97 < found.resamples < 2_000
    assert found.low < found.difference < found.high


def test_a_wider_interval_has_more_confidence() -> None:
    columns = simulated(np.random.default_rng(26))
    wide = bootstrap_difference(*columns, confidence=0.99, resamples=999, rng=1)
    narrow = bootstrap_difference(*columns, confidence=0.8, resamples=999, rng=1)
    assert wide.low < narrow.low < narrow.high < wide.high
