"""Ceilings that follow from a reliability, if ratings are normal."""

import math

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.special import ndtr

from rainbow.stats.agreement.ceilings import CEILING_METHODS, CeilingMethod, expected_ceiling, median_variance
from rainbow.stats.agreement.intraclass import spearman_brown
from rainbow.stats.correlation.correlation import correlate


def test_the_median_of_three_has_the_variance_that_is_known_in_closed_form() -> None:
    assert median_variance(3) == pytest.approx(1 - math.sqrt(3) / math.pi, abs=1e-12)


def test_the_median_of_two_is_their_mean() -> None:
    assert median_variance(2) == pytest.approx(0.5, abs=1e-12)


def test_the_median_of_four_has_the_variance_that_integration_gives() -> None:
    def density(upper: float, lower: float) -> float:
        both = 24 * ndtr(lower) * ndtr(-upper) * math.exp(-(lower**2 + upper**2) / 2) / (2 * math.pi)
        return float(((lower + upper) / 2) ** 2 * both)

    expected = dblquad(density, -7, 7, lambda lower: lower, 7, epsabs=1e-8)[0]
    assert median_variance(4) == pytest.approx(expected, abs=1e-7)


def test_the_median_of_many_has_the_variance_of_large_samples() -> None:
    assert 1001 * median_variance(1001) == pytest.approx(math.pi / 2, rel=2e-3)


def test_the_ceiling_of_the_mean_is_the_root_of_its_reliability() -> None:
    assert expected_ceiling(0.21, 3, "mean", "pearson") == pytest.approx(math.sqrt(spearman_brown(0.21, 3)))


@pytest.mark.parametrize("n_raters", [1, 3, 4])
@pytest.mark.parametrize("aggregate", ["mean", "median"])
@pytest.mark.parametrize("reliability", [0.2, 0.7])
def test_it_is_the_root_of_the_correlation_of_two_simulated_panels(n_raters, aggregate, reliability) -> None:
    rng = np.random.default_rng(1)
    truth = math.sqrt(reliability) * rng.normal(size=(100_000, 1))
    first, second = (
        getattr(np, aggregate)(truth + math.sqrt(1 - reliability) * rng.normal(size=(100_000, n_raters)), axis=1)
        for _ in range(2)
    )
    for method in CEILING_METHODS:
        correlation = correlate(first, second, method).r
        assert expected_ceiling(reliability, n_raters, aggregate, method) ** 2 == pytest.approx(correlation, abs=0.01)


def test_unlike_numbers_of_raters_count_with_their_shares() -> None:
    # Of two items one has one rater (noise 1), the other three (noise 1/3): the mean is 2/3.
    assert expected_ceiling(0.5, [1, 3], "mean", "pearson") == pytest.approx(math.sqrt(0.5 / (0.5 + 0.5 * 2 / 3)))


def test_more_raters_raise_the_ceiling_and_the_median_is_below_the_mean() -> None:
    means = [expected_ceiling(0.3, k, "mean") for k in (1, 3, 5, 7)]
    medians = [expected_ceiling(0.3, k, "median") for k in (1, 3, 5, 7)]
    assert means == sorted(means) and medians == sorted(medians) and means[0] == medians[0]
    assert all(median < mean for median, mean in zip(medians[1:], means[1:], strict=True))


@pytest.mark.parametrize("method", ["pearson", "spearman"])
def test_no_reliability_leaves_nothing_and_full_reliability_all(method: CeilingMethod) -> None:
    assert (expected_ceiling(0, 3, "median", method), expected_ceiling(1, 3, "median", method)) == (0, pytest.approx(1))


def test_the_printed_agreement_of_novikova_et_al_2017() -> None:
    # An intraclass correlation of .45 for the mean of three, .21 for one; the ratings are medians.
    single = spearman_brown(0.45, 1 / 3)
    assert expected_ceiling(single, 3, "mean", "pearson") == pytest.approx(0.67, abs=0.005)
    assert expected_ceiling(single, 3, "median", "spearman") == pytest.approx(0.60, abs=0.005)
