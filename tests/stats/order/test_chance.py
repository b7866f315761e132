"""What metrics reach by chance."""

from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from rainbow.stats.order.chance_agreement import (
    binomial_p,
    can_permute,
    count_agreements,
    expected_accuracy,
    permutation_test,
)

METRIC = np.array([1, 0, -1, 1, 1]).reshape(-1, 1, 1)
HUMAN = np.array([1, 0, 1, -1, 1]).reshape(-1, 1, 1)


def every_permutation(metric: NDArray[np.int64], human: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the agreements under each permutation of the items."""
    return np.array([(metric[list(order)] == human).sum() for order in permutations(range(len(metric)))])


def test_agreements_add_up_over_blocks_for_every_metric_and_rating() -> None:
    rng = np.random.default_rng(1)
    metric = [rng.integers(-1, 2, size=(items, pairs, 4)) for items, pairs in ((7, 1), (5, 3))]
    human = [rng.integers(-1, 2, size=(items, pairs, 2)) for items, pairs in ((7, 1), (5, 3))]
    for k, m in np.ndindex(4, 2):
        expected = sum((a[:, :, k] == b[:, :, m]).sum() for a, b in zip(metric, human, strict=True))
        assert count_agreements(metric, human)[k, m] == expected


def test_the_expected_accuracy_is_the_mean_over_all_permutations_of_items() -> None:
    metric, human = np.random.default_rng(2).integers(-1, 2, size=(2, 5, 3, 1))
    assert expected_accuracy([metric], [human]).item() == pytest.approx(every_permutation(metric, human).mean() / 15)


def test_monte_carlo_agrees_with_all_permutations_of_items_in_two_blocks() -> None:
    rng = np.random.default_rng(3)
    metric = [rng.integers(-1, 2, size=(4, 1, 1)), rng.integers(-1, 2, size=(4, 3, 1))]
    human = [rng.integers(-1, 2, size=(4, 1, 1)), rng.integers(-1, 2, size=(4, 3, 1))]
    small, large = (every_permutation(a, b) for a, b in zip(metric, human, strict=True))
    exact = (small[:, None] + large >= count_agreements(metric, human).item()).mean()
    drawn = 20_000
    estimate = permutation_test(metric, human, drawn, rng=1)[0].item()
    assert 0.1 < exact < 0.9 and abs(estimate - exact) < 4 * np.sqrt(exact * (1 - exact) / drawn)


def test_p_is_never_zero() -> None:
    signs = np.repeat([-1, 0, 1], 50).reshape(-1, 1, 1)
    assert permutation_test([signs], [signs], permutations=99, rng=1)[0].item() == 1 / 100


def test_p_of_a_metric_that_ties_everything_is_one() -> None:
    assert permutation_test([np.zeros_like(HUMAN)], [HUMAN], permutations=99, rng=1)[0].item() == 1


def test_the_same_seed_gives_the_same_p() -> None:
    assert permutation_test([METRIC], [HUMAN], 100, rng=5) == permutation_test([METRIC], [HUMAN], 100, rng=5)


def test_under_the_null_hypothesis_p_below_a_tenth_occurs_in_a_tenth_of_the_cases() -> None:
    rng = np.random.default_rng(4)
    metric, human = rng.integers(-1, 2, size=(80, 1, 40)), rng.integers(-1, 2, size=(80, 1, 40))
    assert 0.05 < (permutation_test([metric], [human], 200, rng=rng)[0] <= 0.1).mean() < 0.13


def test_as_one_of_many_tests_only_those_that_are_not_settled_go_on() -> None:
    rng = np.random.default_rng(4)
    human = rng.integers(-1, 2, size=(80, 1, 1))
    metric = np.concatenate([human, rng.integers(-1, 2, size=(80, 1, 1))], axis=2)
    p, made = permutation_test([metric], [human], 1000, tests=57, rng=1)
    assert (made.ravel().tolist(), p[0, 0]) == ([2280, 1000], 1 / 2281) and 57 * p[0, 0] < 0.05
    assert p[1, 0] == permutation_test([metric], [human], 1000, tests=49, rng=1)[0][1, 0] > 0.01


def test_items_with_other_numbers_of_outputs_cannot_change_places() -> None:
    lonely = [np.ones((1, 1, 1)), np.ones((1, 3, 1))]
    assert not can_permute(lonely) and can_permute([*lonely, np.ones((2, 6, 1))])


@pytest.mark.parametrize(("right", "pairs", "chance"), [(0, 5, 0.3), (3, 5, 0.3), (5, 5, 0.5), (70, 150, 0.4)])
def test_binomial_p_is_that_of_scipy(right: int, pairs: int, chance: float) -> None:
    expected = stats.binomtest(right, pairs, chance, alternative="greater").pvalue
    assert binomial_p(right, pairs, chance).item() == pytest.approx(expected)
