"""What the challenge's script counted in these texts: an early version of slot_error.py, run under Python 2.7."""

import pytest

from rainbow.meaning import parse_meaning
from rainbow.systems.replications.e2e_challenge.challenge_slot_errors import challenge_realisation


def errors(mr: str, text: str) -> tuple[int, int, int, int]:
    """Return how many slots are missing, wrong, repeated and added."""
    states, repeated, invented = challenge_realisation(text, parse_meaning(mr))
    return states.count("missing"), states.count("wrong"), repeated, invented


@pytest.mark.parametrize(("text", "expected"), [
    ("high price", (0, 0, 0, 0)),
    ("highly priced", (1, 0, 0, 0)),
    ("price range for you is high", (0, 0, 0, 0)),
    ("price, high", (1, 0, 0, 0)),
    ("cheap food", (0, 1, 0, 0)),
    ("cheap food and moderate price", (0, 1, 0, 1)),
    ("cheap food and affordable", (0, 1, 0, 1)),
    ("high price food and more than £30", (0, 0, 0, 1)),
    ("high price food and expensive", (0, 0, 0, 0)),
    ("high prices, moderately priced, £20-25", (0, 0, 0, 1)),
])  # fmt: skip
def test_prices(text: str, expected: tuple[int, int, int, int]) -> None:
    assert errors("priceRange[high]", text) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("high foo foo rating", (0, 0, 0, 0)),
    ("high foo foo foo rating", (1, 0, 0, 0)),
    ("rating is high", (0, 0, 0, 0)),
    ("rated highly", (1, 0, 0, 0)),
    ("great reviews", (0, 0, 0, 0)),
    ("reviews are great", (1, 0, 0, 0)),
    ("a 5-star place", (0, 0, 0, 0)),
    ("rate Blue Spice as high", (0, 0, 0, 0)),
    ("low high rating", (0, 1, 0, 0)),
    ("high rating, 1 out of 5", (0, 0, 0, 1)),
])  # fmt: skip
def test_ratings(text: str, expected: tuple[int, int, int, int]) -> None:
    assert errors("customer rating[5 out of 5]", text) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("non family-friendly", (0, 0, 0, 0)),
    ("not foo foo child friendly", (0, 0, 0, 0)),
    ("not suitable for kids", (0, 0, 0, 0)),
    ("not recommended for kids", (0, 1, 0, 0)),
    ("child-free", (1, 0, 0, 0)),
    ("adults only", (0, 0, 0, 0)),
    ("family friendly, not kid friendly", (0, 0, 0, 1)),
    ("not family friendly, not kid friendly", (0, 0, 1, 0)),
    ("kid friendly and family friendly", (0, 1, 0, 0)),
])  # fmt: skip
def test_families(text: str, expected: tuple[int, int, int, int]) -> None:
    assert errors("familyFriendly[no]", text) == expected


def test_denying_a_friendly_place_twice_is_two_errors() -> None:
    assert errors("familyFriendly[yes]", "not family friendly, no children") == (0, 1, 0, 1)


@pytest.mark.parametrize(("text", "expected"), [
    ("the eagle near Burger King", (0, 0, 0, 0)),
    ("Eagle near Burger King", (1, 0, 0, 0)),
    ("The Mill near Avalon", (0, 2, 0, 0)),
    ("The Eagle The Eagle, Burger King and Burger King", (0, 0, 0, 0)),
    ("The Eagle near The Mill", (1, 0, 0, 1)),
    ("The Eagle near Burger King and Café Rouge, coffee, a pub", (0, 0, 0, 3)),
])  # fmt: skip
def test_names_and_what_was_not_asked_for(text: str, expected: tuple[int, int, int, int]) -> None:
    assert errors("name[The Eagle], near[Burger King]", text) == expected
