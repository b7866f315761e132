"""What the script of the E2E NLG Challenge made of texts: its printed figures show which wordings it did not know."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rainbow.meaning import MeaningRepresentation
from rainbow.text.e2e_wordings import FAMILY_FRIENDLY

__all__ = ["as_the_challenge_read_it", "counted_twice"]

_FAMILY = r"(?:family|kids?|child(?:ren)?)"

# The script is not public with these tables. What follows was inferred: systems whose printed rates are off by the
# number of times that they say it. It does not explain all rates.
_UNKNOWN = re.compile(r"\b(?:mid|highly)[- ]priced\b|\bhigh[- ]rated\b", re.IGNORECASE)
# Read as a denial and as an affirmation; written with a hyphen, as a denial only.
_NON_FRIENDLY = re.compile(rf"\bnon (?={_FAMILY}[- ]friendly)", re.IGNORECASE)
# Wordings that the script took for another value than the one asked for.
_ANOTHER_VALUE = {
    ("pricerange", "more than £30"): re.compile(r"\bhigh price\b", re.IGNORECASE),
    ("pricerange", "cheap"): re.compile(r"\bless than £20\b", re.IGNORECASE),
    ("customer rating", "5 out of 5"): re.compile(r"\bhighly rated\b", re.IGNORECASE),
}


def as_the_challenge_read_it(text: str, meaning: MeaningRepresentation) -> str:
    """Give a text without the wordings that the challenge's script overlooked.

    Examples
    --------
    >>> from rainbow.meaning import parse
    >>> as_the_challenge_read_it("A mid-priced pub, non family-friendly.", parse("eatType[pub], familyFriendly[no]"))
    'A  pub, friendly to families, not family-friendly.'
    """
    text = _NON_FRIENDLY.sub("friendly to families, not ", _UNKNOWN.sub("", text))
    for slot in meaning.slots:
        if overlooked := _ANOTHER_VALUE.get((slot.name, slot.value)):
            text = overlooked.sub("", text)
    return text


def counted_twice(meaning: MeaningRepresentation, states: Sequence[str]) -> int:
    """Give how many wrong values the script took for two errors: one slot missing, another added.

    It did so with `familyFriendly`, as if yes and no were two slots: inferred from the rates, which then come out for
    the system that says the contrary most often among those whose wordings are all known.

    Examples
    --------
    >>> from rainbow.meaning import parse
    >>> counted_twice(parse("name[Zizzi], familyFriendly[no]"), ["realised", "wrong"])
    1
    """
    pairs = zip(meaning.slots, states, strict=True)
    return sum(slot.name == FAMILY_FRIENDLY and state == "wrong" for slot, state in pairs)
