"""Kappas, against statsmodels and scikit-learn."""

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from statsmodels.stats import inter_rater  # type: ignore[import-untyped]

from rainbow.stats.agreement.kappa import (
    WEIGHTINGS,
    Weighting,
    cohen_kappa,
    fleiss_kappa,
    light_kappa,
    randolph_kappa,
)
from rainbow.stats.agreement.rating_matrix import Agreement

from .simulated_raters import DEGENERATE, NAN, ratings

ALL_WEIGHTINGS = pytest.mark.parametrize("weighting", WEIGHTINGS)
STATSMODELS = {"unweighted": None, "linear": "linear", "quadratic": "quadratic"}
SCALE = list(range(1, 7))


def table(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.array([[np.sum((first == one) & (second == two)) for two in SCALE] for one in SCALE])


@ALL_WEIGHTINGS
@pytest.mark.parametrize("seed", range(4))
def test_cohens_kappa_and_its_interval_are_those_of_statsmodels(weighting: Weighting, seed: int) -> None:
    first, second = ratings(seed, 50, 2).T
    oracle = inter_rater.cohens_kappa(table(first, second), wt=STATSMODELS[weighting])
    found = cohen_kappa(first, second, weighting)
    assert found.estimate == pytest.approx(oracle.kappa, abs=1e-9)
    assert (found.low, found.high) == pytest.approx((oracle.kappa_low, oracle.kappa_upp), abs=1e-9)


@ALL_WEIGHTINGS
@pytest.mark.parametrize("seed", range(4))
def test_cohens_kappa_is_that_of_scikit_learn(weighting: Weighting, seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    first, second = ratings(seed, 30, 2).T
    oracle = metrics.cohen_kappa_score(first, second, labels=SCALE, weights=STATSMODELS[weighting])
    assert cohen_kappa(first, second, weighting).estimate == pytest.approx(oracle, abs=1e-9)


def test_a_mark_that_nobody_gave_does_not_change_distances() -> None:
    # Nobody gave a 2, and still 1 and 3 are two steps apart.
    first, second = [1, 1, 3], [1, 3, 3]
    expected = 1 - (2 / 3) / np.mean([abs(one - two) for one in first for two in second])
    assert cohen_kappa(first, second, "linear").estimate == pytest.approx(expected)


def test_items_that_only_one_rater_saw_are_left_out_and_n_says_so() -> None:
    found = cohen_kappa([1, 2, 3, NAN, 1], [1, 2, 2, 3, NAN])
    assert found.estimate == cohen_kappa([1, 2, 3], [1, 2, 2]).estimate
    assert found.n_items == 3


@pytest.mark.parametrize("seed", range(4))
def test_fleiss_and_randolphs_kappa_are_those_of_statsmodels(seed: int) -> None:
    matrix = ratings(seed)
    counts = np.array([[np.sum(row == mark) for mark in SCALE] for row in matrix])
    assert fleiss_kappa(matrix, resamples=0).estimate == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-9)
    oracle = inter_rater.fleiss_kappa(counts, method="randolph")
    assert randolph_kappa(matrix, 6, resamples=0).estimate == pytest.approx(oracle, abs=1e-9)


def test_fleiss_kappa_goes_by_the_number_of_ratings_not_by_who_gave_them() -> None:
    gaps = [[1, 1, NAN], [NAN, 2, 3], [3, NAN, 3]]
    assert fleiss_kappa(gaps, resamples=0).estimate == fleiss_kappa([[1, 1], [2, 3], [3, 3]], resamples=0).estimate


def test_fleiss_kappa_refuses_unequal_numbers_of_ratings() -> None:
    found = fleiss_kappa(np.array([[1, 1, 2], [2, 2, NAN], [3, 3, 3]]))
    assert math.isnan(found.estimate)
    assert "unequal numbers" in str(found.reason)


@ALL_WEIGHTINGS
def test_lights_kappa_is_the_mean_over_pairs_each_with_its_own_items(weighting: Weighting) -> None:
    matrix = ratings(8, gaps=0.2)
    pairs = [cohen_kappa(one, two, weighting).estimate for one, two in combinations(matrix.T, 2)]
    assert light_kappa(matrix, weighting, resamples=0).estimate == pytest.approx(np.mean(pairs))


@pytest.mark.parametrize("kappa", [fleiss_kappa, light_kappa, lambda matrix, **how: randolph_kappa(matrix, 6, **how)])
def test_the_bootstrap_interval_holds_the_estimate_and_comes_again_with_the_seed(
    kappa: Callable[..., Agreement],
) -> None:
    first, second = (kappa(ratings(9), resamples=100, rng=3) for _ in range(2))
    assert first == second
    assert first.low < first.estimate < first.high


@pytest.mark.parametrize("kappa", [fleiss_kappa, light_kappa, lambda matrix: randolph_kappa(matrix, 6)])
@pytest.mark.parametrize("reason", DEGENERATE)
def test_degenerate_ratings_give_nan_with_the_reason(kappa: Callable[..., Agreement], reason: str) -> None:
    found = kappa(DEGENERATE[reason])
    assert math.isnan(found.estimate)
    assert reason in str(found.reason)


@pytest.mark.parametrize(("first", "second", "reason"), [
    ([1], [2], "one item"),
    ([2, 2, 2], [2, 2, 2], "all ratings are equal"),
    ([NAN, NAN], [NAN, NAN], "no ratings"),
    ([NAN, NAN], [1, 2], "one rater"),
    ([1, NAN], [NAN, 2], "no item has two ratings"),
])  # fmt: skip
def test_degenerate_pairs_give_nan_with_the_reason(first: list[float], second: list[float], reason: str) -> None:
    found = cohen_kappa(first, second)
    assert math.isnan(found.estimate)
    assert reason in str(found.reason)


def test_raters_who_never_meet_have_no_kappa() -> None:
    found = light_kappa([[1, 1, NAN], [2, 2, NAN], [NAN, NAN, 3]], resamples=0)
    assert found.estimate == 1
    apart = light_kappa([[1, 1, NAN, NAN], [1, 1, NAN, NAN], [NAN, NAN, 2, 2], [NAN, NAN, 2, 2]])
    assert "no two raters" in str(apart.reason)


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="choose from unweighted"):
        cohen_kappa([1, 2], [1, 2], "cubic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a rating per item from each"):
        cohen_kappa([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="3 or more"):
        randolph_kappa([[1, 2], [3, 3]], 2)
