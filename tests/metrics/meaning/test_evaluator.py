"""The evaluator: what is read beside what, how readings become columns, and that it reads rightly."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from rainbow.base.arrays import FloatArray
from rainbow.metrics import get
from rainbow.metrics.contract.base import MissingResourceError
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.meaning import evaluator
from rainbow.metrics.meaning.evaluator import Evaluator, EvaluatorInput, EvaluatorText
from rainbow.programs.encoder import encoder_unavailable_reason, read_pairs

CHEAP = "inform(name='the inn',price_range=cheap)"
WHOLE = ("adequacy", "omitted", "added", "disorder", "entailed")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The pairs that are read; the n-th has the values n, n + .1 and so on."""
    pairs: list[tuple[str, str]] = []

    def read(new: Sequence[tuple[str, str]], heads: Sequence[str]) -> FloatArray:
        start = len(pairs)
        pairs.extend(new)
        return np.arange(start, start + len(new))[:, None] + np.arange(len(heads)) / 10

    monkeypatch.setattr(evaluator, "read_pairs", read)
    monkeypatch.setattr(evaluator, "encoder_unavailable_reason", lambda: None)
    return pairs


def test_the_best_reference_counts_as_much_as_the_mean_of_all(asked: list[tuple[str, str]]) -> None:
    values = Evaluator().score(Batch(["the\n inn", "a bar"], [["one", "two"], ["three"]]))
    assert asked == [("one", "the inn"), ("two", "the inn"), ("three", "a bar")]
    # Readings 0 and 1: the highest of adequacy, the lowest of what is omitted.
    found = values[0]
    assert found == pytest.approx([(1 + 0.5) / 2, (0.1 + 0.6) / 2, (0.2 + 0.7) / 2, (0.3 + 0.8) / 2, (1.4 + 0.9) / 2])
    assert values[1] == pytest.approx([2, 2.1, 2.2, 2.3, 2.4])


@pytest.mark.parametrize("mr", [CHEAP, "name[the inn], price range[cheap]", "the inn | priceRange | cheap"])
def test_structured_inputs_are_read_in_one_notation(asked: list[tuple[str, str]], mr: str) -> None:
    EvaluatorInput().score(Batch(["so"], mrs=[mr]))
    ((first, _),) = asked
    assert "price range = cheap" in first


def test_a_short_text_is_read_whole(asked: list[tuple[str, str]]) -> None:
    EvaluatorInput().score(Batch(["so"], mrs=["Is it\ncheap?"]))
    assert asked == [("Is it cheap?", "so")]


def test_each_sentence_is_read_beside_what_it_has_in_common_with_a_document(asked: list[tuple[str, str]]) -> None:
    document = " ".join(f"Sentence {number} is about the topic of {'x' * number}." for number in range(1, 40))
    values = EvaluatorInput().score(Batch(["It is about xxx. Then xxxxxxxxxxxx."], mrs=[document]))
    whole, first, second = asked
    assert "of xxx." in first[0] and len(first[0].split()) <= evaluator.DOCUMENT_WORDS
    assert "of xxxxxxxxxxxx." in second[0] and (first[1], second[1]) == ("It is about xxx.", "Then xxxxxxxxxxxx.")
    assert 100 < len(whole[0].split()) <= evaluator.SUMMARY_WORDS
    # Reading 0 of the whole; readings 1 and 2 of the sentences, the lower entailment as much as their mean.
    assert values[0] == pytest.approx([0, 0.1, (1.2 + 2.2) / 2, (1.3 + 2.3) / 2, (1.4 + 1.9) / 2])


def test_a_text_alone_is_the_mean_of_its_sentences(asked: list[tuple[str, str]]) -> None:
    values = EvaluatorText().score(Batch(["It is cheap. It is near!"]))
    assert (asked, values[0]) == ([("", "It is cheap."), ("", "It is near!")], pytest.approx([0.5, 0.6, 0.7]))


def test_an_endless_output_is_read_to_a_limit(asked: list[tuple[str, str]]) -> None:
    EvaluatorText().score(Batch(["Yes. " * 1_000]))
    assert len(asked) == evaluator.MAX_SENTENCES


@pytest.mark.parametrize("metric", [Evaluator(), EvaluatorInput(), EvaluatorText()])
def test_what_has_no_word_is_nan_with_its_reason(asked: list[tuple[str, str]], metric: Evaluator) -> None:
    rows = Batch(["", "?!"], [["a"]] * 2, [CHEAP] * 2)
    values = metric.score(rows)
    assert not asked and all(map(math.isnan, values.ravel()))
    assert metric.reasons(rows, values)[1, 0] == "the output has no letter or digit"


def test_a_missing_network_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluator, "encoder_unavailable_reason", lambda: "rainbow fetch minilm")
    with pytest.raises(MissingResourceError, match="evaluator-text: rainbow fetch minilm"):
        get("evaluator-text").score(Batch(["a"]))


class TestNetwork:
    """What the shipped network reads; needs MiniLM."""

    @pytest.fixture(autouse=True)
    def _installed(self) -> None:
        if missing := encoder_unavailable_reason():
            pytest.skip(missing)

    def test_reference(self) -> None:
        outputs = [
            "The inn has low prices.", "The inn is expensive.", "The inn is a hotel near the park.", "inn the is cheap",
        ]  # fmt: skip
        adequacy, _, added, disorder, entailed = Evaluator().score(Batch(outputs, [["The inn is cheap."]] * 4)).T
        assert adequacy.argmax() == entailed.argmax() == 0 and added[2] > added[0] and disorder.argmax() == 3

    def test_input(self) -> None:
        mr = "inform(name='the inn',price_range=cheap,area=centre)"
        outputs = [
            "The inn is a cheap place in the centre.", "The inn is cheap.",
            "The inn in the centre is cheap and serves French food.",
        ]  # fmt: skip
        _, omitted, added, _, entailed = EvaluatorInput().score(Batch(outputs, mrs=[mr] * 3)).T
        assert (omitted.argmax(), added.argmax(), entailed.argmin()) == (1, 2, 2)

    def test_text(self) -> None:
        fluency, acceptable, disorder = EvaluatorText().score(Batch(["The inn is cheap.", "cheap inn the are is"])).T
        assert fluency[0] > fluency[1] and acceptable[0] > acceptable[1] and disorder[0] < disorder[1]

    def test_a_pair_is_read_the_same_alone_and_among_others(self) -> None:
        pairs = [("The inn is cheap.", "It is."), ("", "It is."), ("one " * 600, "two " * 600), ("The inn", "is dear")]
        alone = np.vstack([read_pairs([pair], WHOLE) for pair in pairs[::-1]])[::-1]
        np.testing.assert_array_equal(read_pairs(pairs, WHOLE), alone)
