"""Intervals of differences of correlations: what Zou (2007) prints, and how often they hold the true difference."""

import math

import numpy as np
import pytest

from rainbow.stats.correlation.intervals import fisher_interval
from rainbow.stats.differences.difference_interval import difference_interval, estimate_correlation


def ends(r: float, n: int) -> tuple[float, float]:
    low, high, _ = fisher_interval(r, n, "pearson")
    return low, high


def test_correlations_of_different_rows_have_the_interval_that_zou_prints() -> None:
    low, high, reason = difference_interval(0.49, ends(0.49, 145), 0.36, ends(0.36, 87))
    assert (round(low, 3), round(high, 3), reason) == (-0.087, 0.359, None)


def test_correlations_with_one_column_in_common_have_the_interval_that_zou_prints() -> None:
    r, r_other, r_between = 0.396, 0.179, 0.088
    found = difference_interval(r, ends(r, 66), r_other, ends(r_other, 66), estimate_correlation(r, r_other, r_between))
    assert (round(found.low, 3), round(found.high, 3)) == (-0.093, 0.517)


@pytest.mark.parametrize("dependent", [False, True])
def test_about_95_in_100_intervals_hold_the_true_difference(dependent: bool) -> None:
    rng, n, held, trials = np.random.default_rng(5), 80, 0, 1500
    root = np.linalg.cholesky(np.array([[1, 0.5, 0.3], [0.5, 1, 0.7], [0.3, 0.7, 1]]))
    for _ in range(trials):
        x, y, z = root @ rng.normal(size=(3, n))
        if not dependent:
            r, s, c = np.corrcoef(x, y)[0, 1], np.corrcoef(*(root @ rng.normal(size=(3, n)))[[0, 2]])[0, 1], 0.0
        else:
            r, s = np.corrcoef(x, y)[0, 1], np.corrcoef(x, z)[0, 1]
            c = estimate_correlation(r, s, np.corrcoef(y, z)[0, 1])
        low, high, _ = difference_interval(r, ends(r, n), s, ends(s, n), c)
        held += low <= 0.2 <= high
    assert 0.935 < held / trials < 0.965


def test_what_is_missing_gives_no_interval() -> None:
    low, high, reason = difference_interval(0.4, (math.nan, 0.6), 0.3, (0.1, 0.5))
    assert math.isnan(low) and math.isnan(high) and reason == "an interval is missing"
    assert math.isnan(estimate_correlation(1.0, 0.4, 0.4)) and math.isnan(estimate_correlation(0.3, math.nan, 0.4))
