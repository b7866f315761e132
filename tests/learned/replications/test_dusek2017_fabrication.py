"""Fabricated errors: what they do to a text, and what such texts are rated."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from rainbow.learned.replications.dusek2017.fabrication import (
    PROTECTED_WORDS,
    Source,
    fabricate_errors,
    insert_errors,
    lower_ratings,
)
from rainbow.text.words.words_and_punctuation import text_words

COLUMNS = ("delexicalised", "meaning")
WORDS = ["xname", "is", "a", "cheap", "inn", "in", "xarea", ",", "and", "the", "pub", "serves", "thai", "food", "."]


def source(text: str) -> Source:
    return Source((text, "inform name xname"))


def made(seed: int, count: int, words: list[str] = WORDS) -> list[str]:
    return insert_errors(words, count, Random(seed), lambda rng: rng.choice(["zoo", "dog"]))


def test_one_error_takes_away_repeats_inserts_or_replaces_one_word() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(400):
        found = made(seed, 1)
        gone, come = Counter(WORDS) - Counter(found), Counter(found) - Counter(WORDS)
        kinds[f"-{sum(gone.values())} +{sum(come.values())}{' new' if come.keys() & {'zoo', 'dog'} else ''}"] += 1
        assert not gone.keys() & PROTECTED_WORDS, "punctuation and articles stay"
        assert not come.keys() & PROTECTED_WORDS
    assert set(kinds) == {"-1 +0", "-0 +1", "-0 +1 new", "-1 +1 new"}
    # Of five kinds drawn alike two say a word again.
    assert (kinds["-0 +1"], kinds["-1 +0"]) == (pytest.approx(160, abs=45), pytest.approx(80, abs=35))


def test_the_last_word_is_never_taken_away_and_articles_give_way_where_there_is_nothing_else() -> None:
    for seed in range(100):
        assert len(made(seed, 4, ["inn"])) >= 1
    assert {tuple(made(seed, 1, ["the", "."])) for seed in range(60)} - {("the", ".")}


def test_a_word_is_not_replaced_by_itself() -> None:
    drawn = iter(["inn", "inn", "pub"] * 50).__next__
    for seed in range(50):
        if (found := insert_errors(["inn"], 1, Random(seed), lambda rng: drawn())) != ["inn", "inn"]:
            assert "pub" in found


def test_every_source_gives_itself_and_copies_with_one_to_four_errors() -> None:
    texts = [" ".join(WORDS), "xname is an inn ."]
    found = fabricate_errors([source(text) for text in texts], COLUMNS, seed=3)
    assert (found.sources.tolist(), found.errors.tolist()) == ([0] * 5 + [1] * 5, [0, 1, 2, 3, 4] * 2)
    assert [found.texts["delexicalised"][place] for place in (0, 5)] == texts
    assert set(found.texts["meaning"]) == {"inform name xname"} and len(set(found.texts["delexicalised"])) > 8


def test_what_becomes_of_a_row_does_not_hang_on_the_order_of_the_rows() -> None:
    sources = [source(" ".join(WORDS[start:])) for start in range(8)]
    first, second = fabricate_errors(sources, COLUMNS), fabricate_errors(sources[::-1], COLUMNS)
    assert first.texts["delexicalised"][:5] == second.texts["delexicalised"][-5:]
    assert fabricate_errors(sources, COLUMNS, seed=1).texts["delexicalised"] != first.texts["delexicalised"]


@pytest.mark.parametrize(("rated", "expected"), [
    (6.0, [6, 4, 4, 3, 2]),
    (5.5, [5.5, 4, 3.5, 2.5, 1.5]),
    (5.0, [5, 4, 3, 2, 1]),
    (3.5, [3.5, 2.5, 1.5, 1, 1]),
    (1.0, [1, 1, 1, 1, 1]),
])  # fmt: skip
def test_errors_cost_what_the_code_of_the_study_says(rated: float, expected: list[float]) -> None:
    assert lower_ratings(np.full((5, 1), rated), np.arange(5))[:, 0].tolist() == expected


def test_words_are_drawn_as_often_as_they_occur() -> None:
    sources = [source("thai " * 50 + "food"), source("pub")]
    words = Counter(
        word for text in fabricate_errors(sources, COLUMNS).texts["delexicalised"] for word in text_words(text)
    )
    assert words["thai"] > 10 * (words["pub"] - 4)
