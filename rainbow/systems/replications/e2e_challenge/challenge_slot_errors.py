"""Slot errors as counted by the script of the E2E NLG Challenge, and the wordings that it knows.

The wordings were found by giving the script texts and looking at what it counted: sequences of up to four words of the
systems' outputs, and words in frames such as `... price` and `price range is ...`. It knew fewer than people use
(:mod:`rainbow.meaning.domains.e2e_wordings`): not `highly priced`, nor a rating that is `good`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from functools import cache

from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.domains.e2e_realisation import is_e2e
from rainbow.meaning.domains.e2e_wordings import FAMILY_FRIENDLY, NAMES
from rainbow.meaning.realisation import ValueInventory
from rainbow.meaning.slot_values import Realisation, State
from rainbow.systems.slot_errors import read_output


def read_challenge_output(meaning: MeaningRepresentation, output: str, inventory: ValueInventory) -> Realisation:
    """Return what an output realises, as in the printed table 12."""
    return challenge_realisation(output, meaning) if is_e2e(meaning) else read_output(meaning, output, inventory)


def challenge_realisation(text: str, meaning: MeaningRepresentation) -> Realisation:
    """Return what a text realises of a meaning representation, as the challenge's script does.

    Source: Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural
    language generation: the E2E NLG challenge. Computer Speech & Language 59. Table 12. The script is an early version
    of the `slot_error.py` of Dušek, O., Howcroft, D. and Rieser, V. (2019). Semantic noise matters for neural natural
    language generation. INLG.
    """
    asked = [(slot.name, slot.value.lower()) for slot in meaning.slots]
    said = Counter(challenge_values(text, set(asked)))
    times = {pair: count if pair == (FAMILY_FRIENDLY, "no") else 1 for pair, count in said.items()}
    others: Counter[str] = Counter()
    for (attribute, value), count in times.items():
        others[attribute] += 0 if (attribute, value) in asked else count
    states: list[State] = []
    repeated = 0
    for attribute, value in asked:
        if (attribute, value) in times:
            states.append("realised")
            repeated += times[attribute, value] - 1
        elif others[attribute]:
            states.append("wrong")
            others[attribute] -= 1
        else:
            states.append("missing")
    return Realisation(tuple(states), repeated, others.total())


_JOINT = "[ -]+"  # two words, or one with a hyphen
_RATED = "(?:rat(?:ings?|ed)|reviews?|standard|quality)"
_RATED_AS = rf"(?:{_RATED}|rates?)(?: \w+){{0,2}}(?: as)?"
_PERSON = "(?:family|child(?:ren)?|kids?)"
_FRIENDLY = f"{_PERSON}{_JOINT}(?:friendly|orient(?:at)?ed)"
_PEOPLE = "(?:famil(?:y|ies)|children|kids)"
_ANYONE = "(?:famil(?:y|ies)|child(?:ren)?|kids?)"
_ADMIT = "(?:welcome|allow)"


def _price_pattern(adjective: str) -> str:
    return rf"{adjective}{_JOINT}price[sd]?|prices?(?: range)?(?: \w+){{0,3}} {adjective}"


def _rating_pattern(number: str, adjective: str, *only_before: str) -> str:
    before = rf"(?:{'|'.join((adjective, *only_before))})(?:ly)?(?:{_JOINT}\w+){{0,2}}{_JOINT}{_RATED}"
    return rf"{number}(?:(?: out)? of (?:5|five)|{_JOINT}stars?)|{before}|{_RATED_AS} {adjective}"


# For each attribute: values, separated by bars, and the wordings of each. A wording of several values counts as the
# requested one, else as the first.
_WORDINGS = {
    "area": {
        "riverside": "riverside|(?:near|by|at|on|along|beside|off|close to) the river",
        "city centre": "(?:city|town) cent(?:re|er)|cent(?:re|er) of (?:the )?(?:city|town)|in the cent(?:re|er)",
    },
    "eattype": {"pub": "pub", "coffee shop": "coffee(?: shop)?|caf[eé]", "restaurant": "restaurant"},
    "food": {
        "chinese": "chinese?",
        "english": "english|british",
        "fast food": "fast food",
        "french": "french",
        "indian": "indian",
        "italian": "italian",
        "japanese": "japanese",
    },
    "pricerange": {
        "£20-25": "£? ?20[ –-]*(?:to )?25",
        "£20-25|moderate": _price_pattern("(?:(?:average|moderate)(?:ly)?|reasonable|ok)"),
        "£20-25|moderate|less than £20|cheap": "affordable",
        "moderate": f"mid{_JOINT}range{_JOINT}price[sd]?",
        "less than £20": f"(?:less than|under) £? ?20|moderately{_JOINT}priced",
        "less than £20|cheap": f"cheap(?:ly)?|inexpensive(?:ly)?|affordably|{_price_pattern('low')}",
        "more than £30": "(?:more than|over) £? ?30",
        "more than £30|high": f"expensive|{_price_pattern('high')}",
    },
    "customer rating": {
        "low|1 out of 5": _rating_pattern("(?:1|one)", "(?:low|bad|poor)"),
        "average|3 out of 5": _rating_pattern("(?:3|three)", "average"),
        "high|5 out of 5": _rating_pattern("(?:5|five)", "high", "great", "excellent"),
    },
    FAMILY_FRIENDLY: {
        "yes": rf"{_FRIENDLY}|family place|for {_PEOPLE}|{_ANYONE} (?:is|are) {_ADMIT}(?:ed)?"
        rf"|{_ADMIT}s? (?:\w+ )?{_ANYONE}",
        "no": rf"(?:not?|non|isn't)-?(?: \w+){{0,2}}{_JOINT}{_FRIENDLY}|{_PERSON}{_JOINT}unfriendly"
        rf"|adults?{_JOINT}only|adult (?:place|venue|establishment)"
        rf"|not? (?:(?:(?:friendly|good|orient(?:at)?ed|suitable|open(?:ed)?) )?(?:for|to|at|with) )?{_PEOPLE}"
        rf"|{_ANYONE} (?:is not|are not|isn't|aren't) {_ADMIT}(?:ed)?"
        rf"|(?:does not|doesn't) {_ADMIT} (?:\w+ )?{_ANYONE}",
    },
}


def challenge_values(text: str, requested: Container[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the attributes and values that the script finds in a text, in order."""
    result: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for says, expression in _value_patterns():
        for match in expression.finditer(text):
            result.setdefault(match.span(), []).extend(says)
    for attribute, expression in _name_patterns().items():
        for match in expression.finditer(text):
            result.setdefault(match.span(), []).append((attribute, match[0].lower()))
    candidates = [result[span] for span in _outermost_spans(result)]
    return [next((one for one in several if one in requested), several[0]) for several in candidates]


def _outermost_spans(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Return the spans that do not lie within others, in order."""
    furthest = 0
    for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
        if stop > furthest:
            furthest = stop
            yield start, stop


@cache
def _value_patterns() -> list[tuple[list[tuple[str, str]], re.Pattern[str]]]:
    return [
        ([(attribute, value) for value in values.split("|")], _word_pattern(wording))
        for attribute, wordings in _WORDINGS.items()
        for values, wording in wordings.items()
    ]


@cache
def _name_patterns() -> dict[str, re.Pattern[str]]:
    return {attribute: _word_pattern("|".join(map(re.escape, names))) for attribute, names in NAMES.items()}


def _word_pattern(wording: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{wording})(?!\w)", re.IGNORECASE)
