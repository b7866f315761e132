"""Slot realisation for the E2E NLG Challenge."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rainbow.base.native import compiled
from rainbow.meaning import MeaningRepresentation, Slot
from rainbow.meaning.domains import Domain
from rainbow.meaning.domains.e2e_wordings import (
    ADULTS,
    ATTRIBUTES,
    FAMILY,
    NAMES,
    VALUES,
    attribute_wordings,
    mentioned_values,
)
from rainbow.meaning.slot_values import Realisation, State
from rainbow.text.words.mentions import find_mentions, mask_mentions, mention_words, phrase_key

TELLING = frozenset({"eattype", "familyfriendly", "customer rating"})
# A text may well say twice what it speaks of.
REPEATABLE = frozenset({"name", "eattype"})
# Generic names of any place.
GENERIC = frozenset({"restaurant"})
# The number of each attribute in the kernels: names come first.
PLACES = {name: place for place, name in enumerate((*NAMES, *VALUES))}


def is_e2e(meaning: MeaningRepresentation) -> bool:
    """Return whether a meaning representation has only E2E attributes and a distinctive one."""
    names = {slot.name for slot in meaning.slots}
    quoted = any(slot.quoted for slot in meaning.slots)
    return meaning.act == "inform" and not quoted and names <= ATTRIBUTES and bool(names & TELLING)


def e2e_realisation(meaning: MeaningRepresentation, tokens: Sequence[str]) -> Realisation:
    """Return how a text realises each attribute, and what else it mentions."""
    attributes = _known_names() | _own_names(meaning)
    results = list(find_mentions(tokens, attributes))
    names = [(attributes[mention.phrase], mention.phrase) for mention in results]
    rest = mask_mentions(tokens, results)
    states: list[State] = []
    repeated = invented = 0
    for slot in meaning.slots:
        right, other = _count_names(slot, names) if slot.name in NAMES else _count_wordings(slot, rest)
        states.append("realised" if right else "wrong" if other else "missing")
        repeated += right > 1 and slot.name not in REPEATABLE
        invented += bool(right and other)
    asked = {slot.name for slot in meaning.slots}
    invented += sum(bool(mentioned_values(attribute, rest)) for attribute in VALUES if attribute not in asked)
    invented += len({attribute for attribute, _ in names} - asked)
    return Realisation(tuple(states), repeated, invented)


def _name_phrases(name: str) -> set[str]:
    """Return a name with and without its article."""
    return {phrase_key(name), phrase_key(name.removeprefix("The "))}


@cache
def _known_names() -> dict[str, str]:
    """Return the attribute of every name in the challenge."""
    return {phrase: attribute for attribute, names in NAMES.items() for name in names for phrase in _name_phrases(name)}


def _own_names(meaning: MeaningRepresentation) -> dict[str, str]:
    return {phrase: slot.name for slot in meaning.slots if slot.name in NAMES for phrase in _name_phrases(slot.value)}


def _count_names(slot: Slot, names: Sequence[tuple[str, str]]) -> tuple[int, int]:
    """Count mentions of the slot's name and of other names of its kind."""
    own = _name_phrases(slot.value)
    mentioned = [phrase in own for attribute, phrase in names if attribute == slot.name]
    return mentioned.count(True), mentioned.count(False)


def _count_wordings(slot: Slot, rest: Sequence[str]) -> tuple[int, int]:
    """Count mentions of the slot with its value and with other values."""
    value = " ".join(mention_words(slot.value))
    mentioned = mentioned_values(slot.name, rest)
    right = sum(value in values for values in mentioned)
    other = sum(value not in values and not (right and values <= GENERIC) for values in mentioned)
    return right, other


def _compile_meaning(meaning: MeaningRepresentation) -> compiled.Asked:
    """Return a meaning representation for the compiled kernels."""
    names = {phrase: PLACES[attribute] for phrase, attribute in _own_names(meaning).items()}
    return _compiled_domain().asked(names, [_compile_slot(slot) for slot in meaning.slots])


def _compile_slot(slot: Slot) -> tuple[int, set[str], int, int, bool]:
    """Return a slot for the compiled kernels."""
    own = _name_phrases(slot.value) if slot.name in NAMES else set()
    value = " ".join(mention_words(slot.value))
    values = [wording.values for wording in attribute_wordings(slot.name)]
    right = sum((value in mentioned) << place for place, mentioned in enumerate(values))
    harmless = sum((mentioned <= GENERIC) << place for place, mentioned in enumerate(values))
    return PLACES[slot.name], own, right, harmless, slot.name in REPEATABLE


@cache
def _compiled_domain() -> compiled.WordedDomain:
    return compiled.WordedDomain(
        {phrase: PLACES[attribute] for phrase, attribute in _known_names().items()},
        len(NAMES),
        [[wording.expression for wording in attribute_wordings(name) if wording.expression] for name in VALUES],
        FAMILY,
        ADULTS,
    )


DOMAIN = Domain(owns=is_e2e, realisation=e2e_realisation, prepared=_compile_meaning)
