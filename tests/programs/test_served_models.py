"""A language model on a server: the numbers are those of the text's own tokens, and what is wrong is said."""

import re
from typing import Any

import pytest

from rainbow.metrics import Batch
from rainbow.metrics.probability.likelihood import LikelihoodInput
from rainbow.programs.language_models import engine
from rainbow.programs.language_models.engine import Answer, log_probabilities, model_identity, model_unavailable_reason
from tests.judging.local_server import LocalServer, Reply, serving

pytest.importorskip("openai")


def echoed(body: dict[str, Any]) -> dict[str, Any]:
    """Answer as vLLM does: a token of the prompt costs a tenth of its length, the first is not known, one is new."""
    assert (body["echo"], body["logprobs"], body["max_tokens"], body["model"]) == (True, 1, 1, "small")
    tokens = [*re.findall(r"\s|[^\s]+", body["prompt"]), "new"]
    offsets = [sum(map(len, tokens[:place])) for place in range(len(tokens))]
    logs = [None, *(-len(token) / 10 for token in tokens[1:])]
    return _completion({"tokens": tokens, "token_logprobs": logs, "text_offset": offsets, "top_logprobs": None})


def unechoed(body: dict[str, Any]) -> dict[str, Any]:
    """Answer as servers do that give the new token's probability alone."""
    offset = len(body["prompt"])
    return _completion({"tokens": ["new"], "token_logprobs": [-1.0], "text_offset": [offset], "top_logprobs": None})


def _completion(logprobs: dict[str, Any]) -> dict[str, Any]:
    choice = {"index": 0, "text": "", "finish_reason": "length", "logprobs": logprobs}
    return {"id": "1", "object": "text_completion", "created": 1, "model": "small", "choices": [choice]}


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none-of-yours")
    monkeypatch.setattr(engine, "RETRIES", 0)
    engine._remembered._values.clear()


def test_a_text_has_the_numbers_of_its_own_tokens_and_of_its_end() -> None:
    asked = [Answer("Say it:", "an inn"), Answer("", "an inn"), Answer("x", ""), Answer("", "\ud800")]
    with serving(LocalServer(echoed)) as address:
        found = log_probabilities(asked, f"{address}#small")
    end = -0.1
    assert found == [(-0.2, -0.1, -0.3, end), (-0.1, -0.3, end), (), (end,)]


def test_a_metric_asks_the_server_that_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(LocalServer(echoed)) as address:
        metric = LikelihoodInput(f"{address}#small")
        assert metric.score(Batch(["an inn"], mrs=["a text"])).round(3).tolist() == [[-0.175, -0.7, -0.3, -0.2]]
        monkeypatch.setenv(engine.VARIABLE, f"{address}#small")
        assert LikelihoodInput().signature == metric.signature
    assert "small served" in metric.signature and address not in metric.resources()["weights"]


@pytest.mark.parametrize(("answer", "faults", "said"), [
    (unechoed, lambda _: None, "returned no probabilities of its prompt"),
    (lambda _: {"choices": []}, lambda _: None, "returned no probabilities of its prompt"),
    (lambda _: [1], lambda _: None, "returned no probabilities of its prompt"),
    (lambda _: b"no JSON", lambda _: None, "small: "),
    (lambda _: _completion({"token_logprobs": [None, "a"], "text_offset": [0, 1]}), lambda _: None, "returned no"),
    (lambda _: _completion({"token_logprobs": [None], "text_offset": ["b", None]}), lambda _: None, "returned no"),
    (echoed, lambda _: 307, "307"),
    (echoed, lambda _: 400, "fault 400"),
    (echoed, lambda _: 401, "fault 401"),
])  # fmt: skip
def test_a_server_that_cannot_is_named_with_the_reason(answer: Reply, faults: Any, said: str) -> None:
    with serving(LocalServer(answer, faults)) as address, pytest.raises(RuntimeError, match=said) as error:
        log_probabilities([Answer("", "an inn")], f"{address}#small")
    assert str(error.value).startswith(f"{address}, small: ")


def test_one_text_that_is_too_long_for_the_server_ends_no_other() -> None:
    with serving(LocalServer(echoed, lambda number: 400 if number == 2 else None)) as address:
        model = f"{address}#small"
        assert log_probabilities([Answer("", "an inn")], model) == [(-0.1, -0.3, -0.1)]
        assert log_probabilities([Answer("", "word " * 1000)], model) == [None]


def test_nobody_there_and_wrong_names_are_said() -> None:
    with serving(LocalServer(echoed)) as address:
        pass
    with pytest.raises(RuntimeError, match=re.escape(f"{address}, small: Connection error")):
        log_probabilities([Answer("", "an inn")], f"{address}#small")
    assert "write http://localhost:8000/v1#MODEL" in (model_unavailable_reason(address) or "")
    assert model_identity("https://example.org/v1#a/b") == "a/b served"
