"""Texts that say wrong values, or the right ones in each other's place."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

from rainbow.audit.audit_rows import Row, rotate_randomly, value_alternatives
from rainbow.audit.spans import Edit, Value, apply_edits, mentioned_values
from rainbow.meaning import MeaningRepresentation
from rainbow.programs.wordnet import wordnet_distance
from rainbow.text.words.mentions import phrase_key


def replace_value(row: Row, rng: Random) -> str | None:
    """Return the text with one slot value replaced everywhere; None if no value can be replaced."""
    if row.meaning is None:
        return None
    values = [
        value for value in mentioned_values(row.output, row.meaning) if len({slot.name for slot in value.slots}) == 1
    ]
    rng.shuffle(values)
    for value in values:
        if other := _other_value(row, row.meaning, value, rng):
            spellings = {place: phrase_key(row.output[slice(*place)]) for place in value.places}
            plural = f"{value.key}s"
            return apply_edits(
                row.output, [Edit(place, other + "s" * (spellings[place] == plural)) for place in spellings]
            )
    return None


def _other_value(row: Row, meaning: MeaningRepresentation, value: Value, rng: Random) -> str | None:
    """Return another value of the slot in the dataset; None if there is none."""
    known = list(row.surroundings.values.get(value.slots[0].name, {}).values())
    own = {alternative for slot in meaning.slots for alternative in value_alternatives(slot.value)}
    own_words = [alternative for slot in value.slots for alternative in value_alternatives(slot.value)]
    for other in rotate_randomly(known, rng):
        alternatives = value_alternatives(other)
        synonyms = (wordnet_distance(*pair) == 0 for pair in product(alternatives, own_words))
        if alternatives.isdisjoint(own) and not any(synonyms) and not mentioned_values(other, meaning):
            return other
    return None


def swap_values(row: Row, rng: Random) -> str | None:
    """Return the text with the values of two slots swapped; None if it mentions fewer than two."""
    if row.meaning is None:
        return None
    values = mentioned_values(row.output, row.meaning)
    pairs = [pair for pair in combinations(values, 2) if _have_different_slots(*pair)]
    if not pairs:
        return None
    one, other = (rng.choice(value.places) for value in rng.choice(pairs))
    return apply_edits(row.output, [Edit(one, row.output[slice(*other)]), Edit(other, row.output[slice(*one)])])


def _have_different_slots(one: Value, other: Value) -> bool:
    return {slot.name for slot in one.slots}.isdisjoint(slot.name for slot in other.slots)
