"""Kneser-Ney models are proper distributions, and leaving a document out is the same as never having seen it."""

import json
import math
import pickle
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rainbow.text.ngrams import kneser_ney
from rainbow.text.ngrams.kneser_ney import END, START, KneserNey

DOCUMENTS = {
    "name": [["the", "inn", "is", "cheap"], ["the", "inn", "is", "a", "cheap", "inn"]],
    "food": [["the", "pub", "serves", "cheap", "food"], ["it", "is", "a", "cheap", "pub"]],
    "area": [["the", "pub", "is", "in", "soma"], ["in", "soma", "the", "pub", "is", "cheap"], ["soma"]],
}
UNKNOWN = "quokka"


class SlowKneserNey:
    """The formulas read aloud: every count is a scan of all n-grams."""

    def __init__(self, sentences: Sequence[Sequence[str]], order: int, discounts: Sequence[float]) -> None:
        self.order, self.discounts = order, discounts
        marked = [(START, *sentence, END) for sentence in sentences]
        self.grams = {
            length: [text[i : i + length] for text in marked for i in range(len(text) - length + 1)]
            for length in range(1, order + 1)
        }
        self.grams[1] = [gram for gram in self.grams[1] if gram != (START,)]

    def count(self, gram: tuple[str, ...]) -> int:
        if len(gram) == self.order or gram[0] == START:
            return self.grams[len(gram)].count(gram)
        return len({longer[0] for longer in self.grams[len(gram) + 1] if longer[1:] == gram})

    def probability(self, word: str, context: tuple[str, ...]) -> float:
        shorter = self.probability(word, context[1:]) if context else 1 / (len(set(self.grams[1])) + 1)
        followers = {gram[-1] for gram in self.grams[len(context) + 1] if gram[:-1] == context}
        total = sum(self.count((*context, follower)) for follower in followers)
        if not total:
            return shorter
        discount = self.discounts[len(context)]
        return (max(self.count((*context, word)) - discount, 0) + discount * len(followers) * shorter) / total


def contexts(order: int) -> set[tuple[str, ...]]:
    texts = [(START, *sentence) for sentences in DOCUMENTS.values() for sentence in sentences]
    lengths = range(order)
    return {text[i : i + n] for text in texts for n in lengths for i in range(len(text) - n + 1)} | {(UNKNOWN,), ()}


