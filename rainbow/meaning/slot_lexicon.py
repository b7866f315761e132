"""English wordings of slot topics and values: synonyms, negation, indifference.

Words of the language at large; how one dataset words its slots stands in :mod:`rainbow.meaning.domains`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from rainbow.base.caching import cache_by_size
from rainbow.text.words.mentions import NEGATIONS, Phrases, find_mentions, mention_words, phrase_key, stem_word

# Words of a slot's name that say how it is asked, not what it is about (`dogs_allowed`, `good_for_meal`).
ABOUT_NOTHING = frozenset(
    ["a", "accepts", "allowed", "allows", "available", "for", "good", "has", "have", "is", "of", "the", "with"]
)
# Topic words of slots whose names contain one of these parts ("wi" is half of Wi-Fi).
TOPICS = {
    ("child", "famil", "kid"): ("child", "children", "family", "kid", "kids"),
    ("dog", "pet"): ("animal", "dog", "pet"),
    ("internet", "wifi"): ("internet", "online", "wi", "wifi", "wireless"),
    ("area", "location"): (
        "area", "district", "located", "location", "neighborhood", "neighbourhood", "part", "region", "town", "where",
    ),
    ("near",): ("around", "close", "closest", "landmark", "located", "location", "near", "nearby", "vicinity", "where"),
    ("price",): ("budget", "cheap", "cost", "expensive", "inexpensive", "pay", "price", "pricey", "spend"),
    ("cuisine", "food"): ("cuisine", "dish", "eat", "food"),
    ("meal",): ("breakfast", "brunch", "dinner", "lunch", "meal"),
}  # fmt: skip
# Values that mean the same, whole or as a word of a longer value.
SAME = (
    ("affordable", "budget", "cheap", "inexpensive", "low cost", "low price", "low priced", "lower price"),
    ("medium price", "medium priced", "mid price", "mid priced", "mid range", "moderate", "reasonable", "average"),
    ("costly", "expensive", "fine dining", "high end", "high price", "high priced", "higher price", "pricey",
     "upmarket", "upscale"),
    ("accommodation", "hotel", "lodging", "place to stay", "places to stay"),
    ("bistro", "diner", "dining place", "eatery", "place to dine", "place to eat", "places to eat", "restaurant"),
    ("cafe", "coffee bar", "coffee house", "coffee shop"),
    ("take away", "take out", "to go"),
)  # fmt: skip
# Implicit negations, rewritten with an explicit one.
DENIALS = {
    ("adults", "only"): ("no", "children"),
    ("child", "free"): ("no", "children"),
    ("kid", "free"): ("no", "children"),
    ("cash", "only"): ("no", "cards"),
}
INDIFFERENT = frozenset(
    map(stem_word, ["all", "any", "anything", "anywhere", "care", "concern", "every", "flexible", "important",
               "irrespective", "issue", "matter", "mind", "preference", "problem", "regardless", "relevant",
               "specific", "variety", "various", "whatever", "whether", "whichever"])
)  # fmt: skip
UNKNOWN = frozenset(["unavailable", "unknown", "unspecified"])
# "Apart from the Grand, no inn allows dogs" says that the Grand does.
EXCEPTIONS = frozenset(["apart", "besides", "except"])
SENTENCE_ENDS = frozenset(".;!?")


class Wordings(NamedTuple):
    """Other wordings of a value or one of its words: stems and phrases."""

    stems: frozenset[str]
    phrases: Phrases

    def count_mentions(self, tokens: Sequence[str], stems: Counter[str]) -> int:
        """Count mentions in a text, given as words and their stems."""
        return sum(stems[own] for own in self.stems) + sum(1 for _ in find_mentions(tokens, self.phrases))


@cache_by_size(1 << 18)
def topic_stems(slot_name: str) -> frozenset[str]:
    """Return the stems of the words for the topic of a slot."""
    parts = [word for word in mention_words(slot_name) if word.isalnum()]
    own = frozenset(stem_word(word) for word in parts if word not in ABOUT_NOTHING) or frozenset(map(stem_word, parts))
    name = phrase_key(slot_name)
    return own.union(*(map(stem_word, topic) for hints, topic in TOPICS.items() if any(hint in name for hint in hints)))


@cache
def all_wordings() -> dict[str, Wordings]:
    """Return what has other wordings: values without blanks, and the stems of words."""
    result: dict[str, Wordings] = {}
    for group in SAME:
        single = frozenset(stem_word(phrase) for phrase in group if " " not in phrase)
        wordings = Wordings(single, Phrases(phrase_key(phrase) for phrase in group if " " in phrase))
        result |= dict.fromkeys([*map(phrase_key, group), *single], wordings)
    return result


def normalise_negation(tokens: Sequence[str], act: str) -> list[str]:
    """Return a text with its negative wordings as plain negations."""
    denied = "no" in act.split("_")
    normalised: list[str] = []
    for position, word in enumerate(tokens):
        if word in SENTENCE_ENDS:
            denied = "no" in act.split("_")
        denied = denied or word in EXCEPTIONS
        if denied and word in NEGATIONS:
            denied = False
        elif plain := DENIALS.get((tokens[position - 1], word)) if position else None:
            normalised[-1:] = plain
        else:
            normalised.append(word)
    return normalised
