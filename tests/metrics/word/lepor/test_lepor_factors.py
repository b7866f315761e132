"""LEPOR and hLEPOR: against the published column, the package hLepor, a slow twin, and at the edges."""

import json
import math
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rainbow.metrics.word.lepor.lepor_factors import (
    LeporFactors,
    align_words,
    hlepor,
    lepor,
    lepor_factors,
    published_lepor,
)

pytestmark = pytest.mark.once

# Few words, so that most of them are repeated.
sentences = st.lists(st.sampled_from("abcd"), max_size=12)
filled = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12)

# What the package hLepor 0.0.4 gives with its default parameters for blank-separated tokens. Where a word is repeated
# it aligns differently; over 2,460 real pairs it then differs by .0104 at most.
PACKAGE = [
    ("x is a cheap pub near y", "x is a pub near y", 0.9514319569912173),
    ("near the river there is a pub", "there is a pub near the river", 0.9405583021937954),
    ("x serves thai food", "x serves thai food and allows children in the area", 0.37218484655052436),
    ("i am sorry but there are no pubs near x .", "there is no pub near x .", 0.6682300227744571),
    ("a b", "b a", 0.9390798900441614),
    ("x", "x is a pub", 0.14665321123593034),
    ("no word in common", "entirely other text", 0.0),
]


def words(text: str) -> list[str]:
    return text.split()


def twin_alignment(hypothesis: list[str], reference: list[str], context: int) -> list[int | None]:
    """Align by looking at every free reference token every time."""
    aligned: list[int | None] = []
    for i, word in enumerate(hypothesis):
        free = [j for j, other in enumerate(reference) if other == word and j not in aligned]
        beside = [
            j
            for j in free
            if set(hypothesis[max(0, i - context) : i]) & set(reference[max(0, j - context) : j])
            or set(hypothesis[i + 1 : i + 1 + context]) & set(reference[j + 1 : j + 1 + context])
        ]
        distances = [(abs(i - j), j) for j in beside or free]
        aligned.append(min(distances)[1] if distances else None)
    return aligned


@given(sentences, sentences, st.integers(0, 3))
def test_the_alignment_is_that_of_the_slow_twin(hypothesis: list[str], reference: list[str], context: int) -> None:
    assert align_words(hypothesis, reference, context) == twin_alignment(hypothesis, reference, context)


@given(sentences, sentences)
def test_as_many_words_are_aligned_as_the_two_share(hypothesis: list[str], reference: list[str]) -> None:
    aligned = [j for j in align_words(hypothesis, reference) if j is not None]
    assert len(set(aligned)) == len(aligned) == (Counter(hypothesis) & Counter(reference)).total()


def test_a_repeated_word_goes_to_its_like_beside_the_same_neighbour() -> None:
    assert align_words(words("the pub"), words("the old inn by the pub")) == [4, 5]


def test_a_repeated_word_without_shared_neighbours_goes_to_the_nearest() -> None:
    assert align_words(words("p q the"), words("the u v the")) == [None, None, 3]


@given(filled)
def test_a_sentence_scores_one_against_itself(tokens: list[str]) -> None:
    assert lepor(tokens, [tokens]) == hlepor(tokens, [tokens]) == 1.0


@given(sentences, st.lists(sentences, min_size=1, max_size=3))
def test_scores_lie_between_zero_and_one(hypothesis: list[str], references: list[list[str]]) -> None:
    scores = [lepor(hypothesis, references), hlepor(hypothesis, references)]
    scores.append(published_lepor(hypothesis, references[0]))
    assert all(0.0 <= score <= 1.0 for score in scores)


@given(sentences, st.lists(sentences, min_size=1, max_size=3))
def test_several_references_give_the_best_of_their_scores(hypothesis: list[str], references: list[list[str]]) -> None:
    assert lepor(hypothesis, references) == max(lepor(hypothesis, [tokens]) for tokens in references)
    assert hlepor(hypothesis, references) == max(hlepor(hypothesis, [tokens]) for tokens in references)


def test_the_factors_are_those_of_the_formula() -> None:
    factors = lepor_factors(words("c a x"), words("a b c d"))
    expected = LeporFactors(math.exp(1 - 4 / 3), math.exp(-(abs(1 / 3 - 3 / 4) + abs(2 / 3 - 1 / 4)) / 3), 2 / 3, 2 / 4)
    assert factors == pytest.approx(expected, abs=1e-15)


def test_lepor_is_the_product_of_its_factors() -> None:
    hypothesis, reference = words("c a x"), words("a b c d")
    length, order, precision, recall = lepor_factors(hypothesis, reference)
    expected = length * order * 5 / (2 / recall + 3 / precision)
    assert lepor(hypothesis, [reference], alpha=2, beta=3) == pytest.approx(expected, abs=1e-15)


def test_hlepor_is_the_weighted_harmonic_mean_of_the_three_factors() -> None:
    hypothesis, reference = words("c a x"), words("a b c d")
    factors = lepor_factors(hypothesis, reference)
    expected = 6 / (3 / factors.length + 2 / factors.order + 1 / factors.harmonic(2, 3))
    assert hlepor(hypothesis, [reference], alpha=2, beta=3, weights=(3, 2, 1)) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("hypothesis", "reference", "expected"), PACKAGE)
