"""Distances between words in the WordNet that METEOR carries."""

import pytest

from rainbow.programs.wordnet import wordnet_distance


@pytest.mark.parametrize(
    ("word", "other", "distance"),
    [
        ("phone", "telephone", 0),
        ("kids", "children", 0),  # a plural in s, an irregular one
        ("eateries", "restaurant", 0),
        ("allowing", "permits", 0),
        ("hotel", "inn", 1),  # an inn is a hotel
        ("hotel", "dog", None),
        ("run", "take", None),  # too many senses to look at neighbours
        ("zizzi", "hotel", None),
        ("", "", None),
    ],
)
def test_synonyms_are_at_0_neighbours_at_1_others_nowhere(word: str, other: str, distance: int | None) -> None:
    assert wordnet_distance(word, other) == wordnet_distance(other, word) == distance
