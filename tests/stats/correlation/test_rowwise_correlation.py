"""Row-by-row correlations against scipy on rows that are written out as often as they count."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from rainbow.stats.correlation import rowwise_correlation
from rainbow.stats.correlation.rowwise_correlation import RowwiseMethod, rowwise_correlations

METHODS = pytest.mark.parametrize(
    ("method", "oracle"),
    [("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall-b", stats.kendalltau)],
)
Oracle = Callable[..., Any]


@METHODS
@pytest.mark.filterwarnings("ignore::scipy.stats.ConstantInputWarning", "ignore::RuntimeWarning:scipy")
def test_a_place_counts_as_often_as_its_weight_says(method: RowwiseMethod, oracle: Oracle) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 6, (300, 12)).astype(float), rng.integers(0, 5, (300, 12)).astype(float)
    weights = rng.integers(0, 3, (300, 12))
    expected = [oracle(np.repeat(a, w), np.repeat(b, w))[0] for a, b, w in zip(x, y, weights, strict=True)]
    assert rowwise_correlations(x, y, weights, method) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@METHODS
def test_one_row_stands_for_all(method: RowwiseMethod, oracle: Oracle) -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(20, 9)), rng.normal(size=9)
    expected = [oracle(row, y)[0] for row in x]
    assert rowwise_correlations(x, y, method=method) == pytest.approx(expected)
    assert rowwise_correlations(y, x, method=method) == pytest.approx(expected)


@METHODS
def test_a_row_that_is_constant_where_it_counts_has_none(method: RowwiseMethod, oracle: Oracle) -> None:
    x = [[0.1, 0.1, 0.1, 5.0], [1.0, 2.0, 3.0, 5.0]]
    r = rowwise_correlations(x, [1.0, 2.0, 3.0, 4.0], [1, 1, 1, 0], method)
    assert (np.isnan(r[0]), r[1]) == (True, pytest.approx(1.0))
    assert np.isnan(rowwise_correlations(x, [1.0, 2.0, 3.0, 4.0], [0, 0, 0, 0], method)).all()


def test_long_rows_of_kendall_are_sorted_and_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    x, y, weights = (rng.integers(0, 9, (10, 40)).astype(float) for _ in range(3))
    in_pairs = rowwise_correlations(x, y, weights, "kendall-b")
    monkeypatch.setattr(rowwise_correlation, "_PAIRWISE", 10)
    assert rowwise_correlations(x, y, weights, "kendall-b") == pytest.approx(in_pairs, abs=1e-12)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no method 'tau'"):
        rowwise_correlations([[1, 2]], [[1, 2]], method="tau")  # type: ignore[arg-type]
