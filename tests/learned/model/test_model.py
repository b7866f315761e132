"""A learned metric, whole: predictions within the scale, none without what it needs, every row by itself."""

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

from rainbow import Corpus
from rainbow.learned.learner.regressor import PRESETS
from rainbow.metrics.contract.views import PreparedReferences, Views
from tests.learned.demo_model import COLUMNS, TEXTS, demo_model, demo_rows

MR = "inform(name='the inn',area=soma)"


@pytest.mark.parametrize("preset", tuple(PRESETS))
def test_a_prediction_is_that_of_the_learner_on_the_features(preset: Any) -> None:
    model, corpus = demo_model(preset), demo_rows()
    table = model.features.table(corpus)
    texts = {name: table[name].tolist() for name in model.features.texts}
    expected = model.learner.predict(table[list(COLUMNS)].to_numpy(float), texts)[:, 0]
    np.testing.assert_array_equal(model.predict(corpus), expected.clip(1, 6))


def test_it_has_learned_something() -> None:
    corpus = demo_rows()
    assert np.corrcoef(demo_model().predict(corpus), corpus.frame["quality"])[0, 1] > 0.5


@pytest.mark.parametrize("preset", tuple(PRESETS))
def test_what_a_row_gets_is_bit_equal_alone_in_any_batch_and_any_order(preset: Any) -> None:
    model, corpus = demo_model(preset), demo_rows()
    together = model.predict(corpus)
    order = np.random.default_rng(1).permutation(len(corpus)).tolist()
    np.testing.assert_array_equal(model.predict(corpus.take(order)), together[order])
    np.testing.assert_array_equal([model.predict(corpus.take([row]))[0] for row in range(0, 120, 9)], together[::9])


def test_a_copy_through_pickle_predicts_the_same() -> None:
    model, corpus = demo_model(), demo_rows()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(corpus), model.predict(corpus))


@pytest.mark.parametrize("preset", tuple(PRESETS))
def test_no_rows_have_no_predictions(preset: Any) -> None:
    assert demo_model(preset).predict_views(Views.from_texts([])).shape == (0,)


def test_predictions_stay_within_the_ends_of_the_scale() -> None:
    model, corpus = demo_model(), demo_rows()
    predicted = model.predict(corpus)
    low, high = np.quantile(predicted, [0.2, 0.8])
    narrow = dataclasses.replace(model, low=low, high=high)
    np.testing.assert_array_equal(narrow.predict(corpus), predicted.clip(low, high))


@pytest.mark.parametrize("text", ["", " \n", "...", "!?", "🙂", "— –"])
def test_an_output_without_a_letter_or_digit_has_the_lowest_rating(text: str) -> None:
    model = demo_model()
    found = model.predict_views(Views.from_texts([text, "the inn is in soma"], [["the inn is in soma"]] * 2, [MR, MR]))
    assert found[0] == model.low and found[1] > model.low


@pytest.mark.parametrize("text", ["a", "7", "日本", "é"])
def test_an_output_with_one_is_scored(text: str) -> None:
    model = demo_model("default", ("len",), ("surface",))
    views = Views.from_texts([text])
    expected = model.from_features(model.features.scores(views), model.features.texts_of(views))
    np.testing.assert_array_equal(model.predict_views(views), expected)
    assert expected[0] > model.low


@pytest.mark.parametrize(("references", "mrs", "scored"), [
    (["the inn"], MR, True),
    ([], MR, False),
    ([" "], MR, False),
    (["the inn"], "", False),
    (["the inn"], None, False),
])  # fmt: skip
def test_a_row_that_lacks_what_the_model_needs_has_no_prediction(references: Any, mrs: Any, scored: bool) -> None:
    model = demo_model()
    assert model.needs == {"references", "mr"}
    found = model.predict_views(
        Views.from_texts(["the inn", "the inn", ""], [references, ["the inn"], []], [mrs, MR, MR])
    )
    assert np.isnan(found).tolist() == [not scored, False, True]


def test_a_model_that_needs_nothing_scores_texts_alone() -> None:
    model = demo_model("default", ("len", "lm_mean"), ("surface",))
    assert model.needs == frozenset()
    assert np.isfinite(model.predict_views(Views.from_texts(["the inn is cheap", "cheap"]))).all()


def test_a_model_of_texts_alone_and_one_of_scores_alone_predict() -> None:
    corpus = demo_rows()
    for columns, texts in ((), TEXTS), (COLUMNS, ()):
        assert np.corrcoef(demo_model("default", columns, texts).predict(corpus), corpus.frame["quality"])[0, 1] > 0.4


def test_a_corpus_its_texts_and_prepared_references_have_equal_predictions() -> None:
    model, corpus = demo_model(), Corpus(demo_rows().frame.drop(columns="item"))
    outputs, references, mrs = (corpus.frame[name].tolist() for name in ("output", "references", "mr"))
    prepared, expected = PreparedReferences(references, mrs), model.predict(corpus)
    np.testing.assert_array_equal(model.predict_views(Views.from_texts(outputs, references, mrs)), expected)
    np.testing.assert_array_equal(model.predict_views(Views.from_texts(outputs, prepared)), expected)
    reworded = ["the inn" for _ in outputs]
    np.testing.assert_array_equal(
        model.predict_views(Views.from_texts(reworded, prepared)),
        model.predict_views(Views.from_texts(reworded, references, mrs)),
    )


@pytest.mark.parametrize("text", ["a\nb", "a ||| b", "a\0b", "x " * 5000, "İstanbul ǅ ﬁ ½"])
def test_awkward_texts_have_a_prediction_within_the_scale(text: str) -> None:
    assert 1 <= demo_model().predict_views(Views.from_texts([text], [["the inn is cheap"]], [MR]))[0] <= 6
