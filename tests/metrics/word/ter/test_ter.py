"""TER has the edits of sacrebleu's, as a fraction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.ter import TER

from rainbow.metrics import Batch
from rainbow.metrics.word.ter.shifts import shift_edits
from rainbow.metrics.word.ter.ter import Ter


def ter(output: str, *references: str) -> float:
    return Ter().score(Batch([output], [references]))[0, 0]


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=14), min_size=2, max_size=5))
def test_the_edits_are_those_of_the_nearest_reference(texts: list[list[str]]) -> None:
    output, *references = texts
    fewest = min(shift_edits(output, reference) for reference in references)
    found = ter(" ".join(output), *map(" ".join, references))
    assert found == pytest.approx(fewest * len(references) / sum(map(len, references)), abs=1e-12)


def test_the_fewest_edits_are_divided_by_the_mean_length_of_the_references() -> None:
    assert ter("a b c", "a b x y z", "a b d") == pytest.approx(1 / 4)


def test_case_and_kind_of_blank_do_not_count_but_punctuation_does() -> None:
    assert ter("The\ninn  IS\tcheap", "the inn is cheap") == 0
    assert ter("the inn is cheap.", "the inn is cheap") == pytest.approx(1 / 4)


def test_an_output_much_longer_than_its_references_is_above_one() -> None:
    assert ter("a b c d e f", "x y") == 3


@pytest.mark.parametrize("output", ["the|||inn", "the \0 inn", "🍕 the inn", "!?", "\0", "\1"])
def test_awkward_texts_have_a_number_that_sacrebleu_has(output: str) -> None:
    references = ["the inn is cheap", "..."]
    assert ter(output, *references) == pytest.approx(TER().sentence_score(output, references).score / 100)


@pytest.mark.parametrize("reference", ["the inn is cheap", " ".join(map(str, range(27)))])
def test_a_hundred_thousand_tokens_take_seconds(reference: str) -> None:
    assert ter("the inn 17 " * 33_334, reference) > 1000


def test_the_nearest_of_ten_thousand_references_is_found() -> None:
    assert ter("number 9000 the inn", *[f"the inn number {number}" for number in range(10_000)]) == pytest.approx(1 / 4)
