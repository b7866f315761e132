"""Correlations, against scipy and by hand."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rainbow.stats.correlation.correlation import (
    EXACT_ROWS,
    METHODS,
    Method,
    correlate,
    correlation_matrix,
    undefined_correlation_reason,
)

NAN = math.nan
# Few distinct values, so that there are ties.
pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=4, max_size=25)

ORACLES: dict[str, Callable[..., Any]] = {
    "spearman": stats.spearmanr,
    "pearson": stats.pearsonr,
    "kendall-b": stats.kendalltau,
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
}


@pytest.mark.parametrize("method", METHODS)
@given(rows=pairs)
def test_r_and_p_are_those_of_scipy(method: Method, rows: list[tuple[int, int]]) -> None:
    x, y = (list(column) for column in zip(*rows, strict=True))
    found = correlate(x, y, method)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert math.isnan(found.r) and math.isnan(found.p) and found.reason
        return
    r, p = ORACLES[method](x, y)
    assert found.r == pytest.approx(r, abs=1e-12)
    # Next to 1 p depends on the last bit of r.
    if len(x) > EXACT_ROWS and (abs(found.r) < 1 or "kendall" in method):
        assert found.p == pytest.approx(p, rel=1e-9, abs=1e-14)


@pytest.mark.parametrize("method", METHODS)
def test_few_rows_have_the_exact_p(method: Method) -> None:
    x, y = (np.array(column, dtype=float) for column in ([1, 2, 3, 3, 5, 7], [2, 1, 3, 6, 6, 4]))
    oracle = stats.permutation_test(  # type: ignore[call-overload]
        (x,),
        lambda permuted: correlation_matrix(permuted[:, None], y[:, None], method)[0, 0],
        permutation_type="pairings",
        n_resamples=np.inf,
        vectorized=False,
    )
    assert correlate(x, y, method).p == pytest.approx(oracle.pvalue, abs=1e-12)


def test_rows_with_nan_in_either_are_left_out_and_n_says_so() -> None:
    found = correlate([1, 2, NAN, 4, 5, 9], [2, 1, 3, 5, 4, NAN])
    assert (found, found.n) == (correlate([1, 2, 4, 5], [2, 1, 5, 4]), 4)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("x", "y", "reason"), [
    ([], [], "only 0 rows have both values: at least 4 are needed"),
    ([1, 2, 3], [1, 2, 3], "only 3 rows have both values: at least 4 are needed"),
    ([1, 2, 3, NAN], [1, 2, 3, 4], "only 3 rows have both values: at least 4 are needed"),
    ([0.1] * 7, range(7), "x is constant"),
    (range(7), [0.1] * 7, "y is constant"),
])  # fmt: skip
def test_without_a_correlation_there_is_a_reason(method: Method, x: list[float], y: list[float], reason: str) -> None:
    found = correlate(x, y, method)
    assert math.isnan(found.r) and math.isnan(found.p) and found.reason == reason


def test_ranks_take_infinite_values_and_pearson_gives_the_reason() -> None:
    x, y = [1, 2, 3, 4, math.inf], [1, 2, 3, 5, 4]
    for method in METHODS:
        assert correlate(x, y, method) == correlate([1, 2, 3, 4, 99], y, method) or method == "pearson"
    assert correlate(x, y, "pearson").reason == "x has infinite values"


def test_the_reason_names_the_columns() -> None:
    flat, rising = np.ones(5), np.arange(5.0)
    assert undefined_correlation_reason(rising, flat, ("BLEU4", "quality")) == "quality is constant"
    assert undefined_correlation_reason(rising, rising, ("BLEU4", "quality")) is None


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e200, 2e307])
def test_very_small_and_very_large_values_correlate(scale: float) -> None:
    assert correlate(np.array([1, 2, 3, 4]) * scale, [1, 2, 4, 3], "pearson").r == pytest.approx(0.8, abs=1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_a_matrix_holds_the_correlation_of_every_two_columns(method: Method) -> None:
    rng = np.random.default_rng(2)
    columns, others = rng.integers(0, 6, (30, 4)), rng.integers(0, 9, (30, 3))
    expected = [[correlate(x, y, method).r for y in others.T] for x in columns.T]
    np.testing.assert_allclose(correlation_matrix(columns, others, method), expected, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_matrix_has_nan_for_a_constant_column_and_no_other(method: Method) -> None:
    table = np.column_stack([np.full(6, 0.1), np.arange(6)])
    assert np.isnan(correlation_matrix(table, table, method)).tolist() == [[True, True], [True, False]]


@pytest.mark.parametrize("method", METHODS)
def test_a_matrix_of_no_rows_or_no_columns_has_its_shape(method: Method) -> None:
    assert np.isnan(correlation_matrix(np.empty((0, 2)), np.empty((0, 3)), method)).all()
    assert correlation_matrix(np.empty((5, 0)), np.ones((5, 3)), method).shape == (0, 3)


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="same length"):
        correlate([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="same rows"):
        correlation_matrix([[1], [2]], [[1]])


def test_nan_in_a_matrix_is_refused() -> None:
    with pytest.raises(ValueError, match="drop those rows"):
        correlation_matrix([[1.0], [NAN]], [[1], [2]])


def test_an_unknown_method_is_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match="spearman, pearson, kendall-b, kendall-c"):
        correlate([1, 2, 3, 4], [1, 2, 3, 4], "tau")  # type: ignore[arg-type]
