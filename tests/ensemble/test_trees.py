"""Trees as plain arrays predict what scikit-learn's forest predicts, to the last bit."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor

from rainbow.ensemble.trees import ROWS_AT_ONCE, Trees

RNG = np.random.default_rng(2017)
ROWS = np.floor(RNG.random((400, 6)) * 11) / 2 + 1


def forest(ratings: int, leaf: int = 1) -> RandomForestRegressor:
    targets = ROWS[:, :ratings] + RNG.normal(size=(400, ratings))
    learner = RandomForestRegressor(30, max_features=2, min_samples_leaf=leaf, random_state=1)
    return learner.fit(ROWS, targets[:, 0] if ratings == 1 else targets)


@pytest.mark.parametrize("ratings", [1, 3])
def test_predictions_are_those_of_the_forest_bit_by_bit(ratings: int) -> None:
    grown = forest(ratings)
    others = np.floor(RNG.random((ROWS_AT_ONCE + 300, 6)) * 12) / 2
    expected = grown.predict(others).reshape(len(others), -1)
    assert np.array_equal(Trees.of(grown).predict(others), expected)


def test_a_row_gets_the_same_alone_and_among_others() -> None:
    trees = Trees.of(forest(1))
    alone = np.concatenate([trees.predict(row[None]) for row in ROWS])
    assert np.array_equal(alone, trees.predict(ROWS))
    assert trees.predict(ROWS[:0]).shape == (0, 1)


def test_a_tree_that_is_one_leaf_predicts() -> None:
    trees = Trees.of(forest(2, leaf=400))
    assert len(trees.left) == 30
    assert len(np.unique(trees.predict(ROWS), axis=0)) == 1
    trees.check(columns=6, ratings=2)


def test_grown_trees_pass_their_own_check() -> None:
    trees = Trees.of(forest(3))
    trees.check(columns=6, ratings=3)
    with pytest.raises(ValueError, match="a column that is not among the 5"):
        trees.check(columns=5, ratings=3)
    with pytest.raises(ValueError, match="value is not an array of shape"):
        trees.check(columns=6, ratings=2)
