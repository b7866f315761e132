"""Power and sample size: printed tables, simulated studies, and the search for the smallest number."""

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from rainbow.stats.estimation.sample_size import (
    paired_t_power,
    rows_needed,
    simulated_paired_t,
    simulated_williams,
    williams_power,
)


@pytest.mark.parametrize("effect", [0.1, 0.35, 0.8])
@pytest.mark.parametrize("pairs", [5, 20, 150])
def test_the_paired_t_test_has_the_power_that_statsmodels_gives(effect: float, pairs: int) -> None:
    theirs = np.nan_to_num(TTestPower().power(effect, pairs, 0.05), nan=1.0)
    assert paired_t_power(2 * effect, 2.0, pairs) == pytest.approx(theirs, abs=1e-9)


def test_the_number_is_the_smallest_that_has_the_power() -> None:
    needed = rows_needed(lambda n: paired_t_power(0.2, 1.0, n), 0.9)
    assert needed is not None
    assert paired_t_power(0.2, 1.0, needed) >= 0.9 > paired_t_power(0.2, 1.0, needed - 1)
    assert rows_needed(lambda n: 0.5, 0.8) is None
    with pytest.raises(ValueError, match=r"power is 1\.2"):
        rows_needed(lambda n: 1.0, 1.2)


def test_no_spread_and_no_difference() -> None:
    assert (paired_t_power(0.5, 0.0, 5), paired_t_power(0.0, 0.0, 5), paired_t_power(0.5, 1.0, 1)) == (1.0, 0.0, 0.0)
    assert paired_t_power(0.0, 1.0, 50) == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("r", "other", "between"), [(0.4, 0.3, 0.5), (0.5, 0.2, 0.1), (0.6, 0.55, 0.9), (0.1, 0.25, 0.4)]
)
def test_williams_test_finds_in_simulated_studies_as_much_as_is_foreseen(
    r: float, other: float, between: float
) -> None:
    truth = np.array([[1, between, r], [between, 1, other], [r, other, 1]])
    needed = rows_needed(lambda n: williams_power(r, other, between, n), 0.8, least=4)
    assert needed is not None
    assert simulated_williams(truth, needed, times=4000, alpha=0.05, rng=1) == pytest.approx(0.8, abs=0.025)


def test_equal_metrics_are_told_apart_by_chance_only() -> None:
    truth = np.array([[1, 0.5, 0.3], [0.5, 1, 0.3], [0.3, 0.3, 1]])
    assert williams_power(0.3, 0.3, 0.5, 1000) == 0.0
    assert simulated_williams(truth, 200, times=4000, alpha=0.05, rng=1) == pytest.approx(0.05, abs=0.012)


def test_a_skewed_pilot_is_drawn_from_as_it_is() -> None:
    pilot = np.random.default_rng(2).exponential(size=300)
    found = simulated_paired_t(pilot, 0.0, 1.0, 30, times=4000, alpha=0.05, rng=1)
    assert 0.03 < found < 0.11  # the t-test is not exact for such differences, and the simulation shows it
