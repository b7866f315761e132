"""The alterations that the evaluator learns from do what their labels say."""

import numpy as np
import pytest

from rainbow.meaning import parse_meaning
from rainbow.meaning.statements import meaning_as_text
from scripts.evaluator import alterations
from scripts.evaluator.alterations import alter, content, donors, text_of, words_of

TEXT = "The inn, opened in 1.5 years, isn't near Burger King (it is at 11:30 in the centre)."
LENT = donors(["A bar with 20 seats is in Ely.", "Zizzi sells 33 well-made pizzas near York."])


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_words_make_the_text_again() -> None:
    assert text_of(words_of(TEXT)) == TEXT and " 11:30" in words_of(TEXT) and content(words_of(TEXT)) == 10


@pytest.mark.parametrize(("kind", "_"), alterations.ALTERATIONS)
def test_counts_are_those_of_the_words(kind, _, rng) -> None:
    words = words_of(TEXT)
    for _ in range(200):
        new = kind(words, LENT, rng)
        assert content(new.words) == content(words) - new.taken + new.added or kind in (
            alterations.repeat,
            alterations.exchange,
        )
        changed = sorted(map(alterations.plain, new.words)) != sorted(map(alterations.plain, words))
        assert changed or not (new.taken or new.added) or kind is alterations.exchange


def test_only_deletions_and_moves_leave_what_follows(rng: np.random.Generator) -> None:
    words = words_of("The inn is cheap and has 3 rooms near York and Ely.")
    for kind in (alterations.insert, alterations.deny, alterations.exchange):
        assert not kind(words, LENT, rng).follows
    assert alterations.delete(words, LENT, rng).follows and not alterations.delete(["not"], LENT, rng).follows


def test_several_alterations_add_up(rng: np.random.Generator) -> None:
    words = words_of("The inn is cheap and has 3 rooms near York and Ely, in the middle of the town.")
    assert max(one.taken + one.added + one.moved for one in [alter(words, LENT, rng, 3) for _ in range(100)]) > 5
    assert alter(words, LENT, rng, 0).words == words


@pytest.mark.parametrize(("mr", "text"), [
    ("inform_only_match(name='the inn',price_range=cheap,near)",
     "inform only match: name = the inn; price range = cheap; near"),
    ("name[the inn], familyFriendly[no]", "inform: name = the inn; familyfriendly = no"),
    ("The_Inn | priceRange | cheap", "inform: The Inn price range = cheap"),
])  # fmt: skip
def test_every_notation_is_read_the_same_way(mr: str, text: str) -> None:
    assert meaning_as_text(parse_meaning(mr)) == text