@pytest.mark.parametrize("without", [None, "name", "area"])
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_probabilities_sum_to_one_over_the_vocabulary_and_the_unknown_word(order: int, without: str | None) -> None:
    model = KneserNey.fit(DOCUMENTS, order)
    words = [*model.vocabulary(without), UNKNOWN]
    for context in contexts(order):
        assert sum(model.probability(word, context, without) for word in words) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_every_probability_is_that_of_the_slow_twin(order: int) -> None:
    model = KneserNey.fit(DOCUMENTS, order)
    twin = SlowKneserNey([sentence for texts in DOCUMENTS.values() for sentence in texts], order, model._discounts)
    for context in contexts(order):
        kept = context[max(0, len(context) - order + 1) :]
        for word in [*model.vocabulary(), UNKNOWN]:
            assert model.probability(word, context) == pytest.approx(twin.probability(word, kept), abs=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("without", list(DOCUMENTS))
def test_leaving_a_document_out_is_fitting_without_it(without: str, order: int) -> None:
    model = KneserNey.fit(DOCUMENTS, order)
    rest = [sentence for name, texts in DOCUMENTS.items() for sentence in texts if name != without]
    twin = SlowKneserNey(rest, order, model._discounts)
    for context in contexts(order):
        kept = context[max(0, len(context) - order + 1) :]
        for word in [*model.vocabulary(), UNKNOWN]:
            assert model.probability(word, context, without) == pytest.approx(twin.probability(word, kept), abs=1e-12)


def test_on_real_rows_leaving_the_item_out_is_fitting_without_it(data_dir: Path) -> None:
    texts = json.loads((data_dir / "emnlp2017" / "scored_text.json").read_text(encoding="utf-8"))[:202]
    documents = {str(text["row"]): [reference.split() for reference in text["refs_ptb"]] for text in texts}
    model = KneserNey.fit(documents)
    for text in texts:
        name, output = str(text["row"]), text["hyp_ptb"].split()
        refitted = KneserNey.fit({other: texts for other, texts in documents.items() if other != name})
        refitted.__dict__["_discounts"] = model._discounts
        expected = refitted.log_probabilities(output)
        assert model.log_probabilities(output, without=name) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("without", [None, *DOCUMENTS])
def test_a_known_run_stands_in_another_document(without: str | None, order: int) -> None:
    rest = [(START, *text, END) for name, texts in DOCUMENTS.items() for text in texts if name != without]
    grams = {text[i : i + n] for text in rest for n in range(1, order + 1) for i in range(len(text) - n + 1)}
    output = ["the", "pub", "is", "cheap", "food", UNKNOWN, "in", "soma"]
    marked = (START, *output, END)
    lengths = [
        max((n for n in range(1, min(order, end) + 1) if marked[end - n : end] in grams), default=0)
        for end in range(2, len(marked) + 1)
    ]
    assert KneserNey.fit(DOCUMENTS, order).known_ngram_lengths(output, without) == lengths


def test_a_name_the_model_does_not_know_takes_nothing_out() -> None:
    model = KneserNey.fit(DOCUMENTS)
    assert model.log_probabilities(["the", "inn"], "other") == model.log_probabilities(["the", "inn"])


def test_the_discount_comes_from_the_counts_of_one_and_two() -> None:
    # once: a, b, c; twice: d; four times: the end
    assert KneserNey.fit({"1": [["a"], ["b"], ["c", "d"], ["d"]]}, order=1)._discounts == (3 / (3 + 2 * 1),)


def test_log_probabilities_are_those_of_each_word_in_its_context_and_of_the_end() -> None:
    model = KneserNey.fit(DOCUMENTS, order=2)
    values = model.log_probabilities(["the", "inn"])
    assert (len(values), math.exp(values[1])) == (3, pytest.approx(model.probability("inn", ["the"])))


def test_a_longer_context_than_the_order_needs_makes_no_difference() -> None:
    model = KneserNey.fit(DOCUMENTS, order=3)
    assert model.probability("is", ["soma", "the", "pub"]) == model.probability("is", ["the", "pub"])


def test_a_model_is_empty_without_its_only_document() -> None:
    model = KneserNey.fit({"1": [["a"]], "2": [[]]})
    assert not model.is_empty() and not model.is_empty(without="2") and model.is_empty(without="1")


@pytest.mark.parametrize("order", [0, 100, 10**30])
def test_an_order_below_one_or_beyond_any_use_is_refused(order: int) -> None:
    with pytest.raises(ValueError, match="a language model is 1 to 99"):
        KneserNey.fit(DOCUMENTS, order)


def test_a_copy_by_json_or_pickle_gives_the_same_numbers() -> None:
    model, sentence = KneserNey.fit(DOCUMENTS), ["the", "pub", "is", "cheap"]
    for copy in (KneserNey.from_json(json.loads(json.dumps(model.to_json()))), pickle.loads(pickle.dumps(model))):
        assert (copy, copy.log_probabilities(sentence, "food")) == (model, model.log_probabilities(sentence, "food"))


def test_the_digest_tells_content_and_order_but_not_the_order_of_documents() -> None:
    model = KneserNey.fit(DOCUMENTS)
    assert str(KneserNey.fit(dict(reversed(DOCUMENTS.items())))) == str(model)
    assert str(KneserNey.fit(DOCUMENTS, order=2)) != str(model)
    assert str(KneserNey.fit(DOCUMENTS | {"more": [["a"]]})) != str(model)


# Few words, so that n-grams recur; some odd ones.
SENTENCES = st.lists(st.sampled_from(["a", "b", "c", "it is", "", "\ud800", "{"]), max_size=6)
CORPORA = st.dictionaries(st.sampled_from("123"), st.lists(SENTENCES, max_size=5), max_size=3)


@settings(max_examples=60)
@given(documents=CORPORA, order=st.integers(1, 5), sentence=SENTENCES)
def test_counts_alone_give_the_same_probabilities(documents, order, sentence) -> None:
    model = KneserNey.fit(documents, order)
    counts = KneserNey.from_json(json.loads(json.dumps(model.counts_only().to_json())))
    assert counts == model.counts_only()
    assert counts.documents == ()
    assert (counts.vocabulary(), counts.is_empty()) == (model.vocabulary(), model.is_empty())
    for name in (None, "1", "unknown"):
        assert counts.log_probabilities(sentence, name) == model.log_probabilities(sentence)
        assert counts.is_empty(name) == model.is_empty()


@settings(max_examples=60)
@given(documents=CORPORA, order=st.integers(1, 5))
def test_shorter_ngrams_follow_from_the_longest(documents: dict[str, list[list[str]]], order: int) -> None:
    found = KneserNey.fit(documents, order).counts_only()._occurrence_counts
    marked = [(START, *sentence, END) for texts in documents.values() for sentence in texts if sentence]
    for length in range(1, order + 1):
        grams = [text[i : i + length] for text in marked for i in range(length == 1, len(text) - length + 1)]
        assert found[length - 1] == Counter(grams)


def test_counts_alone_hold_no_sentence_and_have_a_digest_of_their_own() -> None:
    model = KneserNey.fit(DOCUMENTS)
    counts = model.counts_only()
    assert "documents" not in counts.to_json() and str(counts) != str(model)
    assert str(counts) == str(model.counts_only()) == str(pickle.loads(pickle.dumps(counts)))
    assert str(counts) != str(KneserNey.fit(DOCUMENTS | {"more": [["a"]]}).counts_only())


def test_counts_of_many_sentences_take_less_room_than_the_sentences(data_dir: Path) -> None:
    texts = json.loads((data_dir / "emnlp2017" / "scored_text.json").read_text(encoding="utf-8"))
    model = KneserNey.fit({str(text["row"]): [reference.split() for reference in text["refs_ptb"]] for text in texts})
    sizes = [len(json.dumps(data.to_json(), separators=(",", ":"))) for data in (model.counts_only(), model)]
    assert sizes[0] < sizes[1] / 3


@pytest.mark.parametrize("data", [
    {},
    [],
    {"order": 2},
    {"order": 2, "documents": [["a"]]},
    {"order": 2, "documents": {"1": 3}},
    {"order": 0, "counts": {}},
    {"order": 10**9, "counts": {}},
    {"order": "2", "counts": {}},
    {"order": 2, "counts": {"a": 1}},
    {"order": 2, "counts": {"a": {"b": 0}}},
    {"order": 2, "counts": {"a": {"b": True}}},
    {"order": 2, "counts": {"a": {"b": "1"}}},
    {"order": 2, "counts": {"a": {"b": {"c": 1}}}},
    {"order": 2, "counts": {START: {"b": {END: 1}}}},
    {"order": 4, "counts": {START: {"b": 1}}},
])  # fmt: skip
def test_data_that_no_model_gave_are_refused(data: Any) -> None:
    with pytest.raises(ValueError, match=r"pass the result of to_json\(\)|counts start at 1|of a language model is 1"):
        KneserNey.from_json(data)


def test_what_was_left_out_is_remembered_for_some_documents_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kneser_ney, "REMEMBERED", 2)
    model = KneserNey.fit({str(n): [["a", f"inn{n % 3}"], ["the", "inn"]] for n in range(6)}, order=2)
    expected = [KneserNey.fit(dict(model.documents), 2).probability("inn0", ["a"], without=str(n)) for n in range(6)]
    assert [model.probability("inn0", ["a"], without=str(n)) for n in range(6)] == expected
    assert [model.probability("inn0", ["a"], without=str(n)) for n in reversed(range(6))] == expected[::-1]
    assert len(model._removals) == 2


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_a_model_read_backwards_is_that_of_the_reversed_sentences(order: int) -> None:
    turned = {name: [sentence[::-1] for sentence in sentences] for name, sentences in DOCUMENTS.items()}
    backward = KneserNey.fit(DOCUMENTS, order).backward_model
    # A model of order 1 reads no order.
    assert backward == KneserNey.fit(turned if order > 1 else DOCUMENTS, order)
    assert backward.backward_model == KneserNey.fit(DOCUMENTS, order)


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_the_unigrams_of_a_model_are_the_model_of_order_one(order: int) -> None:
    assert KneserNey.fit(DOCUMENTS, order).unigrams == KneserNey.fit(DOCUMENTS, 1)


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("of", ["backward_model", "unigrams"])
def test_derived_models_need_counts_only(of: str, order: int) -> None:
    model = KneserNey.fit(DOCUMENTS, order)
    from_counts, whole = getattr(model.counts_only(), of), getattr(model, of)
    assert from_counts.counts == whole.counts
    sentence = ["the", "pub", "is", "a", UNKNOWN]
    assert from_counts.log_probabilities(sentence) == whole.log_probabilities(sentence)
