"""Document frequencies are counted per collection, never change, and survive JSON and pickling."""

import dataclasses
import math
import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rainbow.text.ngrams.document_frequencies import DocumentFrequencies
from rainbow.text.ngrams.ngram_counts import LONGEST, clipped_matches, ngram_counts


def frequencies() -> DocumentFrequencies:
    documents = {"hotels": [["an inn", "an inn an inn"], ["an inn"], ["a bar"], []], "bars": [["a bar"]], "empty": [[]]}
    return DocumentFrequencies.count(
        {name: [[ngram_counts(text.split()) for text in texts] for texts in sets] for name, sets in documents.items()}
    )


def test_a_document_counts_an_n_gram_once_however_often_and_in_how_many_texts_it_stands() -> None:
    assert frequencies()["hotels"].counts == {("an",): 2, ("inn",): 2, ("an", "inn"): 2}


def test_a_document_without_texts_does_not_count() -> None:
    assert (frequencies()["hotels"].documents, frequencies()["bars"].documents) == (3, 1)


def test_a_weight_is_the_logarithm_of_documents_per_document_that_has_the_n_gram() -> None:
    hotels = frequencies()["hotels"]
    assert hotels.weight(("inn",)) == pytest.approx(math.log(3 / 2))
    assert hotels.weight(("bar",)) == hotels.weight(("unseen",)) == pytest.approx(math.log(3))


@pytest.mark.parametrize("name", ["empty", "pubs"])
def test_a_collection_that_was_not_counted_is_told_by_name(name: str) -> None:
    with pytest.raises(ValueError, match=f"collection '{name}'.*'hotels', 'bars'"):
        frequencies()[name]


def test_nothing_about_them_can_be_changed() -> None:
    found = frequencies()
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.collections = {}  # type: ignore[misc]
    with pytest.raises(TypeError):
        found.collections["pubs"] = found["bars"]  # type: ignore[index]
    with pytest.raises(TypeError):
        found["hotels"].counts[("an",)] = 7  # type: ignore[index]


def test_json_and_pickling_give_them_back() -> None:
    found = frequencies()
    for copy in (DocumentFrequencies.from_json(found.to_json()), pickle.loads(pickle.dumps(found))):
        assert (copy, str(copy), hash(copy)) == (found, str(found), hash(found))
        assert copy["hotels"].counts == found["hotels"].counts


def test_the_digest_tells_other_content_apart() -> None:
    data = frequencies().to_json()
    data["hotels"]["ngrams"]["inn"] = 3
    assert str(DocumentFrequencies.from_json(data)) != str(frequencies())


@pytest.mark.parametrize("count", [0, 4])
def test_an_impossible_count_is_refused(count: int) -> None:
    data = frequencies().to_json()
    data["hotels"]["ngrams"]["inn"] = count
    with pytest.raises(ValueError, match=r"'hotels'.*3 documents"):
        DocumentFrequencies.from_json(data)


texts = st.lists(st.sampled_from("abc"), max_size=12)


def test_a_token_with_a_blank_is_not_a_pair_of_tokens() -> None:
    assert ngram_counts(["1 1/2"])[0].keys() != ngram_counts(["1", "1/2"])[1].keys()


@given(texts)
def test_counts_equal_counting_every_window(tokens: list[str]) -> None:
    for order, counts in enumerate(ngram_counts(tokens), start=1):
        windows = [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]
        assert (counts, sum(counts.values())) == (Counter(windows), max(0, len(tokens) - order + 1))


def test_matches_are_clipped_to_the_reference_that_has_most() -> None:
    output = {("the",): 7, ("inn",): 1, ("cheap",): 1}
    assert clipped_matches(output, [{("the",): 2}, {("the",): 3, ("inn",): 5}]) == 3 + 1
    assert clipped_matches(output, []) == 0


@given(texts, texts)
def test_matches_with_one_reference_are_the_intersection_of_the_multisets(output, reference) -> None:
    for order in range(LONGEST):
        ours, theirs = ngram_counts(output)[order], ngram_counts(reference)[order]
        assert clipped_matches(ours, [theirs]) == (Counter(ours) & Counter(theirs)).total()
