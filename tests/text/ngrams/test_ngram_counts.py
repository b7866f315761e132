"""N-grams are counted by order, and matches are clipped to the reference that has most of an n-gram."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from rainbow.text.ngrams.ngram_counts import LONGEST, clipped_matches, ngram_counts

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
