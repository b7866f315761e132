"""The frequency of words, whatever their order."""

import math

import pytest

from rainbow.metrics import Batch, MissingResourceError, get
from rainbow.metrics.grammar import word_frequency as module
from rainbow.metrics.grammar.word_frequency import UNKNOWN, WordFrequency

pytestmark = pytest.mark.once


def score(*texts: str) -> list[list[float]]:
    pytest.importorskip("wordfreq", reason="pip install 'rainbow-nlg[parse]'")
    return WordFrequency().score(Batch(texts)).tolist()


def test_sum_and_mean_are_those_of_the_lists() -> None:
    wordfreq = pytest.importorskip("wordfreq", reason="pip install 'rainbow-nlg[parse]'")
    expected = math.log(wordfreq.word_frequency("the", "en")) + math.log(wordfreq.word_frequency("inn", "en"))
    assert score("The inn!") == [[pytest.approx(expected), pytest.approx(expected / 2)]]


def test_the_order_of_words_does_not_matter() -> None:
    assert score("the cheap inn") == score("inn the cheap")


def test_a_word_that_the_list_lacks_is_rarer_than_any_in_it() -> None:
    assert score("zazoulumip") == [[math.log(UNKNOWN)] * 2]


def test_a_missing_extra_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(MissingResourceError, match=r"word-frequency: wordfreq is not installed: pip install 'rainbow-"):
        get("word-frequency")
