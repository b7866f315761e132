"""SmolLM2: probabilities are those of the whole text read in one go, whatever is shared between texts."""

import math

import numpy as np
import pytest

from rainbow.text import smollm2
from rainbow.text.smollm2 import (
    DIMENSIONS,
    LAYER,
    LONGEST,
    Continuation,
    log_probabilities,
    missing_smollm2,
    text_vectors,
)

PROMPT = "The inn is cheap.\nThe pub is cheap.\n"


@pytest.fixture(autouse=True)
def installed(request: pytest.FixtureRequest) -> None:
    if "without_model" not in request.fixturenames and (missing := missing_smollm2()):
        pytest.skip(missing)


def logs_of(prompt: str, before: str, text: str) -> tuple[float, ...] | None:
    return log_probabilities([Continuation(prompt, before, text)])[0]


def read_whole(before: str, text: str) -> list[float]:
    """Give the log probabilities of a text's tokens without any state kept from one text to the next."""
    torch = pytest.importorskip("torch")
    start, tokens = smollm2._tokens(before), smollm2._tokens(text)
    with torch.inference_mode():
        logits = smollm2._model()(torch.tensor([start + tokens])).logits[0]
    logs = logits.log_softmax(-1)
    return [float(logs[len(start) + place - 1, token]) for place, token in enumerate(tokens)]


@pytest.mark.parametrize("before", ["", "price=cheap\n"])
def test_what_is_read_once_for_many_texts_changes_nothing(before: str) -> None:
    for text in ("The hotel is cheap.", "cheap is hotel the"):
        assert logs_of(PROMPT, before, text) == pytest.approx(read_whole(PROMPT + before, text), abs=1e-3)


def test_what_is_expected_is_more_probable() -> None:
    assert sum(logs_of(PROMPT, "", "The hotel is cheap.")) > sum(logs_of(PROMPT, "", "The hotel is cheese.")) + 1
    assert all(value <= 0 for value in logs_of(PROMPT, "", "The hotel is cheap."))


def test_a_text_is_read_by_itself_whatever_stands_beside_it() -> None:
    asked = [Continuation(PROMPT, "", "The hotel."), Continuation("", "", "An inn"), Continuation(PROMPT, "", "A pub.")]
    smollm2._remembered._values.clear()
    together = log_probabilities(asked)
    smollm2._remembered._values.clear()
    assert [log_probabilities([one])[0] for one in reversed(asked)] == together[::-1]


def test_texts_that_are_none() -> None:
    assert logs_of(PROMPT, "", "") == ()
    assert logs_of(PROMPT, "a ", "inn " * LONGEST) is None
    for text in ("\ud800 inn", "\0", "😀"):
        assert all(math.isfinite(value) for value in logs_of(PROMPT, "", text))


def test_a_vector_is_the_mean_of_a_layer_of_the_whole_model() -> None:
    torch = pytest.importorskip("torch")
    tokens = [smollm2._tokenizer().eos_token_id, *smollm2._tokens("The hotel is cheap.\n")]
    with torch.inference_mode():
        answer = smollm2._model().model(torch.tensor([tokens]), output_hidden_states=True)
    expected = answer.hidden_states[LAYER][0, 1:].mean(dim=0).numpy()
    np.testing.assert_allclose(text_vectors(["The hotel is cheap."])[0], expected, rtol=1e-4, atol=1e-4)


def test_vectors_are_of_each_text_by_itself_and_of_any_text() -> None:
    texts = ["The hotel is cheap.", "cheap hotel the is", "", "\ud800 inn", "inn " * LONGEST, "inn " * (LONGEST + 9)]
    together = text_vectors(texts)
    assert together.shape == (len(texts), DIMENSIONS) and np.isfinite(together).all()
    smollm2._vectors._values.clear()
    np.testing.assert_array_equal(np.concatenate([text_vectors([text]) for text in texts[::-1]]), together[::-1])
    assert (together[0] != together[1]).any() and (together[4] == together[5]).all()
    assert text_vectors([]).shape == (0, DIMENSIONS)


@pytest.fixture
def without_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAINBOW_JARS", "/none")
    monkeypatch.setattr(smollm2, "find_spec", lambda name: name)


@pytest.mark.usefixtures("without_model")
def test_a_missing_model_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RuntimeError, match="rainbow fetch smollm2"):
        log_probabilities([Continuation("", "", "a")])
    with pytest.raises(RuntimeError, match="rainbow fetch smollm2"):
        text_vectors(["a"])
    monkeypatch.setattr(smollm2, "find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match=r"pip install 'rainbow-nlg\[neural\]'"):
        log_probabilities([Continuation("", "", "a")])