def test_hlepor_is_that_of_the_package_where_no_word_is_repeated(hypothesis, reference, expected) -> None:
    assert hlepor(hypothesis.split(), [reference.split()]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("hypothesis", "reference"), [("", "a"), ("a", ""), ("", ""), ("a", "b")])
def test_nothing_in_common_scores_zero(hypothesis: str, reference: str) -> None:
    assert lepor(hypothesis.split(), [reference.split()]) == hlepor(hypothesis.split(), [reference.split()]) == 0.0
    assert published_lepor(hypothesis.split(), reference.split()) == 0.0


def test_a_text_a_thousand_times_too_long_scores_zero_without_overflow() -> None:
    assert lepor(["a"] * 1000, [["a"]]) == hlepor(["a"] * 1000, [["a"]]) == 0.0


def test_scoring_without_a_reference_is_refused() -> None:
    with pytest.raises(ValueError, match="no reference"):
        lepor(["a"], [])
    with pytest.raises(ValueError, match="no reference"):
        hlepor(["a"], [])


def test_strings_in_place_of_tokens_are_refused() -> None:
    with pytest.raises(ValueError, match="split"):
        lepor("a b", [["a", "b"]])
    with pytest.raises(ValueError, match="split"):
        hlepor(["a", "b"], ["a b"])
    with pytest.raises(ValueError, match="split"):
        lepor(["a"], "a b")
    with pytest.raises(ValueError, match="split"):
        published_lepor(["a"], "a b")


def test_weights_that_are_not_positive_are_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        lepor(["a"], [["a"]], alpha=0)
    with pytest.raises(ValueError, match="positive"):
        hlepor(["a"], [["a"]], weights=(1, -1, 1))


@pytest.mark.timeout(60)  # some 2 s; a quadratic pass would take many minutes
def test_a_hundred_thousand_tokens_are_compared_without_a_quadratic_pass() -> None:
    assert lepor(["the"] * 100_000, [["the"] * 100_000]) == 1.0
    assert published_lepor(["the"] * 100_000, ["the"] * 100_000) > 0.0


def test_the_formula_of_the_paper_comes_near_the_published_column(data_dir: Path) -> None:
    stored = pd.read_csv(data_dir / "emnlp2017" / "emnlp_data_medians.csv")["LEPOR"]
    rows = json.loads((data_dir / "emnlp2017" / "scored_text.json").read_text())
    pairs = [(row["hyp_ws"].lower().split(), row["refs_delex"][0].lower().split()) for row in rows]
    formula = pd.Series([lepor(hypothesis, [reference]) for hypothesis, reference in pairs])
    print(f"LEPOR as in the paper against the column: Pearson {formula.corr(stored):.3f}")
    assert 0.9 < formula.corr(stored) < 1.0


def test_published_repeated_words_cost_points_even_in_equal_sentences() -> None:
    sentence = words("do you mean that you do not care which price range ?")
    # `do` at 5 goes to 0 and `you` at 4 to 1: differences of 5 and 3 twelfths, over 12 tokens.
    assert published_lepor(sentence, sentence) == pytest.approx(math.exp(-8 / 12 / 12))


def published_shift(hypothesis: str, reference: str) -> float:
    """Return the sum of the position differences behind a published score of two texts that share all they can."""
    ours, theirs = words(hypothesis), words(reference)
    matches = (Counter(ours) & Counter(theirs)).total()
    length = math.exp(1 - max(len(ours), len(theirs)) / min(len(ours), len(theirs)))
    return -len(ours) * math.log(published_lepor(ours, theirs) / length / (2 * matches / (len(ours) + len(theirs))))


def test_published_the_first_word_looks_to_its_right() -> None:
    # `x` goes past the `x` at 0 to the one before `near`.
    assert published_shift("x near y z", "x is x near") == pytest.approx((2 + 2) / 4)


def test_published_the_last_words_look_to_their_left() -> None:
    # `x` goes past the nearer `x` at 0 to the one after `in`.
    assert published_shift("p in x .", "x is q y in x z w") == pytest.approx(abs(2 / 4 - 5 / 8) + abs(3 / 4 - 6 / 8))


def test_published_the_last_words_stand_before_the_first() -> None:
    # The last word but one of the reference is `in`, so `x` goes to the `x` at 0 as if it followed `in`.
    assert published_shift("p in x .", "x is in x") == pytest.approx((1 + 2) / 4)


def test_published_position_one_is_taken_once_ten_is() -> None:
    reference = words("z y a b c d e f g h x")
    length, shift = math.exp(1 - 11 / 2), abs(1 / 2 - 11 / 11) + abs(2 / 2 - 2 / 11)
    assert published_lepor(["x", "y"], reference) == pytest.approx(length * math.exp(-shift / 2) * 2 * 1 / 13)
    assert published_shift("y x", " ".join(reference)) == pytest.approx(abs(1 / 2 - 2 / 11))
