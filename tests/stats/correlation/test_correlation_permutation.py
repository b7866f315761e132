"""p of a correlation by permutation, against scipy's."""

import math

import numpy as np
import pytest
from scipy import stats

from rainbow.stats.correlation.correlation import METHODS, Method, correlate, correlation_matrix
from rainbow.stats.correlation.correlation_permutation import correlate_by_permutation

SMALL = ([1, 2, 3, 3, 5, 7], [2, 1, 3, 6, 6, 4])


@pytest.mark.parametrize("method", METHODS)
def test_few_rows_have_the_exact_p(method: Method) -> None:
    x, y = (np.array(column, dtype=float) for column in SMALL)
    oracle = stats.permutation_test(  # type: ignore[call-overload]
        (x,),
        lambda permuted: correlation_matrix(permuted[:, None], y[:, None], method)[0, 0],
        permutation_type="pairings",
        n_resamples=np.inf,
        vectorized=False,
    )
    assert correlate_by_permutation(x, y, method).p == pytest.approx(oracle.pvalue, abs=1e-12)


def test_r_n_and_reason_are_those_of_correlate() -> None:
    assert correlate_by_permutation(*SMALL)._replace(p=0) == correlate(*SMALL)._replace(p=0)
    assert correlate_by_permutation([1, 1, 1, 1], [1, 2, 3, 4]).reason == "x is constant"


def test_p_of_many_rows_is_never_0() -> None:
    assert correlate_by_permutation(range(30), range(30), permutations=99, rng=1).p == pytest.approx(2 / 100)


def test_p_of_many_rows_is_near_that_of_t() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(2, 60))
    assert correlate_by_permutation(x, y, rng=5).p == pytest.approx(correlate(x, y).p, abs=0.02)


def test_permutations_in_blocks_are_all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rainbow.stats.correlation.correlation_permutation._CELLS", 100)
    found = correlate_by_permutation(range(30), range(30), permutations=99, rng=1)
    assert found.p == pytest.approx(2 / 100)


def test_the_same_seed_gives_the_same_p() -> None:
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=(2, 12))
    assert correlate_by_permutation(x, y, rng=3) == correlate_by_permutation(x, y, rng=3)


def test_rows_with_nan_are_left_out() -> None:
    x, y = SMALL
    assert correlate_by_permutation([*x, math.nan], [*y, 3]) == correlate_by_permutation(x, y)


def test_no_permutations_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        correlate_by_permutation(*SMALL, permutations=0)
