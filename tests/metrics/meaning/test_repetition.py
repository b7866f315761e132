"""Bigrams said again and words said twice in a row, as shares of the output's own."""

import numpy as np
import pytest

from rainbow.metrics import Batch
from rainbow.metrics.meaning.repetition import Repetition


def repetition(output: str) -> list[float]:
    (values,) = Repetition().score(Batch([output])).tolist()
    return list(values)


@pytest.mark.parametrize(("output", "bigrams", "doubled"), [
    ("The inn is cheap.", 0, 0),
    ("near x near x near x", 3 / 5, 0),
    ("is it the inn, the inn?", 1 / 5, 0),
    ("the the the the", 2 / 3, 3 / 4),
    ("The the inn", 0, 1 / 3),
    ("inn", 0, 0),
])  # fmt: skip
def test_repetition_is_a_share_of_the_bigrams_and_of_the_words(output: str, bigrams: float, doubled: float) -> None:
    assert repetition(output) == pytest.approx([bigrams, doubled])


@pytest.mark.parametrize("output", ["", " \n", "?!"])
def test_without_a_word_repetition_is_undefined(output: str) -> None:
    batch = Batch([output])
    values = Repetition().score(batch)
    assert np.isnan(values).all()
    assert Repetition().reasons(batch, values) == {(0, 0): "the output has no word", (0, 1): "the output has no word"}
