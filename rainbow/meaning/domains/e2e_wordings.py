"""Wordings of the attributes of the E2E NLG Challenge.

Written from the challenge's development and test references. A wording may say several values ("cheap" is said of what
costs `less than £20`): those that the references use it for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from rainbow.text.words.mentions import find_negated, stem_word

FAMILY = frozenset(map(stem_word, ("family", "families", "kid", "child", "children")))
FAMILY_FRIENDLY = "familyfriendly"

# Texts are space-separated folded words and punctuation from rainbow.text.words.mentions.mention_words: without
# hyphens, apostrophes and pound signs.
_LOW_PRICE = r"(?:low(?:er|est)?|cheap(?:er|est|ly)?|small|reduced|bargain)"
_MIDDLE_PRICE = r"(?:averagely|average|moderate(?:ly)?|medium|mid(?:dle|dling)?|mid range|modest(?:ly)?)"
_HIGH_PRICE = r"(?:high(?:er|est|ly)?|premium|upper|top|steep)"
_LOW_RATING = (
    r"(?:low(?:er|est|ly)?|poor(?:ly)?|bad(?:ly)?|terribl[ey]|negative(?:ly)?"
    r"|not (?:very |so )?(?:good|well|highly|high))"
)
_MIDDLE_RATING = r"(?:averagely|average|moderate(?:ly)?|medium|mid(?:dle|dling)?|mediocre|decent(?:ly)?|mixed)"
_HIGH_RATING = (
    r"(?<!not )(?<!not very )(?<!not so )"
    r"(?:high(?:er|est|ly)?|excellent(?:ly)?|great|good|well|top|best|outstanding|perfect|positive(?:ly)?|fantastic)"
)
_PRICE = r"(?:pric\w+|cost\w*|ranges?)"
_RATING = (
    r"(?:rat(?:ed?s?|ings?)|review(?:s|ed)?|scor(?:es?|ed)|rank(?:ing|ings|ed)|regarded|recommended|stars?|feedback)"
)
# Words allowed between "the price" and "high", or "rated" and "low".
_TO_PRICE = r"(?: (?:is|are|being|of|in|the|its|at|quite|very|fairly|rather|range|ranges|ranging|from|considered|for))"
_TO_RATING = (
    r"(?: (?:is|are|being|of|in|the|its|at|quite|very|fairly|rather|a|an|as|by|been|it|this|was|received|\|"
    r"|customers?))"
)
_NOT_RATING = r"(?! (?:in )?(?:customer|consumer|rat|review|quality|star))"
_NOT_PRICE = r"(?! (?:in )?(?:pric|cost|range))"


def _price_wording(adjective: str) -> str:
    before = rf"\b{adjective}(?: (?:end|food|meal))? {_PRICE}\b"
    return rf"{before}|(?<!rating )\b{_PRICE}{_TO_PRICE}{{0,4}} {adjective}\b{_NOT_RATING}"


def _rating_wording(adjective: str, number: str) -> str:
    before = rf"\b{adjective}(?: (?:customer|consumer|quality|overall|public)){{0,2}} {_RATING}\b"
    after = rf"\b{_RATING}{_TO_RATING}{{0,4}} {adjective}\b{_NOT_PRICE}"
    of_five = rf"\b{number}(?: (?:stars?|points?))?(?: (?:out|of|from)){{1,2}} (?:5|five)\b|(?<!of )\b{number} 5\b"
    stars = rf"(?<!of )\b{number}(?: a)? stars?\b|\brat\w+{_TO_RATING}{{0,3}} {number}\b(?! (?:out|of|stars?|5|five|0))"
    return rf"{of_five}|{stars}|{before}|{after}"


_LESS = r"\b(?:less|lower|cheaper|under|below|up to|within|no more)(?: tha?e?n)?(?: of)? (?:20|twenty)\b"
_MORE = (
    r"\b(?:more|over|above|greater|higher|upwards|excess|from|at least|starts? at)(?: tha?e?n)?(?: of)? (?:30|thirty)\b"
)
_BETWEEN = r"\b(?:20|twenty)(?: (?:to|and|or|pounds)){0,2} (?:25|twenty five)\b"


class Wording(NamedTuple):
    """Values, and a regular expression that matches any of them."""

    values: frozenset[str]
    expression: str


def _wording(values: str, expression: str) -> Wording:
    return Wording(frozenset(values.split("|")), expression)


_WORDINGS: dict[str, tuple[Wording, ...]] = {
    "area": (
        _wording("riverside", r"\briver(?:side|bank|front)?\b(?: side| bank)?"),
        _wording(
            "city centre",
            r"\b(?:city|town|central)(?: the)? ?cent(?:re|er)s?\b|\bcent(?:re|er) of (?:the )?(?:city|town)(?! cent)\b"
            r"|\bcent(?:re|er|ral)\b|\bdowntown\b|\bheart of (?:the )?(?:city|town)\b",
        ),
    ),
    "eattype": (
        _wording("pub", r"\bpubs?\b"),
        _wording("coffee shop", r"\bcoffee ?(?:shops?|houses?|bars?|places?)\b|\bcafes?\b"),
        _wording("restaurant", r"\brestaurants?\b"),
    ),
    "food": (
        _wording("chinese", r"\bchinese\b"),
        _wording("english", r"\b(?:english|british)\b(?! pounds?)"),
        _wording("fast food", r"\bfast ?foods?\b"),
        _wording("french", r"\bfrench\b"),
        _wording("indian", r"\bindian\b"),
        _wording("italian", r"\bitalian\b|\bpastas?\b|\bpizzas?\b"),
        _wording("japanese", r"\bjapanese\b|\bsushi\b"),
    ),
    "pricerange": (
        _wording(
            "cheap|less than 20",
            r"\b(?:cheap(?:ly|er|est)?|inexpensive(?:ly)?|affordabl[ey]|low ?cost|budget)\b"
            rf"|\bnot (?:very |too )?expensive\b|{_LESS}|{_price_wording(_LOW_PRICE)}",
        ),
        _wording("moderate|20 25", rf"{_BETWEEN}|{_price_wording(_MIDDLE_PRICE)}"),
        _wording(
            "high|more than 30",
            rf"{_MORE}|(?<!not )(?<!not very )(?<!not too )\bexpensive(?:ly)?\b|\bpric(?:e)?y\b|\bcostly\b|\bupscale\b"
            rf"|\bhigh end\b|{_price_wording(_HIGH_PRICE)}",
        ),
    ),
    "customer rating": (
        _wording("low|1 out of 5", _rating_wording(_LOW_RATING, "(?:1|one)")),
        _wording("average|3 out of 5", _rating_wording(_MIDDLE_RATING, "(?:3|three)")),
        _wording("high|5 out of 5", _rating_wording(_HIGH_RATING, "(?:5|five)")),
    ),
}
# Families are found by FAMILY, not by an expression.
_FAMILIES = (Wording(frozenset({"yes"}), ""), Wording(frozenset({"no"}), ""))
ADULTS = r"\badults?\b|\b(?:family|child|children|kids?) ?free\b|\b(?:family|child|children|kids?) unfriendly\b"

# The places that the challenge's meaning representations name.
_PLACES = (
    "Alimentum|Aromi|Bibimbap House|Blue Spice|Browns Cambridge|Clowns|Cocum|Cotto|Fitzbillies|Giraffe|Green Man"
    "|Loch Fyne|Midsummer House|Strada|Taste of Cambridge|The Cambridge Blue|The Cricketers|The Eagle"
    "|The Golden Palace|The Mill|The Phoenix|The Plough|The Punter|The Vaults|The Waterman|The Wrestlers"
    "|Travellers Rest Beefeater|Wildwood|Zizzi"
)
_LANDMARKS = (
    "All Bar One|Avalon|Burger King|Café Brazil|Café Rouge|Café Sicilia|Clare Hall|Crowne Plaza Hotel"
    "|Express by Holiday Inn|Rainbow Vegetarian Café|Raja Indian Cuisine|Ranch|The Bakers|The Portland Arms"
    "|The Rice Boat|The Sorrento"
)
NAMES = {"name": tuple(_PLACES.split("|")), "near": tuple(_LANDMARKS.split("|"))}

ATTRIBUTES = frozenset({*NAMES, FAMILY_FRIENDLY, *_WORDINGS})
# The values of the attributes that are not names.
VALUES = {
    FAMILY_FRIENDLY: frozenset({"yes", "no"}),
    **{name: frozenset().union(*(wording.values for wording in found)) for name, found in _WORDINGS.items()},
}


def mentioned_values(attribute: str, tokens: Sequence[str]) -> list[frozenset[str]]:
    """Return, for each mention of an attribute, the values that its words may mean."""
    text = " ".join(tokens)
    if attribute == FAMILY_FRIENDLY:
        return _family_mentions(tokens, text)
    return [
        _WORDINGS[attribute][int((match.lastgroup or "_0")[1:])].values
        for match in _attribute_pattern(attribute).finditer(text)
    ]


def attribute_wordings(attribute: str) -> tuple[Wording, ...]:
    """Return the wordings of an attribute; family friendliness and names have none."""
    return _FAMILIES if attribute == FAMILY_FRIENDLY else _WORDINGS.get(attribute, ())


@cache
def _attribute_pattern(attribute: str) -> re.Pattern[str]:
    """Compile one expression for all values of an attribute; group _k is wording k."""
    return re.compile(
        "|".join(f"(?P<_{place}>{wording.expression})" for place, wording in enumerate(_WORDINGS[attribute]))
    )


def _family_mentions(tokens: Sequence[str], text: str) -> list[frozenset[str]]:
    """Return `yes` or `no` for each affirmed or negated mention of families or children."""
    if re.search(ADULTS, text):
        return [frozenset({"no"})]
    return [frozenset({"no" if denied else "yes"}) for denied in find_negated(tokens, FAMILY)]
