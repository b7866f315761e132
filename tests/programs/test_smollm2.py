"""SmolLM2: probabilities are those of the whole text read in one go, whatever is shared between texts."""

import math

import pytest

from rainbow.programs import smollm2
from rainbow.programs.smollm2 import (
    LONGEST,
    Continuation,
    log_probabilities,
    missing_smollm2,
)

PROMPT = "The inn is cheap.\nThe pub is cheap.\n"


@pytest.fixture(autouse=True)
def installed(request: pytest.FixtureRequest) -> None:
    if "without_model" not in request.fixturenames and (missing := missing_smollm2()):
        pytest.skip(missing)


def logs_of(prompt: str, before: str, text: str) -> tuple[float, ...] | None:
    return log_probabilities([Continuation(prompt, before, text)])[0]


def read_whole(before: str, text: str) -> list[float]:
    """Return the log probabilities of a text's tokens without any state kept from one text to the next."""
    torch = pytest.importorskip("torch")
    start, tokens = smollm2.tokens_of(before), smollm2.tokens_of(text)
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


@pytest.fixture
def without_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAINBOW_JARS", "/none")
    monkeypatch.setattr(smollm2, "find_spec", lambda name: name)


@pytest.mark.usefixtures("without_model")
def test_a_missing_model_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RuntimeError, match="rainbow fetch smollm2"):
        log_probabilities([Continuation("", "", "a")])
    monkeypatch.setattr(smollm2, "find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match=r"pip install 'rainbow-nlg\[neural\]'"):
        log_probabilities([Continuation("", "", "a")])
