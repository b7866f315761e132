"""A guard that closes on texts that say nothing, and what it leaves as it is."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rainbow.corpus import Corpus
from rainbow.learned.learner.guarded import MIDDLE, WIDTH, Guarded
from rainbow.learned.learner.linear_trend import LinearTrend
from rainbow.learned.learner.trend_kernel_ridge import POWER, TrendKernelRidge
from rainbow.learned.model.model import Model
from rainbow.learned.model.model_file import load_model, save_model
from rainbow.learned.training.column_kinds import general_columns
from rainbow.learned.training.corruption import WORTHLESS
from rainbow.learned.training.features import Features
from rainbow.learned.training.learn import Examples, Recipe, learn
from rainbow.learned.training.worthless import worthless_told
from tests.learned.demo_model import demo_rows

WORDS = ["the", "inn", "is", "cheap", "and", "near"]


@pytest.fixture(scope="module")
def parts() -> tuple[TrendKernelRidge, LinearTrend, np.ndarray, dict[str, list[str]]]:
    """A learner of two ratings, and a trend that tells rows with a high first score from others."""
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(200, 3))
    texts = {"delexicalised": [" ".join(rng.choice(WORDS, 6)) for _ in range(200)]}
    ratings = 4 + np.column_stack([scores[:, 1], scores[:, 2]]).clip(-3, 2)
    weights = np.ones(200)
    told = LinearTrend(scores, (scores[:, :1] > 0).astype(float), weights, reach=4.0)
    return TrendKernelRidge(scores, texts, ratings, weights), told, scores, texts


def test_the_rating_above_the_lowest_is_scaled_as_far_as_a_text_is_not_familiar(parts: tuple) -> None:
    learner, told, scores, known = parts
    low = np.array([1.0, 2.0])
    guard = 1 / (1 + np.exp((MIDDLE - told.predict(scores)) / WIDTH))
    for text, familiarity in (("the inn is", 1.0), ("zorp the blint inn", 0.5), ("zorp blint", 0.0)):
        texts = {"delexicalised": [text] * 200}
        found, bare = (one.predict(scores, texts) for one in (Guarded(learner, told, low), learner))
        expected = familiarity**POWER + (1 - familiarity**POWER) * guard
        np.testing.assert_allclose(found, low + expected * (bare - low), atol=1e-12)
    np.testing.assert_array_equal(Guarded(learner, told, low).predict(scores, known), learner.predict(scores, known))


def test_one_of_its_ratings_is_predicted_as_among_both(parts: tuple) -> None:
    learner, told, scores, texts = parts
    both = Guarded(learner, told, np.array([1.0, 2.0]))
    for place in (0, 1):
        alone = both.of_rating(place).predict(scores, texts)
        np.testing.assert_array_equal(alone, both.predict(scores, texts)[:, place : place + 1])
    np.testing.assert_array_equal(both.median, learner.median)
    np.testing.assert_array_equal(both.familiarity(texts, 200), learner.familiarity(texts, 200))


def drawn(names: list[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Scores of 300 outputs, and of 300 copies that lie two standard deviations below them."""
    rng = np.random.default_rng(1)
    good, bad = (pd.DataFrame(rng.normal(mean, 1, (300, len(names))), columns=names) for mean in (1, -1))
    return good, bad


def test_columns_without_a_direction_and_those_of_one_domain_count_for_nothing() -> None:
    names = ["class_slor", "len", "slor", "slots_missing"]
    good, bad = drawn(names)
    found = worthless_told(good, bad, ["shuffled-words"] * 300)
    assert found is not None
    assert (found.coefficients[0] != 0).tolist() == [name in general_columns() for name in names]
    assert found.predict(good.to_numpy()).mean() > 0.7 > 0.3 > found.predict(bad.to_numpy()).mean()


def test_copies_that_still_say_something_tell_nothing() -> None:
    good, bad = drawn(["slots_missing"])
    assert worthless_told(good, bad, ["truncated"] * 300) is None
    assert worthless_told(good, bad.head(0), []) is None
    kinds = ["truncated", "mr-copied"] * 150
    half, alone = worthless_told(good, bad, kinds), worthless_told(good, bad[1::2], sorted(WORTHLESS)[:1] * 150)
    assert half is not None and alone is not None
    np.testing.assert_array_equal(half.coefficients, alone.coefficients)


def test_where_outputs_are_compared_with_references_that_tells_them_from_unrelated_sentences() -> None:
    good, bad = drawn(["ROUGE", "class_slor", "slots_missing"])
    assert worthless_told(good, bad, ["shuffled-words"] * 300) is None
    found = worthless_told(good, bad, ["unrelated-sentence", "shuffled-words"] * 150)
    assert found is not None
    assert (found.coefficients[0] != 0).tolist() == [True, False, False]


def test_what_was_learned_with_corrupted_copies_is_guarded_and_survives_its_file(tmp_path: Path) -> None:
    corpus, features = demo_rows(), Features(("slots_missing", "class_slor", "len"), ("surface",))
    for corrupted, kind in ((True, Guarded), (False, TrendKernelRidge)):
        recipe = Recipe(features, corrupted=corrupted)
        fitted = features.fit(corpus)
        [one] = learn(Examples.of(corpus, ["quality"], recipe, fitted), np.arange(len(corpus)), recipe)
        learner = one.estimator.learner_
        assert type(learner) is kind
        model = Model("quality-small", "quality", 1.0, 6.0, fitted.portable(), learner)
        read_back = load_model(save_model(model, tmp_path / f"{corrupted}.rainbow"))
        np.testing.assert_array_equal(read_back.predict(corpus), model.predict(corpus))


def test_shuffled_words_score_less_in_a_domain_that_is_not_known() -> None:
    from rainbow.learned.scorer import Scorer

    mr = "Alan_Bean | occupation | Test_pilot && Alan_Bean | birthPlace | Wheeler,_Texas"
    good = "Alan Bean, who was born in Wheeler, Texas, was a test pilot."
    worse = ["Texas pilot was Bean Wheeler, a in Alan, born who test was.", "Zorp blint quux vakk.", "It rains today."]
    corpus = Corpus.of([good, *worse], None, [mr] * 4)
    for rating in ("quality", "naturalness", "informativeness"):
        first, *others = Scorer("referenceless", rating=rating).model.predict(corpus)
        assert max(others) < first
