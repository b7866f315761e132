"""LEPOR and hLEPOR: compiled and in Python, against the published column, the package hLepor and a slow twin."""

import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rainbow.metrics import Batch
from rainbow.metrics.word.lepor import (
    CONTEXT,
    Lepor,
    LeporFactors,
    align_words,
    lepor_factors,
    lepor_scores,
    published_lepor,
)

# Few words, so that most of them are repeated.
WORDS = st.lists(st.sampled_from("abcd"), max_size=12)
TEXTS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12).map(" ".join)

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


def scored(hypothesis: str, *references: str) -> tuple[float, float]:
    return python_scores(Lepor(), hypothesis, references)


def python_scores(metric: Lepor, output: str, references) -> tuple[float, float]:
    tokens = [reference.split() for reference in references]
    return lepor_scores(output.split(), tokens, metric.alpha, metric.beta, metric.weights)


@pytest.mark.parametrize("metric", [Lepor(), Lepor(alpha=2, beta=3, weights=(3, 2, 1))])
@given(output=TEXTS, references=st.lists(TEXTS, min_size=1, max_size=3))
def test_a_row_has_the_scores_of_its_tokens(metric: Lepor, output: str, references: list[str]) -> None:
    scores = metric.score(Batch([output], [references]))[0]
    assert scores == pytest.approx(python_scores(metric, output, references), abs=1e-12)
    assert all(0 <= score <= 1 for score in [*scores, published_lepor(output.split(), references[0].split())])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("words", [1, 2, 5, 100])
def test_words_repeated_a_hundred_times_are_aligned_as_others_are(words: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    output, reference = (" ".join(f"w{number}" for number in rng.integers(words, size=300)) for _ in range(2))
    scores = Lepor().score(Batch([output], [[reference]]))[0]
    assert scores == pytest.approx(scored(output, reference), abs=1e-12)


def test_the_published_column_is_that_of_the_first_reference_split_at_blanks() -> None:
    output, references = "The x, near y.", ["an x, near y.", "the x, near y."]
    scores = Lepor(as_published=True).score(Batch([output], [references]))[0]
    assert scores[0] == published_lepor(output.lower().split(), references[0].split())
    assert scores[1] == Lepor().score(Batch([output], [references]))[0, 1] == 1


@pytest.mark.once
@pytest.mark.parametrize("weights", [{"alpha": 0}, {"beta": -1}, {"weights": (1, 0, 1)}])
def test_weights_that_are_not_positive_are_refused(weights) -> None:
    with pytest.raises(ValueError, match="weights must be positive"):
        Lepor(**weights)


@pytest.mark.timeout(60, func_only=True)
def test_a_hundred_thousand_tokens_take_seconds() -> None:
    text = "the inn of old " * 25_000
    assert Lepor().score(Batch([text], [[text, text + "inn"]])).tolist() == [[1, 1]]
    assert published_lepor(text.split(), text.split()) > 0


def test_the_best_of_ten_thousand_references_is_found() -> None:
    references = [f"the inn number {number}" for number in range(10_000)]
    assert Lepor().score(Batch(["the inn number 9000"], [references])).tolist() == [[1, 1]]


def twin_alignment(hypothesis: list[str], reference: list[str]) -> list[int | None]:
    """Align by looking at every free reference token every time."""
    aligned: list[int | None] = []
    for i, word in enumerate(hypothesis):
        free = [j for j, other in enumerate(reference) if other == word and j not in aligned]
        beside = [
            j
            for j in free
            if set(hypothesis[max(0, i - CONTEXT) : i]) & set(reference[max(0, j - CONTEXT) : j])
            or set(hypothesis[i + 1 : i + 1 + CONTEXT]) & set(reference[j + 1 : j + 1 + CONTEXT])
        ]
        distances = [(abs(i - j), j) for j in beside or free]
        aligned.append(min(distances)[1] if distances else None)
    return aligned


@pytest.mark.once
@given(WORDS, WORDS)
def test_the_alignment_is_that_of_the_slow_twin(hypothesis: list[str], reference: list[str]) -> None:
    aligned = align_words(hypothesis, reference)
    assert aligned == twin_alignment(hypothesis, reference)
    assert len(aligned) - aligned.count(None) == (Counter(hypothesis) & Counter(reference)).total()


@pytest.mark.once
def test_a_repeated_word_goes_to_its_like_beside_the_same_neighbour_or_else_to_the_nearest() -> None:
    assert align_words(["the", "pub"], ["the", "old", "inn", "by", "the", "pub"]) == [4, 5]
    assert align_words(["p", "q", "the"], ["the", "u", "v", "the"]) == [None, None, 3]


@pytest.mark.once
def test_the_factors_and_scores_are_those_of_the_formulas() -> None:
    hypothesis, reference = ["c", "a", "x"], ["a", "b", "c", "d"]
    length, order, precision, recall = factors = lepor_factors(hypothesis, reference)
    expected = LeporFactors(math.exp(1 - 4 / 3), math.exp(-(abs(1 / 3 - 3 / 4) + abs(2 / 3 - 1 / 4)) / 3), 2 / 3, 2 / 4)
    assert factors == pytest.approx(expected, abs=1e-15)
    harmonic = 5 / (2 / recall + 3 / precision)
    expected = length * order * harmonic, 6 / (3 / length + 2 / order + 1 / harmonic)
    assert lepor_scores(hypothesis, [reference], 2, 3, (3, 2, 1)) == pytest.approx(expected, abs=1e-15)


@pytest.mark.once
@pytest.mark.parametrize(("hypothesis", "reference", "expected"), PACKAGE)
def test_hlepor_is_that_of_the_package_where_no_word_is_repeated(hypothesis, reference, expected) -> None:
    assert scored(hypothesis, reference)[1] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("hypothesis", "reference"), [("", "a"), ("a", "b"), ("a " * 1000, "a")])
