"""Power and sample size: printed tables, simulated studies, and the search for the smallest number."""

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from rainbow.stats.estimation.sample_size import (
    jackknife_spread,
    paired_t_power,
    required_rows,
    simulated_jackknife_power,
    simulated_paired_t_power,
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
