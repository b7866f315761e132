"""The score of any text: it reads what there is, and any input of any kind gives a number or a reason."""

import math

import numpy as np
import pandas as pd
import pytest

import rainbow
from rainbow.learned.model.model import STEEP
from rainbow.learned.model.shipped import shipped_model, shipped_models
from rainbow.learned.training.general import SPEEDS, Rated, general_trend, speed_columns
from rainbow.metrics.contract.views import Views
from rainbow.programs.language_models.engine import missing_model

MR = "inform(name='the inn',area=soma,price_range=cheap)"
TRIPLES = "Alan Bean | birth place | Wheeler && Alan Bean | occupation | test pilot"
ARTICLE = "The council met on Monday to vote on the new bridge. " * 12 + "It was rejected by nine votes to two."


@pytest.fixture(params=["fast", "full"])
def speed(request: pytest.FixtureRequest) -> str:
    if request.param == "full" and (missing := missing_model()):
        pytest.skip(missing)
    return request.param


def test_whatever_comes_with_a_text_is_read(speed: str) -> None:
    good, bad = "The inn is a cheap hotel in soma.", "soma inn the in cheap in is"
    for given in ({}, {"inputs": MR}, {"references": ["The inn is cheap, in soma."]}):
        assert rainbow.score(good, model=speed, **given) > rainbow.score(bad, model=speed, **given), given
    both = {"inputs": TRIPLES, "references": ["Alan Bean was a test pilot, born in Wheeler."]}
    right, wrong = "Alan Bean was born in Wheeler and was a test pilot.", "Alan Bean was born."
    assert rainbow.score(right, model=speed, **both) > rainbow.score(wrong, model=speed, **both)


def test_rows_are_scored_alike_alone_and_beside_rows_that_have_more_or_less(speed: str) -> None:
    outputs = ["Alan Bean was born in Wheeler.", "The bridge was rejected.", "the inn is cheap", "", "?!", "so"]
    inputs = [TRIPLES, ARTICLE, MR, MR, None, None]
    references = [[], ["The council said no to the bridge."], [], [], [], ["so it is"]]
    together = rainbow.score(outputs, references, inputs, model=speed)
    alone = [rainbow.score(*row, model=speed) for row in zip(outputs, references, inputs, strict=True)]
    np.testing.assert_array_equal(together, alone)
    assert ((together >= 1) & (together <= 6)).all()
    assert together[3] == together[4] == 1


def test_an_input_that_is_a_text_is_read_by_full() -> None:
    if missing := missing_model():
        pytest.skip(missing)
    true, false = "The bridge was rejected.", "The weather was sunny in France."
    assert rainbow.score(true, input=ARTICLE, model="full") > rainbow.score(false, input=ARTICLE, model="full")


@pytest.mark.parametrize("rating", ["informativeness", "naturalness", "quality"])
def test_what_says_nothing_of_the_input_scores_less_in_a_domain_that_is_not_known(speed: str, rating: str) -> None:
    good = "Alan Bean, who was born in Wheeler, was a test pilot."
    shuffled, other = "test was Bean Wheeler, a in Alan, born who pilot was.", "It rains today."
    found = rainbow.score([good, shuffled, other], inputs=[TRIPLES] * 3, model=speed, rating=rating)
    assert found[1] < found[0]
    assert found[2] < found[0] or (rating, speed) == ("naturalness", "fast")  # it reads no input


@pytest.mark.parametrize("text", ["x" * 5000, "word " * 3000, "日本語のテキスト", "\ud800", "😀 😀", "a\0b"])
def test_odd_texts_have_a_number_or_none(speed: str, text: str) -> None:
    found = rainbow.score([text, "the inn"], inputs=[text, MR], model=speed)
    assert math.isnan(found[0]) or 1 <= found[0] <= 6
    assert found[1] == rainbow.score("the inn", input=MR, model=speed)


def test_the_default_is_full_where_it_was_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rainbow.Scorer().name == "quality-fast"
    monkeypatch.setattr("rainbow.learned.scorer.missing_model", missing_model)
    assert rainbow.Scorer().name == ("quality-fast" if missing_model() else "quality-full")


def test_at_home_the_model_of_the_domain_speaks_too() -> None:
    model, home = shipped_model("quality-fast"), shipped_model("quality-referenceless")
    views = Views.of_texts(["the inn is cheap"] * 2, mrs=["inform(name='the inn',price_range=cheap)", None])
    share = 2 / 3 * model.familiarity(views) ** STEEP
    general = model.from_features(model.features.scores(views), {})
    assert share[0] == pytest.approx(2 / 3) and share[1] == 0
    familiar = home.predict_views(views)
    assert model.predict_views(views).tolist() == pytest.approx(
        [share[0] * familiar[0] + (1 - share[0]) * general[0], general[1]]
    )
    with pytest.raises(ValueError, match="adapt quality-referenceless"):
        model.adapted(rainbow.Corpus.of(["a"], [["a"]]))


def test_six_models_come_with_the_package_and_name_what_they_learned_from() -> None:
    names = {f"{rating}-{speed}" for rating in ("informativeness", "naturalness", "quality") for speed in SPEEDS}
    assert names <= set(shipped_models())
    card = shipped_model("quality-fast").card
    assert card["data"]["datasets"] == ["emnlp2017", "summeval", "realsumm"]


def test_a_regression_without_ratings_of_the_scale_is_refused() -> None:
    columns = speed_columns("fast")
    scores = pd.DataFrame(np.random.default_rng(1).normal(size=(50, len(columns))), columns=columns)
    with pytest.raises(ValueError, match="no corpus whose scale is learned has all columns"):
        general_trend([Rated(scores, np.arange(50.0))], "fast")
    learned = general_trend([Rated(scores, np.arange(50.0), scale=True)], "fast")
    assert learned.predict(scores.to_numpy(), {}).shape == (50, 1)
