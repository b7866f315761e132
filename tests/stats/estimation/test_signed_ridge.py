"""Ridge regression with known signs: hand-computed cases and properties."""

import numpy as np
import pytest

from rainbow.stats.estimation.signed_ridge import signed_ridge

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
