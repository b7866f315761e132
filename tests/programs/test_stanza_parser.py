"""Stanza's parser: log probabilities in place of raw scores; its real models where they are."""

import math
from typing import Any

import pytest

from rainbow.metrics import Batch, MissingResourceError
from rainbow.metrics.grammar.parser_score import ParserScore
from rainbow.programs import other_parsers
from rainbow.programs.other_parsers import stanza_unavailable_reason, with_log_probabilities


class Model:
    """Chooses the second of three transitions for every state."""

    def predict(self, states: list[Any]) -> tuple[Any, list[str], Any]:
        import torch

        logits = torch.tensor([[0.0, math.log(2), 0.0]] * len(states))
        return logits, ["second"] * len(states), logits[:, 1]


def test_a_transition_counts_with_its_log_probability_among_all() -> None:
    pytest.importorskip("torch")
    _, transitions, scores = with_log_probabilities(Model())([object(), object()])
    assert (transitions, scores.tolist()) == (["second", "second"], pytest.approx([math.log(2 / 4)] * 2))


def test_what_is_missing_is_told_when_the_metric_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_parsers, "find_spec", lambda name: None)
    with pytest.raises(MissingResourceError, match=r"parser: stanza is not installed: pip install 'rainbow-nlg\[stan"):
        ParserScore(backend="stanza")


def test_missing_models_are_told_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    pytest.importorskip("stanza", reason="pip install 'rainbow-nlg[stanza]'")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    assert "stanza.download('en', processors='tokenize,pos,constituency')" in (stanza_unavailable_reason() or "")


def test_real_models_find_a_shuffled_sentence_less_probable() -> None:
    if missing := stanza_unavailable_reason():
        pytest.skip(missing)
    values = ParserScore(backend="stanza").score(
        Batch(["The inn serves cheap food.", "Food the cheap serves inn.", ""])
    )
    assert 0 <= values[0, 0] < values[1, 0] and math.isnan(values[2, 0])
