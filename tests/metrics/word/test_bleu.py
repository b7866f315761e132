"""Sentence BLEU is that of the MS-COCO tools."""

import math
from pathlib import Path

import pytest

from rainbow.metrics import Batch
from rainbow.metrics.word.bleu import Bleu
from tests.metrics.conftest import both
from tests.metrics.real_rows import dialogue_rows, largest_difference, restaurant_rows


def bleu(output: str, *references: str) -> list[float]:
    return Bleu().score(Batch([output], [references]))[0].tolist()


@pytest.mark.once
@pytest.mark.parametrize(("rows", "count"), [(dialogue_rows, 1000), (restaurant_rows, 200)])
def test_scores_equal_pycocoevalcap(data_dir: Path, rows, count: int) -> None:
    batch, (tool,) = rows(data_dir, count), Bleu.tools
    theirs = tool.scores(batch)
    for ours in both(lambda: Bleu().score(batch)):
        assert largest_difference("BLEU1..4", ours, theirs) <= 1e-9


def test_a_sentence_is_scored_as_by_hand() -> None:
    # 4 of 5 words, 2 of 4 pairs (the inn, inn is), 1 of 3 triples (the inn is), no quadruple
    expected = [4 / 5, (4 / 5 * 2 / 4) ** (1 / 2), (4 / 5 * 2 / 4 * 1 / 3) ** (1 / 3)]
    assert bleu("the inn is not cheap", "the inn is cheap", "an inn")[:3] == pytest.approx(expected, abs=1e-6)


def test_an_n_gram_counts_as_often_as_in_one_reference() -> None:
    assert bleu("the the the", "the inn the", "the bar is")[0] == pytest.approx(2 / 3, abs=1e-6)


def test_the_reference_nearest_in_length_counts_and_the_shorter_of_two() -> None:
    assert bleu("a b c d", "a b c d e f", "a b x")[0] == pytest.approx(1, abs=1e-6)
    assert bleu("a b c d", "a b c d e f", "x y")[0] == pytest.approx(1, abs=1e-6)
    assert bleu("a b c d", "a b c d e f", "x")[0] == pytest.approx(math.exp(1 - 6 / 4), abs=1e-6)


def test_no_match_gives_a_tiny_number_that_still_tells_orders_apart() -> None:
    none, unigrams = bleu("x y z v", "a b c d"), bleu("c a d b", "a b c d")
    assert 0 < none[3] < unigrams[3] < 1e-3


def test_two_tokens_equal_to_their_reference_have_no_trigram() -> None:
    assert bleu("an inn", "an inn") == pytest.approx([1, 1, 0.01, 0.001], rel=1e-6)


def test_four_tokens_equal_to_their_reference_are_best() -> None:
    assert bleu("the inn is cheap", "no", "the inn is cheap") == pytest.approx([1, 1, 1, 1], abs=1e-8)
