"""Trees as plain arrays predict what scikit-learn's forest predicts, to the last bit."""

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor

from rainbow.base.native import kernels
from rainbow.learned.learner.regression_trees import BATCH_ROWS, Trees


@pytest.fixture(params=["compiled", "python"], autouse=True)
def implementation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run every test with the compiled kernel and with its twin in Python."""
    if request.param == "python":
        monkeypatch.setenv("RAINBOW_NATIVE", "0")
    elif kernels() is None:
        pytest.skip("the compiled kernels were not built: a C++20 compiler is needed")


RNG = np.random.default_rng(2017)
ROWS = np.floor(RNG.random((400, 6)) * 11) / 2 + 1


def forest(ratings: int, leaf: int = 1) -> RandomForestRegressor:
    targets = ROWS[:, :ratings] + RNG.normal(size=(400, ratings))
    learner = RandomForestRegressor(30, max_features=2, min_samples_leaf=leaf, random_state=1)
    return learner.fit(ROWS, targets[:, 0] if ratings == 1 else targets)


@pytest.mark.parametrize("ratings", [1, 3])
def test_predictions_are_those_of_the_forest_bit_by_bit(ratings: int) -> None:
    grown = forest(ratings)
    others = np.floor(RNG.random((BATCH_ROWS + 300, 6)) * 12) / 2
    assert np.array_equal(Trees.from_forest(grown).predict(others), grown.predict(others).reshape(len(others), -1))


def test_a_row_gets_the_same_alone_and_among_others() -> None:
    trees = Trees.from_forest(forest(1))
    assert np.array_equal(np.concatenate([trees.predict(row[None]) for row in ROWS]), trees.predict(ROWS))
    assert trees.predict(ROWS[:0]).shape == (0, 1)


def test_a_tree_that_is_one_leaf_predicts() -> None:
    trees = Trees.from_forest(forest(2, leaf=400))
    assert (len(trees.left), len(np.unique(trees.predict(ROWS), axis=0))) == (30, 1)
    trees.check(columns=6, ratings=2)


def test_grown_trees_pass_their_own_check() -> None:
    trees = Trees.from_forest(forest(3))
    trees.check(columns=6, ratings=3)
    with pytest.raises(ValueError, match="column contains numbers outside the range 0 to 4"):
        trees.check(columns=5, ratings=3)
    with pytest.raises(ValueError, match="value has the type float64 and shape"):
        trees.check(columns=6, ratings=2)


def test_a_missing_number_goes_to_the_right() -> None:
    tree = Trees(
        np.array([0], np.int32),
        *(np.array(places, np.int32) for places in ([1, 1, 2], [2, 1, 2], [1, 0, 0])),
        np.array([0.5, 0.0, 0.0]),
        np.array([[0.0], [1.0], [2.0]]),
    )
    rows = np.array([[np.nan, 0.5], [np.nan, np.nan], [0.0, np.inf], [0.0, -np.inf]])
    assert tree.predict(rows).tolist() == [[1], [2], [2], [1]]


@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 255, 256, 257, 400])
def test_a_batch_of_any_size_gets_the_same(size: int) -> None:
    trees = Trees.from_forest(forest(3))
    assert np.array_equal(trees.predict(ROWS[:size]), trees.predict(ROWS)[:size])


def test_trees_that_have_predicted_are_saved_as_before() -> None:
    trees = Trees.from_forest(forest(1))
    before, expected = set(vars(trees)), trees.predict(ROWS)
    assert set(vars(trees)) == before and np.array_equal(pickle.loads(pickle.dumps(trees)).predict(ROWS), expected)


def test_the_kernel_gives_the_same_bits_on_eight_threads() -> None:
    trees = Trees.from_forest(forest(2))
    rows = np.tile(ROWS, (20, 1))
    assert np.array_equal(_forest(trees).predict(rows, threads=8), trees.predict(rows))


@pytest.mark.parametrize(("name", "places"), [
    ("roots", [-1]),
    ("roots", [9]),
    ("left", [0, 1, 2]),
    ("left", [9, 1, 2]),
    ("right", [2, 1]),
    ("column", [-1, 0, 0]),
])  # fmt: skip
def test_the_kernel_refuses_arrays_that_are_not_those_of_trees(name: str, places: list[int]) -> None:
    arrays = [np.array(entries, np.int32) for entries in ([0], [1, 1, 2], [2, 1, 2], [1, 0, 0])]
    trees = Trees(*arrays, np.array([0.5, 0.0, 0.0]), np.array([[0.0], [1.0], [2.0]]))
    with pytest.raises(ValueError, match=r"the arrays are not|no such root|a node leads"):
        _forest(replace(trees, **{name: np.array(places, np.int32)}))


def test_the_kernel_refuses_rows_that_lack_a_column() -> None:
    with pytest.raises(ValueError, match="a column that the rows lack"):
        _forest(Trees.from_forest(forest(1))).predict(ROWS[:, :2])


def _forest(trees: Trees) -> Any:
    compiled = kernels()
    if compiled is None:
        pytest.skip("this is about the compiled kernel")
    return compiled.Forest(trees.roots, trees.left, trees.right, trees.column, trees.threshold, trees.value)
