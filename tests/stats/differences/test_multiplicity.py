"""Holm and Benjamini-Hochberg against statsmodels."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

from rainbow.stats.differences.multiplicity import benjamini_hochberg, holm

Adjust = Callable[[object], NDArray[np.float64]]
BOTH = pytest.mark.parametrize(("adjust", "name"), [(holm, "holm"), (benjamini_hochberg, "fdr_bh")])


@BOTH
@pytest.mark.parametrize("decimals", [None, 1])
def test_adjusted_p_is_that_of_statsmodels_with_and_without_ties(adjust, name, decimals) -> None:
    rng = np.random.default_rng(1)
    for size in [1, 2, 3, 20, 210]:
        p = rng.random(size) ** 3
        p = p if decimals is None else p.round(decimals)
        assert adjust(p) == pytest.approx(multipletests(p, method=name)[1], abs=1e-15)


@BOTH
def test_what_is_rejected_is_what_statsmodels_rejects(adjust: Adjust, name: str) -> None:
    p = np.random.default_rng(2).random(200) ** 4
    assert (adjust(p) <= 0.05).tolist() == multipletests(p, alpha=0.05, method=name)[0].tolist()


@BOTH
def test_tests_that_could_not_be_made_do_not_count(adjust: Adjust, name: str) -> None:
    p = np.array([0.01, np.nan, 0.02, np.nan, 0.2])
    assert adjust(p)[~np.isnan(p)] == pytest.approx(multipletests(p[~np.isnan(p)], method=name)[1])
    assert np.isnan(adjust(p)[np.isnan(p)]).all()


@BOTH
def test_a_family_of_no_tests_stays_as_it_is(adjust: Adjust, name: str) -> None:
    assert adjust([]).shape == (0,) and np.isnan(adjust([np.nan, np.nan])).all()


@BOTH
def test_a_table_of_p_is_one_family_and_keeps_its_shape(adjust: Adjust, name: str) -> None:
    p = np.random.default_rng(3).random((4, 5)) / 10
    before = p.copy()
    assert adjust(p).ravel() == pytest.approx(multipletests(p.ravel(), method=name)[1])
    assert adjust(p).shape == p.shape
    assert (p == before).all(), "the argument must not change"


@BOTH
@pytest.mark.parametrize("wrong", [-0.1, 1.1])
def test_what_is_no_probability_is_refused(adjust: Adjust, name: str, wrong: float) -> None:
    with pytest.raises(ValueError, match="outside 0 to 1"):
        adjust([0.5, wrong])
