"""Likelihoods: what is asked of the model for inputs of every kind, and what its answers come to."""

import math

import pytest

from rainbow.metrics import Batch, MissingResourceError, get
from rainbow.metrics.probability import likelihood
from rainbow.metrics.probability.likelihood import MAX_WORDS, Likelihood, LikelihoodInput, LikelihoodReferences
from rainbow.programs.language_models.engine import VARIABLE, Answer, model_unavailable_reason

pytestmark = pytest.mark.once
CHEAP = "inform(name='the inn',price_range=cheap)"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Answer]:
    """Put one in the place of the model whose answer depends on the length of the text, and note what it is asked."""
    seen: list[Answer] = []

    def log_probabilities(answers: list[Answer], model: str) -> list[tuple[float, ...] | None]:
        seen.extend(answers)
        return [None if "long" in one.text else (-float(len(one.text)), -1.0, -2.0, -3.0) for one in answers]

    monkeypatch.setattr(likelihood, "model_unavailable_reason", lambda model="": None)
    monkeypatch.setattr(likelihood, "log_probabilities", log_probabilities)
    return seen


def test_columns_are_mean_sum_least_and_mean_of_the_three_lowest(asked: list[Answer]) -> None:
    assert Likelihood().score(Batch(["so\n cheap "])).tolist() == [[-3.5, -14.0, -8.0, -13 / 3]]
    assert asked == [Answer("", "so cheap")]


@pytest.mark.parametrize(("given", "request_"), [
    (CHEAP, "Write a text that says: inform: name = the inn, price range = cheap"),
    ("Bean | birth place | Wheeler && Bean | job | test pilot", "Write a text that says: "),
    ('{"name": "the inn"}', "Write a text that says: inform: name = the inn"),
    ("The inn is\n not expensive.", "Say this in other words: The inn is not expensive."),
    ("A long story. " * 30, "Summarize this article: A long story. A long story."),
])  # fmt: skip
def test_the_request_is_that_of_the_kind_of_input(asked: list[Answer], given: str, request_: str) -> None:
    LikelihoodInput().score(Batch(["so"], mrs=[given]))
    assert asked[0].request.startswith(request_)


def test_of_a_long_input_is_read_what_has_most_in_common_with_the_output(asked: list[Answer]) -> None:
    facts = [f"Fact {number} is about thing{number}." for number in range(200)]
    with pytest.warns(UserWarning, match="sentences are read that have most in common"):
        LikelihoodInput().score(Batch(["thing150 is a fact, thing7 too"], mrs=["First of all. " + " ".join(facts)]))
    read = asked[0].request
    assert "First of all." in read and read.index("thing7.") < read.index("thing150.")
    assert MAX_WORDS - 10 < len(read.split()) < MAX_WORDS + 10
    with pytest.warns(UserWarning):
        LikelihoodInput().score(Batch(["so"], mrs=["word " * 100_000]))
    assert len(asked[1].request.split()) < MAX_WORDS + 10


def test_the_nearest_reference_is_read_both_ways(asked: list[Answer]) -> None:
    references = [["a bar", "The inn is cheap", "the inn is cheap too, and near"]]
    values = LikelihoodReferences().score(Batch(["the inn is cheap"], references))
    assert asked == [
        Answer("Say this in other words: The inn is cheap", "the inn is cheap"),
        Answer("Say this in other words: the inn is cheap", "The inn is cheap"),
    ]
    assert values.shape == (1, 8)


def test_what_is_not_defined_is_nan_with_its_reason(asked: list[Answer]) -> None:
    rows = Batch(["", "?!", "so long", "a"], mrs=[CHEAP, CHEAP, CHEAP, None])
    values = LikelihoodInput().score(rows)
    assert all(map(math.isnan, values.ravel()))
    reasons = LikelihoodInput().reasons(rows, values)
    assert reasons[3, 0] == "no meaning representation"
    assert reasons[2, 0].startswith("the output has no word, or more than 1,000 tokens")


def test_another_model_is_named_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/none/larger.gguf")
    assert Likelihood().model == LikelihoodReferences().model == "/none/larger.gguf"
    assert "larger.gguf" in Likelihood().signature
    with pytest.raises(MissingResourceError, match=r": unknown model '/none/larger\.gguf': use smollm2, a GGUF file"):
        get("likelihood-input")


def test_a_missing_model_is_said_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likelihood, "model_unavailable_reason", lambda model="": "rainbow fetch smollm2")
    with pytest.raises(MissingResourceError, match="likelihood: rainbow fetch smollm2"):
        get("likelihood")


def test_the_model_says_what_is_right() -> None:
    if missing := model_unavailable_reason():
        pytest.skip(missing)
    rows = Batch(
        ["The inn is cheap.", "The inn is dear.", "cheap the is inn"], [["The inn is not expensive."]] * 3, [CHEAP] * 3
    )
    for metric in (Likelihood(), LikelihoodInput(), LikelihoodReferences()):
        found = metric.score(rows)[:, 1]
        assert found[0] > found[2], metric.name
    assert LikelihoodInput().score(rows)[0, 1] > LikelihoodInput().score(rows)[1, 1]
