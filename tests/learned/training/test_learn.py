"""What is learned from which rows: unrated rows, several ratings at once, corrupted copies, the choice of columns."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from rainbow.learned.learner.regressor import RainbowRegressor
from rainbow.learned.training import learn as learning
from rainbow.learned.training.features import Features
from rainbow.learned.training.learn import Examples, LearnedMetric, Recipe, learn_metrics
from rainbow.learned.training.training_rows import WEIGHT, corrupt_outputs
from tests.learned.planted import COLUMNS, RATINGS, examples_of, planted, stored, with_column

ROWS = np.arange(80)
TRAIN, TEST = ROWS[:60], ROWS[60:]
# Cheap columns of outputs and of their corrupted copies.
COMPUTED = Recipe(Features(("len", "cpw", "slots_missing"), ("surface",)))


def predictions(learned: list[LearnedMetric], table: pd.DataFrame) -> np.ndarray:
    return np.column_stack([one.estimator.predict(table[one.columns]) for one in learned])


@pytest.fixture(autouse=True)
def _small_forests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "TREES", 20)


@pytest.mark.parametrize(
    "recipe", [stored(), stored("paper"), stored(top=2), COMPUTED], ids=["default", "paper", "top2", "corrupted"]
)
def test_a_row_without_a_rating_of_one_kind_is_left_out_of_that_rating_alone(recipe: Recipe) -> None:
    whole, unrated = planted(), TRAIN[::3]
    quality = whole.frame["quality"].to_numpy().copy()
    quality[unrated] = np.nan
    some, all_ = (examples_of(with_column(whole, "quality", quality), recipe), examples_of(whole, recipe))
    found = predictions(learn_metrics(some, TRAIN), some.table)
    of_all_rows = predictions(learn_metrics(all_, TRAIN), all_.table)
    of_rated_rows = predictions(learn_metrics(all_, np.setdiff1d(TRAIN, unrated)), all_.table)
    np.testing.assert_allclose(found[:, 0], of_all_rows[:, 0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(found[:, 1], of_rated_rows[:, 1], rtol=0, atol=1e-9)
    assert np.abs(of_all_rows[:, 1] - of_rated_rows[:, 1]).max() > 0.01


@pytest.mark.parametrize("recipe", [stored(), stored("paper"), COMPUTED], ids=["default", "paper", "corrupted"])
def test_ratings_learned_together_and_one_by_one_are_predicted_alike(recipe: Recipe) -> None:
    corpus = planted()
    together = examples_of(corpus, recipe)
    found = predictions(learn_metrics(together, TRAIN), together.table)
    for place, rating in enumerate(RATINGS):
        alone = examples_of(corpus, recipe, [rating])
        expected = predictions(learn_metrics(alone, TRAIN), alone.table)
        np.testing.assert_allclose(found[:, [place]], expected, rtol=0, atol=1e-9)


def test_the_default_learner_is_fitted_once_for_all_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    fits = recorded_fits(monkeypatch)
    learn_metrics(examples_of(planted(), stored()), TRAIN)
    assert [ratings.shape for _, ratings, _ in fits] == [(60, 2)]


def test_what_is_learned_of_each_rating_predicts_that_rating() -> None:
    examples = examples_of(planted(), stored())
    found = predictions(learn_metrics(examples, TRAIN), examples.table)[TEST]
    # The ratings follow different scores, so one does not stand in for the other.
    r = np.corrcoef(found.T, examples.ratings[TEST].T)[:2, 2:]
    assert r.diagonal().min() > 0.6 and np.abs([r[0, 1], r[1, 0]]).max() < 0.5


def recorded_fits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[pd.DataFrame, np.ndarray, np.ndarray]]:
    fits: list[tuple[pd.DataFrame, np.ndarray, np.ndarray]] = []
    fit = RainbowRegressor.fit

    def recording(self: RainbowRegressor, X: Any, y: Any, sample_weight: Any = None) -> RainbowRegressor:
        fits.append((X, y, sample_weight))
        return fit(self, X, y, sample_weight)

    monkeypatch.setattr(RainbowRegressor, "fit", recording)
    return fits


def test_only_copies_of_training_rows_are_learned_from_with_little_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    examples = examples_of(planted(), COMPUTED)
    assert examples.copies is not None and examples.copies_table is not None
    fits = recorded_fits(monkeypatch)
    learn_metrics(examples, TRAIN)
    ((table, ratings, weights),) = fits
    own = examples.copies_table[np.isin(examples.copies.originals, TRAIN)]
    assert 0 < len(own) < len(examples.copies_table)
    pd.testing.assert_frame_equal(table, pd.concat([examples.table.iloc[TRAIN], own]))
    np.testing.assert_array_equal(ratings[: len(TRAIN)], examples.ratings[TRAIN])
    assert weights.tolist() == [1.0] * len(TRAIN) + [WEIGHT] * len(own)


def test_copies_of_other_rows_change_nothing_and_those_of_training_rows_do() -> None:
    examples = examples_of(planted(), COMPUTED)
    assert examples.copies is not None and examples.copies_table is not None
    of_training = np.isin(examples.copies.originals, TRAIN)
    expected = predictions(learn_metrics(examples, TRAIN), examples.table)
    for changed, alike in ((~of_training, True), (of_training, False)):
        copies = examples.copies_table.copy()
        copies.loc[changed, "len"] = 1000.0
        found = predictions(learn_metrics(examples._replace(copies_table=copies), TRAIN), examples.table)
        assert np.array_equal(found, expected) == alike


def test_what_copies_are_rated_hangs_on_the_training_rows_alone() -> None:
    examples = examples_of(planted(), COMPUTED)
    ratings = examples.ratings.copy()
    ratings[TEST] = 100.0  # beyond the ends of the scale
    found = predictions(learn_metrics(examples._replace(ratings=ratings), TRAIN), examples.table)
    np.testing.assert_array_equal(found, predictions(learn_metrics(examples, TRAIN), examples.table))


def test_each_rating_has_a_scale_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = planted()
    examples = examples_of(with_column(whole, "naturalness", 100 * whole.frame["naturalness"].to_numpy()), COMPUTED)
    fits = recorded_fits(monkeypatch)
    learn_metrics(examples, TRAIN)
    ((_, ratings, weights),) = fits
    copies = ratings[weights == WEIGHT]
    np.testing.assert_allclose(copies[:, 1].min(), examples.ratings[TRAIN, 1].min())
    assert copies[:, 1].max() <= 6 and copies[:, 0].min() >= 100


def test_a_recipe_may_do_without_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = COMPUTED._replace(corrupted=False)
    examples = examples_of(planted(), recipe)
    assert examples.copies is None
    fits = recorded_fits(monkeypatch)
    learn_metrics(examples, TRAIN)
    assert [len(table) for table, _, _ in fits] == [len(TRAIN)]


def test_copies_are_those_of_the_seed() -> None:
    corpus = planted()
    examples = examples_of(corpus, COMPUTED._replace(seed=5))
    assert examples.copies is not None
    np.testing.assert_array_equal(
        examples.copies.corpus.frame["output"], corrupt_outputs(corpus, 5).corpus.frame["output"]
    )


def test_the_choice_of_columns_sees_the_training_rows_alone() -> None:
    whole, few = planted(), ROWS[:30]
    # A score that is the rating itself, but on the other rows only.
    leak = np.where(np.isin(ROWS, few), 0.0, whole.frame["quality"])
    recipe = stored(top=2, columns=(*COLUMNS, "leak"))
    examples = examples_of(with_column(whole, "published.leak", leak), recipe, ["quality"])
    (found,) = learn_metrics(examples, few)
    assert found.columns[0] == "first" and "leak" not in found.columns
    (of_all,) = learn_metrics(examples, ROWS)
    assert set(of_all.columns) == {"first", "leak"}


def test_columns_are_chosen_for_every_rating_by_itself() -> None:
    recipe = stored(top=1)
    examples = examples_of(planted(), recipe)
    assert [one.columns for one in learn_metrics(examples, TRAIN)] == [["second"], ["first"]]


def test_chosen_columns_come_by_rank_and_the_texts_after_them() -> None:
    recipe = Recipe(Features(("len", "cpw", "slots_missing"), ("surface",)), top=2)
    (found, _) = learn_metrics(examples_of(planted(), recipe), TRAIN)
    assert found.ranks is not None and sorted(found.ranks) == [1, 2, 3]
    assert found.columns == [*found.ranks.sort_values().index[:2], "surface"]
    assert list(found.estimator.feature_names_in_) == found.columns[:2]


def test_without_a_choice_all_columns_are_kept_and_none_is_ranked() -> None:
    found = learn_metrics(examples_of(planted(), stored()), TRAIN)
    assert [(one.columns, one.ranks) for one in found] == [(list(COLUMNS), None)] * 2


def test_more_columns_than_there_are_cannot_be_kept() -> None:
    recipe = stored(top=6)
    with pytest.raises(ValueError, match="6 columns are to be kept, but there are only 5: keep fewer"):
        learn_metrics(examples_of(planted(), recipe), TRAIN)


def test_known_scores_are_taken_for_the_outputs_and_not_for_their_copies() -> None:
    corpus = planted()
    features = Features(("len", "cpw")).fit(corpus)
    known = features.table(corpus).assign(len=7.0)
    known.attrs["signatures"] = features.signatures
    examples = Examples.from_corpus(corpus, RATINGS, Recipe(features), features, known)
    assert examples.copies_table is not None and set(examples.table["len"]) == {7.0}
    assert examples.copies_table["len"].nunique() > 5
