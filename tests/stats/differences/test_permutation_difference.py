"""Permutation tests of two metrics against every possible swap, their size and their power."""

import warnings
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from rainbow.base.arrays import FloatArray
from rainbow.stats.differences.dependent_correlations import williams_test
from rainbow.stats.differences.permutation_difference import permutation_differences


def simulated(
    rng: np.random.Generator, *, items: int = 20, systems: int = 5, noise: float = 1.0, shared: float = 0.0
) -> tuple[FloatArray, FloatArray, NDArray[np.int64], NDArray[np.int64]]:
    """Return two metrics with independent errors; the second's are `noise` times as large; `shared`: by a system."""
    item, system = np.repeat(np.arange(items), systems), np.tile(np.arange(systems), items)
    ratings = rng.normal(size=len(item)) + rng.normal(size=systems)[system]
    errors = [rng.normal(size=len(item)) + shared * rng.normal(size=systems)[system] for _ in range(2)]
    return np.column_stack([ratings + errors[0], ratings + noise * errors[1]]), ratings, item, system


def p(columns: FloatArray, ratings: FloatArray, units: Any = None, **options: Any) -> float:
    return float(permutation_differences(columns, ratings, units, **options)[0, 1])


def test_swapped_outputs_give_the_p_of_all_swaps() -> None:
    rng = np.random.default_rng(1)
    ratings = rng.normal(size=10)
    columns = np.column_stack([ratings + rng.normal(size=10), rng.normal(size=10)])
    standard, target = stats.rankdata(columns, axis=0), stats.rankdata(ratings)
    differences = []
    for swapped in product([False, True], repeat=10):
        x, y = np.where(np.array(swapped)[:, None], standard[:, ::-1], standard).T
        differences.append(np.corrcoef(x, target)[0, 1] - np.corrcoef(y, target)[0, 1])
    exact = np.mean(np.abs(differences) >= abs(differences[0]) - 1e-12)
    # 3.5 standard errors at p = 1/2.
    assert p(columns, ratings, resamples=20_000, rng=2) == pytest.approx(exact, abs=0.012)


@pytest.mark.parametrize("unit", [2, 3])
def test_whole_inputs_or_systems_are_swapped(unit: int) -> None:
    columns, ratings, *labels = simulated(np.random.default_rng(3), items=6, systems=6)
    units, standard, target = labels[unit - 2], stats.rankdata(columns, axis=0), stats.rankdata(ratings)
    differences = []
    for swapped in product([False, True], repeat=6):
        x, y = np.where(np.array(swapped)[units][:, None], standard[:, ::-1], standard).T
        differences.append(np.corrcoef(x, target)[0, 1] - np.corrcoef(y, target)[0, 1])
    exact = np.mean(np.abs(differences) >= abs(differences[0]) - 1e-12)
    assert p(columns, ratings, units, resamples=4_999, rng=3) == pytest.approx(exact, abs=0.025)


def test_swapped_outputs_keep_their_size_over_2000_nulls() -> None:
    rng = np.random.default_rng(1)
    found = [p(*simulated(rng)[:2], resamples=199, rng=rng) <= 0.05 for _ in range(2_000)]
    assert np.mean(found) == pytest.approx(0.05, abs=0.012)


def test_swapped_systems_keep_their_size_where_systems_share_errors_and_swapped_outputs_do_not() -> None:
    rng = np.random.default_rng(2)
    data = [simulated(rng, systems=8, shared=1.0) for _ in range(500)]
    whole = [p(columns, ratings, system, resamples=99, rng=rng) <= 0.05 for columns, ratings, _, system in data]
    single = [p(columns, ratings, resamples=99, rng=rng) <= 0.05 for columns, ratings, *_ in data]
    assert np.mean(whole) == pytest.approx(0.05, abs=0.03) and np.mean(single) > 0.25


def test_a_planted_difference_is_found_and_p_is_near_that_of_williams_test() -> None:
    rng = np.random.default_rng(5)
    ratings = rng.normal(size=400)
    columns = np.column_stack([ratings + 2 * rng.normal(size=400), ratings + 2.4 * rng.normal(size=400)])
    r = stats.spearmanr(np.column_stack([columns, ratings])).statistic
    williams = williams_test(r[0, 2], r[1, 2], r[0, 1], 400)
    assert p(columns, ratings, rng=6) == pytest.approx(williams.p, abs=0.03)
    columns[:, 1] += 10 * rng.normal(size=400)
    assert p(columns, ratings, resamples=999, rng=6) == 1 / 1000


def test_every_pair_has_the_p_that_it_has_alone_and_any_scale() -> None:
    columns, ratings, *_ = simulated(np.random.default_rng(7))
    table = permutation_differences(np.column_stack([columns, ratings**2]), ratings, resamples=199, rng=8)
    assert table[0, 1] == table[1, 0] == p(1000 * columns + 5, ratings, resamples=199, rng=8)
    assert np.isnan(np.diag(table)).all()


def test_one_seed_gives_one_answer_whatever_the_size_of_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    columns, ratings, *_ = simulated(np.random.default_rng(11))
    whole = p(columns, ratings, resamples=300, rng=12)
    monkeypatch.setattr("rainbow.stats.differences.permutation_difference._CELLS", 1_000)
    assert p(columns, ratings, resamples=300, rng=12) == whole


@pytest.mark.parametrize("change", [{"column": 1.0}, {"column": np.inf}, {"ratings": 3.0}, {"units": "one"}])
def test_what_is_not_defined_is_nan_without_a_warning(change: dict[str, Any]) -> None:
    columns, ratings, units, _ = simulated(np.random.default_rng(17), items=8)
    columns[:, 0] = change.get("column", columns[:, 0])
    ratings = np.full_like(ratings, change["ratings"]) if "ratings" in change else ratings
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = p(columns, ratings, [change["units"]] * len(units) if "units" in change else units, resamples=9)
    assert np.isnan(found)


def test_no_swaps_are_refused() -> None:
    with pytest.raises(ValueError, match="0 resamples"):
        p(*simulated(np.random.default_rng(21))[:2], resamples=0)
