"""What the challenge's script counted in these texts: an early version of slot_error.py, run under Python 2.7."""

import pytest

from rainbow.meaning import parse_meaning
from rainbow.systems.replications.e2e_challenge.challenge_slot_errors import challenge_realisation


def errors(mr: str, text: str) -> tuple[int, int, int, int]:
    """Return how many slots are missing, wrong, repeated and added."""
    states, repeated, invented = challenge_realisation(text, parse_meaning(mr))
    return states.count("missing"), states.count("wrong"), repeated, invented


@pytest.mark.parametrize(("mr", "text", "expected"), [
    # Prices.
    ("priceRange[high]", "high price", (0, 0, 0, 0)),
    ("priceRange[high]", "highly priced", (1, 0, 0, 0)),
    ("priceRange[high]", "price range for you is high", (0, 0, 0, 0)),
    ("priceRange[high]", "price, high", (1, 0, 0, 0)),
    ("priceRange[high]", "cheap food", (0, 1, 0, 0)),
    ("priceRange[high]", "cheap food and moderate price", (0, 1, 0, 1)),
    ("priceRange[high]", "cheap food and affordable", (0, 1, 0, 1)),
    ("priceRange[high]", "high price food and more than £30", (0, 0, 0, 1)),
    ("priceRange[high]", "high price food and expensive", (0, 0, 0, 0)),
    ("priceRange[high]", "high prices, moderately priced, £20-25", (0, 0, 0, 1)),
    # Ratings.
    ("customer rating[5 out of 5]", "high foo foo rating", (0, 0, 0, 0)),
    ("customer rating[5 out of 5]", "high foo foo foo rating", (1, 0, 0, 0)),
    ("customer rating[5 out of 5]", "rating is high", (0, 0, 0, 0)),
    ("customer rating[5 out of 5]", "rated highly", (1, 0, 0, 0)),
    ("customer rating[5 out of 5]", "great reviews", (0, 0, 0, 0)),
    ("customer rating[5 out of 5]", "reviews are great", (1, 0, 0, 0)),
    ("customer rating[5 out of 5]", "a 5-star place", (0, 0, 0, 0)),
    ("customer rating[5 out of 5]", "rate Blue Spice as high", (0, 0, 0, 0)),
    ("customer rating[5 out of 5]", "low high rating", (0, 1, 0, 0)),
    ("customer rating[5 out of 5]", "high rating, 1 out of 5", (0, 0, 0, 1)),
    # Families.
    ("familyFriendly[no]", "non family-friendly", (0, 0, 0, 0)),
    ("familyFriendly[no]", "not foo foo child friendly", (0, 0, 0, 0)),
    ("familyFriendly[no]", "not suitable for kids", (0, 0, 0, 0)),
    ("familyFriendly[no]", "not recommended for kids", (0, 1, 0, 0)),
    ("familyFriendly[no]", "child-free", (1, 0, 0, 0)),
    ("familyFriendly[no]", "adults only", (0, 0, 0, 0)),
    ("familyFriendly[no]", "family friendly, not kid friendly", (0, 0, 0, 1)),
    ("familyFriendly[no]", "not family friendly, not kid friendly", (0, 0, 1, 0)),
    ("familyFriendly[no]", "kid friendly and family friendly", (0, 1, 0, 0)),
    ("familyFriendly[yes]", "not family friendly, no children", (0, 1, 0, 1)),  # denied twice: two errors
    # Names, and what was not asked for.
    ("name[The Eagle], near[Burger King]", "the eagle near Burger King", (0, 0, 0, 0)),
    ("name[The Eagle], near[Burger King]", "Eagle near Burger King", (1, 0, 0, 0)),
    ("name[The Eagle], near[Burger King]", "The Mill near Avalon", (0, 2, 0, 0)),
    ("name[The Eagle], near[Burger King]", "The Eagle The Eagle, Burger King and Burger King", (0, 0, 0, 0)),
    ("name[The Eagle], near[Burger King]", "The Eagle near The Mill", (1, 0, 0, 1)),
    ("name[The Eagle], near[Burger King]", "The Eagle near Burger King and Café Rouge, coffee, a pub", (0, 0, 0, 3)),
])  # fmt: skip
def test_slots_are_counted_as_the_script_counted_them(mr: str, text: str, expected: tuple[int, int, int, int]) -> None:
    assert errors(mr, text) == expected