def test_nothing_in_common_or_a_text_a_thousand_times_too_long_scores_zero(hypothesis: str, reference: str) -> None:
    assert Lepor().score(Batch([hypothesis], [[reference]])).tolist() == [[0, 0]]
    assert scored(reference, hypothesis) == (0, 0) and published_lepor(hypothesis.split(), reference.split()) == 0


@pytest.mark.once
def test_the_formula_of_the_paper_comes_near_the_published_column(data_dir: Path) -> None:
    stored = pd.read_csv(data_dir / "emnlp2017" / "emnlp_data_medians.csv")["LEPOR"]
    rows = json.loads((data_dir / "emnlp2017" / "scored_text.json").read_text())
    pairs = [(row["hyp_ws"].lower(), row["refs_delex"][0].lower()) for row in rows]
    formula = pd.Series([scored(*pair)[0] for pair in pairs])
    print(f"LEPOR as in the paper against the column: Pearson {formula.corr(stored):.3f}")
    assert 0.9 < formula.corr(stored) < 1.0


@pytest.mark.once
def test_published_repeated_words_cost_points_even_in_equal_sentences() -> None:
    sentence = ["do", "you", "mean", "that", "you", "do", "not", "care", "which", "price", "range", "?"]
    # `do` at 5 goes to 0 and `you` at 4 to 1: differences of 5 and 3 twelfths, over 12 tokens.
    assert published_lepor(sentence, sentence) == pytest.approx(math.exp(-8 / 12 / 12))


def published_shift(hypothesis: str, reference: str) -> float:
    """Return the sum of the position differences behind a published score of two texts that share all they can."""
    ours, theirs = hypothesis.split(), reference.split()
    matches = (Counter(ours) & Counter(theirs)).total()
    length = math.exp(1 - max(len(ours), len(theirs)) / min(len(ours), len(theirs)))
    return -len(ours) * math.log(published_lepor(ours, theirs) / length / (2 * matches / (len(ours) + len(theirs))))


@pytest.mark.once
def test_published_the_first_word_looks_to_its_right() -> None:
    # `x` goes past the `x` at 0 to the one before `near`.
    assert published_shift("x near y z", "x is x near") == pytest.approx((2 + 2) / 4)


@pytest.mark.once
def test_published_the_last_words_look_to_their_left() -> None:
    # `x` goes past the nearer `x` at 0 to the one after `in`.
    assert published_shift("p in x .", "x is q y in x z w") == pytest.approx(abs(2 / 4 - 5 / 8) + abs(3 / 4 - 6 / 8))


@pytest.mark.once
def test_published_the_last_words_stand_before_the_first() -> None:
    # The last word but one of the reference is `in`, so `x` goes to the `x` at 0 as if it followed `in`.
    assert published_shift("p in x .", "x is in x") == pytest.approx((1 + 2) / 4)


@pytest.mark.once
def test_published_position_one_is_taken_once_ten_is() -> None:
    reference = ["z", "y", "a", "b", "c", "d", "e", "f", "g", "h", "x"]
    length, shift = math.exp(1 - 11 / 2), abs(1 / 2 - 11 / 11) + abs(2 / 2 - 2 / 11)
    assert published_lepor(["x", "y"], reference) == pytest.approx(length * math.exp(-shift / 2) * 2 * 1 / 13)
    assert published_shift("y x", " ".join(reference)) == pytest.approx(abs(1 / 2 - 2 / 11))
