"""Correlations under multiplicities equal those of rows that are really repeated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rainbow.stats.correlation import weighted_correlation
from rainbow.stats.correlation.correlation import METHODS, Method, correlation_matrix
from rainbow.stats.correlation.weighted_correlation import weighted_correlations


def repeated(columns: np.ndarray, others: np.ndarray, weights: np.ndarray, method: Method) -> np.ndarray:
    """The slow, obvious way: copy the rows, then correlate."""
    counts = weights.astype(int)
    return np.array([correlation_matrix(columns.repeat(w, 0), others.repeat(w, 0), method) for w in counts])


@pytest.mark.parametrize("method", METHODS)
@given(seed=st.integers(0, 2**32), rows=st.integers(1, 30), values=st.integers(1, 12))
@settings(max_examples=40)
def test_multiplicities_are_repeated_rows(method: Method, seed: int, rows: int, values: int) -> None:
    rng = np.random.default_rng(seed)
    columns, others = rng.integers(0, values, (rows, 3)) / 7, rng.integers(0, values, (rows, 2)) / 3
    weights = rng.multinomial(rows, np.full(rows, 1 / rows), size=5)
    expected = repeated(columns, others, weights, method)
    np.testing.assert_allclose(weighted_correlations(columns, others, weights, method), expected, atol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_many_resamples_are_worked_on_in_blocks_without_a_difference(method, monkeypatch) -> None:
    rng = np.random.default_rng(1)
    columns, others = rng.normal(size=(20, 2)), rng.normal(size=(20, 1))
    weights = rng.integers(0, 3, (17, 20))
    whole = weighted_correlations(columns, others, weights, method)
    monkeypatch.setattr(weighted_correlation, "_BLOCK", 60)
    monkeypatch.setattr(weighted_correlation, "_PAIRS", 60)
    np.testing.assert_allclose(weighted_correlations(columns, others, weights, method), whole, rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_column_that_does_not_vary_over_the_rows_that_count_has_nan(method: Method) -> None:
    metric, rating = [[0.1], [0.1], [0.1], [0.7]], [[1], [2], [3], [4]]
    found = weighted_correlations(metric, rating, [[2, 1, 1, 0], [1, 1, 1, 1], [0, 0, 0, 0]], method)
    assert np.isnan(found[:, 0, 0]).tolist() == [True, False, True]


def test_an_infinite_value_has_a_rank_but_no_pearson_correlation() -> None:
    metric, rating, weights = [[1.0], [2.0], [3.0], [np.inf]], [[1], [2], [4], [3]], np.ones((1, 4))
    assert weighted_correlations(metric, rating, weights).item() == pytest.approx(0.8)
    assert np.isnan(weighted_correlations(metric, rating, weights, "pearson").item())


@pytest.mark.parametrize("method", METHODS)
def test_no_rows_have_no_correlation(method: Method) -> None:
    found = weighted_correlations(np.empty((0, 2)), np.empty((0, 1)), np.empty((3, 0)), method)
    assert found.shape == (3, 2, 1) and np.isnan(found).all()


def test_weights_for_other_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="one weight per row"):
        weighted_correlations([[1], [2]], [[1], [2]], [[1, 1, 1]])


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match="choose from spearman"):
        weighted_correlations([[1]], [[1]], [[1]], "rho")  # type: ignore[arg-type]
