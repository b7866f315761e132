"""Readability of a batch is made of the counts of its texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rainbow.metrics import Batch
from rainbow.metrics.grammar.readability.readability import Readability
from rainbow.metrics.grammar.readability.surface_counts import count_surface

PIECES = st.sampled_from(["The", "inn's", "take-out", "restaurant,", "£20-25", "Café’s", "42", "4star", "...", "´"])
BLANKS = st.sampled_from([" ", "  ", "\n", "\t", "\xa0", "\u2028", "\x1c", "\x85", "\0", "\ud800"])
TEXTS = st.lists(PIECES | BLANKS | st.text(max_size=4), max_size=12).map("".join)


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_a_row_has_the_measures_of_its_text(texts: list[str]) -> None:
    counts = [count_surface(text) for text in texts]
    expected = [(
        one.reading_ease, one.characters, one.characters_per_word, one.words, one.syllables, one.syllables_per_word,
        one.polysyllables, one.polysyllables_per_word,
    ) for one in counts]  # fmt: skip
    np.testing.assert_array_equal(Readability().score(Batch(texts)), np.array(expected, dtype=float))


def test_published_ratios_have_three_decimals() -> None:
    batch = Batch(["an expensive inn near x"])
    ours, published = Readability().score(batch)[0], Readability(as_published=True).score(batch)[0]
    assert (published[0], published[1:].tolist()) == (ours[0], ours[1:].round(3).tolist())


@pytest.mark.parametrize("text", ["restaurant " * 100_000, "le" * 500_000])
def test_a_million_letters_take_seconds(text: str) -> None:
    assert Readability().score(Batch([text]))[0, 1] == len(text.replace(" ", ""))
