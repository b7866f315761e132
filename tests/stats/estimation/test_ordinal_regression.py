"""The cumulative logit model: against other programs' answers, and what must hold of probabilities."""

import numpy as np
import pytest
from scipy.optimize import check_grad, minimize
from scipy.special import expit

from rainbow.stats.estimation import ordinal_regression
from rainbow.stats.estimation.ordinal_regression import CumulativeLogit, fit_cumulative_logit
from rainbow.stats.estimation.signed_ridge import signed_ridge


def drawn(seed: int, n: int = 400, slope: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    numbers = rng.normal(3, 2, n)
    return numbers, np.searchsorted([2.0, 5.0, 9.0], slope * numbers + rng.logistic(size=n))


def test_two_classes_are_those_of_a_logistic_regression() -> None:
    from sklearn.linear_model import LogisticRegression

    numbers, classes = drawn(1)
    two = (classes > 1).astype(int)
    other = LogisticRegression(C=1e6, tol=1e-10).fit(numbers[:, None], two)
    found = fit_cumulative_logit(numbers, two).probabilities(numbers)
    np.testing.assert_allclose(found, other.predict_proba(numbers[:, None]), atol=2e-3)


def test_no_other_slope_or_cuts_are_likelier() -> None:
    numbers, classes = drawn(2)
    model = fit_cumulative_logit(numbers, classes)

    def unlikely(given: np.ndarray) -> float:
        below = expit(np.sort(given[1:]) - given[0] * numbers[:, None])
        own = np.diff(np.hstack([np.zeros((len(numbers), 1)), below, np.ones((len(numbers), 1))]))
        return float(-np.log(own[np.arange(len(numbers)), classes]).sum())

    start = np.array([model.slope, *model.cuts])
    best = minimize(
        unlikely, start + 0.3, method="Nelder-Mead", options={"maxiter": 4000, "xatol": 1e-6, "fatol": 1e-8}
    )
    assert unlikely(start) <= best.fun + 0.05
    np.testing.assert_allclose(start, best.x, rtol=0.02)


def test_the_gradient_is_that_of_the_loss() -> None:
    numbers, classes = drawn(3, 100)
    given = np.array([0.7, -1.0, 0.8, 1.5])
    loss, gradient = (lambda at, part=part: ordinal_regression._loss(at, numbers, classes)[part] for part in (0, 1))
    assert check_grad(loss, gradient, given) < 1e-6


@pytest.mark.parametrize(("scale", "shift"), [(1000.0, 0.0), (0.001, 5.0), (1.0, -1e6)])
def test_the_unit_of_the_numbers_changes_no_probability(scale: float, shift: float) -> None:
    numbers, classes = drawn(4)
    expected = fit_cumulative_logit(numbers, classes).probabilities(numbers)
    found = fit_cumulative_logit(scale * numbers + shift, classes).probabilities(scale * numbers + shift)
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test_probabilities_add_up_to_one_and_keep_the_shares_of_the_classes() -> None:
    numbers, classes = drawn(5)
    found = fit_cumulative_logit(numbers, classes).probabilities(numbers)
    assert (found >= 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1)
    np.testing.assert_allclose(found.mean(axis=0), np.bincount(classes) / len(classes), atol=0.02)


def test_higher_numbers_never_make_lower_classes_likelier_whatever_was_learned() -> None:
    numbers, classes = drawn(6, slope=-2.0)
    model = fit_cumulative_logit(numbers, classes)
    assert model.slope == 0
    np.testing.assert_allclose(model.probabilities([0.0, 9.0])[0], np.bincount(classes) / len(classes), atol=1e-3)


def test_classes_that_a_number_parts_without_an_error_have_finite_cuts() -> None:
    model = fit_cumulative_logit(np.arange(60.0), np.repeat([0, 1, 2], 20))
    assert np.isfinite([model.slope, *model.cuts]).all()
    assert (model.probabilities(np.arange(60.0)).argmax(axis=1) == np.repeat([0, 1, 2], 20)).all()


def test_numbers_that_are_all_the_same_say_nothing() -> None:
    found = fit_cumulative_logit([3.0] * 4, [0, 1, 1, 1]).probabilities([3.0])
    np.testing.assert_allclose(found, [[0.25, 0.75]], atol=1e-4)


def test_what_is_missing_has_no_probability() -> None:
    found = CumulativeLogit(1.0, np.array([0.0])).probabilities([np.nan, 0.0])
    assert np.isnan(found[0]).all() and found[1].tolist() == [0.5, 0.5]


@pytest.mark.parametrize(("numbers", "classes", "message"), [
    ([1.0, 2.0], [0], "give one of each per row"),
    ([1.0, np.nan], [0, 1], "a number is not finite"),
    ([1.0, 2.0], [0.0, 1.0], "whole numbers of at least 0"),
    ([1.0, 2.0], [-1, 1], "whole numbers of at least 0"),
    ([1.0, 2.0], [0, 2], "each with at least one row"),
    ([1.0, 2.0], [0, 0], "at least two classes"),
    (np.zeros(0), np.zeros(0, dtype=int), "whole numbers of at least 0"),
])  # fmt: skip
def test_what_cannot_be_learned_from_is_refused(numbers: list[float], classes: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fit_cumulative_logit(numbers, classes)


ROWS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
AIMS = np.array([2.0, -1.0, 2.0, -1.0])


def test_a_column_against_its_direction_gets_nothing() -> None:
    found = signed_ridge(ROWS, AIMS, np.ones(4), np.array([1, 1]), np.array([2.0, 2.0]))
    np.testing.assert_allclose(found, [1.0, 0.0])  # 4 / (2 + 2), and a negative slope that is not allowed


@pytest.mark.parametrize("direction", [-1, 0])
def test_a_column_in_its_direction_or_without_one_has_the_ridge_slope(direction: int) -> None:
    found = signed_ridge(ROWS, AIMS, np.ones(4), np.array([1, direction]), np.array([2.0, 2.0]))
    np.testing.assert_allclose(found, [1.0, -0.5])


def test_a_penalty_draws_a_slope_to_its_prior() -> None:
    found = signed_ridge(ROWS, AIMS, np.ones(4), np.array([1, -1]), np.array([2.0, 1e9]), np.array([5.0, -7.0]))
    np.testing.assert_allclose(found, [(4 + 10) / 4, -7.0], rtol=1e-6)


def test_a_weight_counts_as_that_many_rows() -> None:
    asked = np.array([1, -1]), np.array([1.0, 1.0])
    once = signed_ridge(ROWS[[0, 0, 1, 2, 3]], AIMS[[0, 0, 1, 2, 3]], np.ones(5), *asked)
    np.testing.assert_allclose(signed_ridge(ROWS, AIMS, np.array([2.0, 1, 1, 1]), *asked), once)
