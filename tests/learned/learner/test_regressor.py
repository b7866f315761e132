"""The estimator as scikit-learn's own tests see it, and what it adds: texts, missing scores, several ratings."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from rainbow.learned.learner.regressor import PRESETS, RainbowRegressor

WORDS = "the inn pub is serves cheap thai food near river not allows dogs and it"


def expected_failures(estimator: RainbowRegressor) -> dict[str, str]:
    if estimator.preset == "paper":
        reason = "bootstrapping draws rows: a weight of two is not a row twice, as in scikit-learn's own forest"
        return {"check_sample_weight_equivalence_on_dense_data": reason}
    return {}


@parametrize_with_checks([RainbowRegressor(preset) for preset in PRESETS], expected_failed_checks=expected_failures)
def test_it_is_an_estimator_as_scikit_learn_wants_them(estimator: RainbowRegressor, check: Any) -> None:
    check(estimator)


def examples(size: int = 60, seed: int = 1) -> tuple[pd.DataFrame, np.ndarray]:
    """Scores and texts, and ratings that depend on both."""
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(WORDS.split(), rng.integers(3, 9))) for _ in range(size)]
    table = pd.DataFrame({"TER": rng.uniform(size=size), "len": rng.integers(9, 60, size), "surface": texts})
    cheap = table["surface"].str.contains("cheap").to_numpy()
    return table, np.clip(np.round(2 * (4 - 2 * table["TER"].to_numpy() + cheap)) / 2, 1, 6)


@pytest.mark.parametrize("preset", tuple(PRESETS))
def test_what_a_row_gets_is_bit_equal_alone_in_any_batch_and_any_order(preset: Any) -> None:
    table, ratings = examples()
    model = RainbowRegressor(preset).fit(table, ratings)
    others, _ = examples(300, seed=2)
    together = model.predict(others)
    order = np.random.default_rng(3).permutation(300)
    np.testing.assert_array_equal(model.predict(others.iloc[order]), together[order])
    np.testing.assert_array_equal([model.predict(others.iloc[[row]])[0] for row in range(0, 300, 7)], together[::7])
    np.testing.assert_array_equal(
        np.concatenate([model.predict(part) for part in (others[:99], others[99:])]), together
    )


@pytest.mark.parametrize("preset", tuple(PRESETS))
def test_a_copy_through_pickle_predicts_the_same(preset: Any) -> None:
    table, ratings = examples()
    model = RainbowRegressor(preset).fit(table, ratings)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(table), model.predict(table))


@pytest.mark.parametrize("preset", tuple(PRESETS))
def test_fitting_twice_gives_the_same_model(preset: Any) -> None:
    table, ratings = examples()
    model = RainbowRegressor(preset)
    np.testing.assert_array_equal(
        model.fit(table, ratings).predict(table), clone(model).fit(table, ratings).predict(table)
    )


def test_texts_help_where_ratings_hang_on_words() -> None:
    table, ratings = examples(200)
    with_texts = cross_val_predict(RainbowRegressor(), table, ratings)
    without = cross_val_predict(RainbowRegressor(), table.drop(columns="surface"), ratings)
    assert np.mean((with_texts - ratings) ** 2) < 0.8 * np.mean((without - ratings) ** 2)


def test_texts_alone_are_enough_for_the_default() -> None:
    table, ratings = examples()
    model = RainbowRegressor().fit(table[["surface"]], ratings)
    predicted = model.predict(pd.DataFrame({"surface": ["a cheap inn", "an inn", ""]}))
    assert predicted[0] > predicted[1] and np.isfinite(predicted).all() and model.n_features_in_ == 0


def test_the_forest_does_not_look_at_texts_and_says_so_if_there_is_nothing_else() -> None:
    table, ratings = examples()
    model = RainbowRegressor("paper").fit(table, ratings)
    np.testing.assert_array_equal(model.predict(table.assign(surface="")), model.predict(table))
    with pytest.raises(ValueError, match="'paper' does not use texts"):
        RainbowRegressor("paper").fit(table[["surface"]], ratings)


@pytest.mark.parametrize("preset", tuple(PRESETS))
def test_the_seed_matters_to_the_forest_alone(preset: Any) -> None:
    table, ratings = examples()
    first, second = (RainbowRegressor(preset, seed).fit(table, ratings).predict(table) for seed in (1, 2))
    assert (first != second).any() == (preset == "paper")


@pytest.mark.parametrize("preset", tuple(PRESETS))
def test_several_ratings_are_learned_at_once(preset: Any) -> None:
    table, ratings = examples()
    predicted = RainbowRegressor(preset).fit(table, np.column_stack([ratings, 7 - ratings**2 / 6])).predict(table)
    assert predicted.shape == (60, 2) and np.corrcoef(predicted[:, 0], ratings)[0, 1] > 0.5
    # A combination never turns a score round.
    assert np.corrcoef(predicted[:, 1], ratings)[0, 1] < (0.5 if preset == "combination" else -0.5)


def test_one_of_several_ratings_can_be_taken_out() -> None:
    table, ratings = examples()
    both = np.column_stack([ratings, ratings[::-1]])
    model = RainbowRegressor().fit(table, both)
    for place in (0, 1):
        single = model.select_rating(place).predict(table)
        np.testing.assert_array_equal(single, model.predict(table)[:, place])
        np.testing.assert_allclose(single, RainbowRegressor().fit(table, both[:, place]).predict(table), atol=1e-9)


def test_no_rating_can_be_taken_out_of_a_forest() -> None:
    table, ratings = examples()
    model = RainbowRegressor("paper").fit(table, np.column_stack([ratings, ratings]))
    with pytest.raises(ValueError, match="fit one forest per"):
        model.select_rating(0)


@pytest.mark.parametrize("preset", tuple(PRESETS))
def test_a_missing_score_counts_as_the_median(preset: Any) -> None:
    table, ratings = examples()
    model = RainbowRegressor(preset).fit(table, ratings)
    median = model.learner_.median[0]
    assert median == pytest.approx(np.median(table["TER"]), abs=0.05)
    np.testing.assert_array_equal(model.predict(table.assign(TER=np.nan)), model.predict(table.assign(TER=median)))


@pytest.mark.parametrize("preset", tuple(PRESETS))
@pytest.mark.parametrize("value", [np.nan, 3.25])
def test_a_column_that_is_missing_or_constant_in_training_changes_no_order(preset: Any, value: float) -> None:
    table, ratings = examples()
    model = RainbowRegressor(preset).fit(table.assign(extra=value), ratings)
    others, _ = examples(20, seed=2)
    low, high = (model.predict(others.assign(extra=extra)) for extra in (-100.0, 100.0))
    np.testing.assert_array_equal(low, high)


def test_a_weight_of_zero_leaves_a_row_out_and_a_weight_of_two_counts_it_twice() -> None:
    table, ratings = examples()
    weights = np.arange(60) % 3.0
    weighted = RainbowRegressor().fit(table, ratings, weights).predict(table)
    repeated = np.repeat(np.arange(60), weights.astype(int))
    np.testing.assert_allclose(
        weighted, RainbowRegressor().fit(table.iloc[repeated], ratings[repeated]).predict(table), atol=1e-8
    )


def test_it_works_in_pipelines_and_searches() -> None:
    table, ratings = examples()
    scores = table[["TER", "len"]]
    assert make_pipeline(StandardScaler(), RainbowRegressor()).fit(scores, ratings).score(scores, ratings) > 0
    search = GridSearchCV(RainbowRegressor(), {"preset": list(PRESETS)}, cv=3).fit(scores, ratings)
    assert search.best_params_["preset"] in PRESETS


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=f"'best': choose from {', '.join(PRESETS)}"):
        RainbowRegressor("best").fit([[1.0], [2.0]], [1, 2])  # type: ignore[arg-type]


def test_other_text_columns_than_those_fitted_on_are_refused() -> None:
    table, ratings = examples()
    model = RainbowRegressor().fit(table, ratings)
    with pytest.raises(ValueError, match="'surface'"):
        model.predict(table.drop(columns="surface"))
    with pytest.raises(ValueError, match="'other'"):
        model.predict(table.assign(other="a"))


@pytest.mark.parametrize("other", [["len", "TER"], ["TER", "cpw"]])
def test_other_score_columns_than_those_fitted_on_are_refused(other: list[str]) -> None:
    table, ratings = examples()
    model = RainbowRegressor().fit(table[["TER", "len"]], ratings)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table.assign(cpw=1.0)[other])


@pytest.mark.parametrize("text", [None, float("nan"), 7])
def test_a_text_that_is_none_is_refused_with_its_row(text: Any) -> None:
    table, ratings = examples()
    column = pd.Series([*table["surface"][:-1], text], dtype=object)
    with pytest.raises(ValueError, match="row 60, surface"):
        RainbowRegressor().fit(table.assign(surface=column), ratings)


@pytest.mark.parametrize("ratings", [[1.0, np.nan], [1.0, np.inf], [1.0]])
def test_ratings_that_are_missing_or_too_few_are_refused(ratings: list[float]) -> None:
    with pytest.raises(ValueError, match=r"y contains|inconsistent"):
        RainbowRegressor().fit([[1.0], [2.0]], ratings)


def test_weights_of_zero_for_all_are_refused() -> None:
    with pytest.raises(ValueError, match=r"nothing to learn from|non-zero"):
        RainbowRegressor().fit([[1.0], [2.0]], [1, 2], sample_weight=[0, 0])
