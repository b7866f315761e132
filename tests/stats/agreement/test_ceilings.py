"""Ceilings that follow from a reliability, if ratings are normal; all panels of raters, and how two of them agree."""

import math

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.special import ndtr

from rainbow.stats.agreement.ceilings import (
    CEILING_METHODS,
    Aggregate,
    CeilingMethod,
    LatentClasses,
    can_list_panels,
    expected_ceiling,
    list_panels,
    median_variance,
    panel_correlation,
)
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


NAN = math.nan
CLASSES = LatentClasses(
    np.array([0.5, 0.3, 0.2]), np.array([[0.05, 0.1, 0.25, 0.6], [0.1, 0.4, 0.4, 0.1], [0.7, 0.2, 0.05, 0.05]])
)
MARKS = np.array([1.0, 2.0, 3.0, 5.0])


def full(size: int, width: int) -> np.ndarray:
    """Return an item for each mark, on which a panel of that size agrees, in a matrix for wider panels."""
    return np.array([[mark] * size + [NAN] * (width - size) for mark in MARKS])


def simulated(sizes: np.ndarray, aggregate: str, rng: np.random.Generator) -> list[np.ndarray]:
    """Let two panels, of the sizes given, judge items of classes that are drawn."""
    cuts = CLASSES.probabilities.cumsum(axis=1)[rng.choice(3, size=len(sizes), p=CLASSES.shares)][:, None, :3]
    absent = np.arange(sizes.max()) >= sizes[:, None]
    panels = []
    for _ in range(2):
        marks = MARKS[(rng.random(absent.shape)[:, :, None] > cuts).sum(axis=2)]
        marks[absent] = NAN
        panels.append(getattr(np, f"nan{aggregate}")(marks, axis=1))
    return panels


@pytest.mark.parametrize("aggregate", ["mean", "median"])
@pytest.mark.parametrize("sizes", [[1], [3], [4], [2, 3, 3]])
def test_the_correlation_is_that_of_simulated_panels(aggregate: Aggregate, sizes: list[int]) -> None:
    rng = np.random.default_rng(0)
    first, second = simulated(rng.choice(sizes, 60_000), aggregate, rng)
    panels = list_panels(np.concatenate([full(size, max(sizes)) for size in sizes]))
    for method in CEILING_METHODS:
        expected = correlate(first, second, method).r
        assert panel_correlation(panels, CLASSES, aggregate, method) == pytest.approx(expected, abs=0.015)


def test_every_panel_is_listed_once() -> None:
    counts = list_panels(full(3, 3)).counts[0]
    assert (len(counts), len(np.unique(counts, axis=0))) == (math.comb(4 + 3 - 1, 3), len(counts))
    assert set(counts.sum(axis=1)) == {3}


def test_items_that_all_are_of_one_kind_leave_nothing_to_correlate() -> None:
    alike = LatentClasses(np.array([0.4, 0.6]), np.array([[0.2, 0.3, 0.4, 0.1]] * 2))
    assert panel_correlation(list_panels(full(3, 3)), alike, "mean", "pearson") == pytest.approx(0, abs=1e-12)


def test_raters_who_always_agree_correlate_fully() -> None:
    sure = LatentClasses(np.full(4, 0.25), np.eye(4) * (1 - 4e-12) + 1e-12)
    assert panel_correlation(list_panels(full(3, 3)), sure, "median", "spearman") == pytest.approx(1)


def test_panels_of_a_scale_with_many_marks_are_too_many_to_list() -> None:
    assert not can_list_panels(np.random.default_rng(0).normal(size=(100, 3))) and can_list_panels(full(3, 3))
