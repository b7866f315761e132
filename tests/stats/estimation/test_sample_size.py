"""Power and sample size: printed tables, simulated studies, and the search for the smallest number."""

import math

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from rainbow.stats.estimation.sample_size import (
    always_valid_half_width,
    interval_power,
    jackknife_spread,
    paired_t_power,
    required_rows,
    simulated_jackknife_power,
    simulated_paired_t_power,
    t_half_width,
)


@pytest.mark.parametrize("effect", [0.1, 0.35, 0.8])
@pytest.mark.parametrize("pairs", [5, 20, 150])
def test_the_paired_t_test_has_the_power_that_statsmodels_gives(effect: float, pairs: int) -> None:
    theirs = np.nan_to_num(TTestPower().power(effect, pairs, 0.05), nan=1.0)
    assert paired_t_power(2 * effect, 2.0, pairs) == pytest.approx(theirs, abs=1e-9)


def test_the_number_is_the_smallest_that_has_the_power() -> None:
    needed = required_rows(lambda n: paired_t_power(0.2, 1.0, n), 0.9)
    assert needed is not None and paired_t_power(0.2, 1.0, needed) >= 0.9 > paired_t_power(0.2, 1.0, needed - 1)
    assert required_rows(lambda n: 0.5, 0.8) is None
    with pytest.raises(ValueError, match=r"power is 1\.2"):
        required_rows(lambda n: 1.0, 1.2)


def test_no_spread_and_no_difference() -> None:
    assert (paired_t_power(0.5, 0.0, 5), paired_t_power(0.0, 0.0, 5), paired_t_power(0.5, 1.0, 1)) == (1.0, 0.0, 0.0)
    assert paired_t_power(0.0, 1.0, 50) == pytest.approx(0.05)


@pytest.mark.parametrize(("r", "other", "between"), [(0.5, 0.2, 0.1), (0.6, 0.55, 0.9), (0.8, 0.7, 0.6)])
def test_spearmans_correlations_are_told_apart_in_simulated_studies_as_often_as_is_foreseen(r, other, between) -> None:
    truth = np.array([[1, between, r], [between, 1, other], [r, other, 1]])
    gap, spread = np.arctanh(r) - np.arctanh(other), jackknife_spread(r, other, between)
    needed = required_rows(lambda n: paired_t_power(gap, spread, n), 0.8, minimum=10)
    assert needed is not None
    assert simulated_jackknife_power(truth, needed, times=1000, alpha=0.05, rng=1) == pytest.approx(0.8, abs=0.03)


def test_equal_metrics_are_told_apart_by_chance_only() -> None:
    truth = np.array([[1, 0.5, 0.3], [0.5, 1, 0.3], [0.3, 0.3, 1]])
    assert simulated_jackknife_power(truth, 200, times=1000, alpha=0.05, rng=1) == pytest.approx(0.05, abs=0.02)


def test_correlations_that_no_scores_have_and_studies_too_large_to_simulate_have_no_number() -> None:
    truth = np.array([[1, -0.9, 0.8], [-0.9, 1, 0.8], [0.8, 0.8, 1]])
    assert np.isnan(jackknife_spread(0.8, 0.8, -0.9))
    assert np.isnan(simulated_jackknife_power(truth, 200, times=10, alpha=0.05, rng=1))
    assert np.isnan(simulated_jackknife_power(np.eye(3), 1_000_000, times=10, alpha=0.05, rng=1))


def test_a_skewed_pilot_is_drawn_from_as_it_is() -> None:
    pilot = np.random.default_rng(2).exponential(size=300)
    found = simulated_paired_t_power(pilot, 0.0, 1.0, 30, times=4000, alpha=0.05, rng=1)
    assert 0.03 < found < 0.11  # the t-test is not exact for such differences, and the simulation shows it


LOOKS = range(20, 201, 5)


@pytest.mark.parametrize(("half", "least", "most"), [("always", 0.0, 0.06), ("t", 0.12, 0.4)])
def test_looking_errs_as_promised_only_where_it_is_allowed_for(half: str, least: float, most: float) -> None:
    rng, times, missed = np.random.default_rng(1), 600, 0
    for _ in range(times):
        marks = np.clip(np.round(4.2 + 1.2 * rng.normal(size=(2, max(LOOKS)))), 1, 6)
        values = marks[0] - marks[1]  # as two systems differ
        for n in LOOKS:
            spread = float(values[:n].std(ddof=1))
            wide = always_valid_half_width(spread, n, 100) if half == "always" else t_half_width(spread, n)
            if abs(values[:n].mean()) > wide:
                missed += 1
                break
    assert least <= missed / times <= most


def test_widths_fall_with_values_and_rise_with_the_level() -> None:
    widths = [always_valid_half_width(1.0, n, 100) for n in (1, 2, 20, 100, 1000)]
    assert widths[0] == math.inf and widths == sorted(widths, reverse=True)
    assert (
        always_valid_half_width(1.0, 100, 100, 0.005) > always_valid_half_width(1.0, 100, 100) > t_half_width(1.0, 100)
    )


def test_an_interval_is_kept_as_often_as_planned() -> None:
    needed = required_rows(lambda n: interval_power(0.4, 1.0, n), 0.9)
    rng = np.random.default_rng(1)
    kept = np.mean([t_half_width(float(rng.normal(size=needed).std(ddof=1)), needed) <= 0.4 for _ in range(2000)])
    assert 0.88 <= kept <= 0.94
