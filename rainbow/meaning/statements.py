"""Meaning representations in words: English sentences, one per slot, or all slots in one line."""

from __future__ import annotations

import re

from rainbow.meaning.representation import MeaningRepresentation, Slot
from rainbow.meaning.slot_values import DONT_CARE

# Sentences by what a slot's name begins with, once its words are joined; others have "The price of X is Y."
_TEMPLATES: dict[str, str | tuple[str, str]] = {
    "acceptscreditcards": ("{subject} accepts credit cards.", "{subject} does not accept credit cards."),
    "area": "{subject} is in the {value} area.",
    "customerrating": "{subject} has a customer rating of {value}.",
    "dogsallowed": ("Dogs are allowed at {subject}.", "Dogs are not allowed at {subject}."),
    "eattype": "{subject} is a {value}.",
    "familyfriendly": ("{subject} is family-friendly.", "{subject} is not family-friendly."),
    "food": "{subject} serves {value} food.",
    "goodformeal": "{subject} is good for {value}.",
    "hasinternet": ("{subject} has internet access.", "{subject} has no internet access."),
    "kidsallowed": ("Children are allowed at {subject}.", "Children are not allowed at {subject}."),
    "near": "{subject} is near {value}.",
    "pricerange": "The prices of {subject} are {value}.",
    "type": "{subject} is a {value}.",
}
_NAMED = "There is a place called {value}."
_YES, _NO = ("{subject} has this: {name}.", "{subject} does not have this: {name}.")
_OTHER = "The {name} of {subject} is {value}."
_NONE = "There is no {name}."
_ANY = "The {name} does not matter."
_ASKED = "The {name} is asked for."
_AFFIRMED, _DENIED = ("yes", "true"), ("no", "false")
_UNNAMED = "The place"


def slot_statements(meaning: MeaningRepresentation) -> tuple[str, ...]:
    """Return one sentence per slot, in order; triples state the relation of their subjects."""
    named = next((slot.value for slot in meaning.slots if slot.name == "name" and slot.literal), _UNNAMED)
    return tuple(_slot_statement(slot, named) for slot in meaning.slots)


def meaning_as_text(meaning: MeaningRepresentation) -> str:
    """Return all slots in one line, the same way for every notation: ``inform: price range = cheap; area = centre``."""
    act = f"{_name_words(meaning.act)}: " if meaning.act else ""
    return act + "; ".join(map(_slot_as_text, meaning.slots))


def _slot_as_text(slot: Slot) -> str:
    name = " ".join(filter(None, (_plain_text(slot.subject), _name_words(slot.name))))
    return f"{name} = {_plain_text(slot.value)}" if slot.value else name


def _slot_statement(slot: Slot, named: str) -> str:
    name, value, subject = _name_words(slot.name), _plain_text(slot.value), _plain_text(slot.subject or named)
    sentence: str = _slot_template(slot).format(name=name, value=value, subject=subject)
    return sentence[0].upper() + sentence[1:]


def _slot_template(slot: Slot) -> str:
    value = slot.value.lower()
    if slot.subject:
        return _OTHER
    if not value:
        return _ASKED
    if value in DONT_CARE:
        return _ANY
    if value == "none":
        return _NONE
    if slot.name == "name":
        return _NAMED
    known = _TEMPLATES.get(re.sub(r"[^a-z]", "", slot.name.lower()), _OTHER)
    if value in (*_AFFIRMED, *_DENIED):
        affirmed, denied = known if isinstance(known, tuple) else (_YES, _NO)
        return affirmed if value in _AFFIRMED else denied
    return known if isinstance(known, str) else _OTHER


def _name_words(name: str) -> str:
    """Split a slot name such as ``price_range`` or ``numberOfVisitors`` into words."""
    return re.sub(r"[\s_]+", " ", re.sub(r"(?<=[a-z\d])(?=[A-Z])", " ", name)).strip().lower()


def _plain_text(value: str) -> str:
    return value.replace("_", " ").strip()
