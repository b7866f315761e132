"""Texts that say wrong values, or the right ones in each other's place.

>>> from rainbow.audit.rows import rows_of
>>> from rainbow.corpus import Corpus
>>> mrs = ["inform(name='the inn',area=soma)", "inform(area='new town')"]
>>> row, _ = rows_of(Corpus.of(["The Inn is in soma.", ""], inputs=mrs))
>>> wrong_value(row, Random(1)), swapped_values(row, Random(1))
('The Inn is in new town.', 'Soma is in The Inn.')
"""

from __future__ import annotations

from itertools import combinations, product
from random import Random

from rainbow.audit.places import Edit, Value, replace, said_values
from rainbow.audit.rows import Row, alternatives, from_anywhere
from rainbow.meaning import MeaningRepresentation
from rainbow.programs.wordnet import wordnet_distance
from rainbow.text.words.mentions import phrase_key


def wrong_value(row: Row, rng: Random) -> str | None:
    """Return the text with another value of a slot wherever it says this row's; None if no value can be replaced."""
    if row.meaning is None:
        return None
    values = [value for value in said_values(row.output, row.meaning) if len({slot.name for slot in value.slots}) == 1]
    rng.shuffle(values)
    for value in values:
        if other := _other(row, row.meaning, value, rng):
            said = {place: phrase_key(row.output[slice(*place)]) for place in value.places}
            plural = f"{value.key}s"
            return replace(row.output, [Edit(place, other + "s" * (said[place] == plural)) for place in said])
    return None


def _other(row: Row, meaning: MeaningRepresentation, value: Value, rng: Random) -> str | None:
    """Return another value that the slot has in the dataset and this row has not; None if there is none."""
    known = list(row.surroundings.values.get(value.slots[0].name, {}).values())
    own = {alternative for slot in meaning.slots for alternative in alternatives(slot.value)}
    own_words = [alternative for slot in value.slots for alternative in alternatives(slot.value)]
    for other in from_anywhere(known, rng):
        said = alternatives(other)
        synonyms = (wordnet_distance(*pair) == 0 for pair in product(said, own_words))
        if said.isdisjoint(own) and not any(synonyms) and not said_values(other, meaning):
            return other
    return None


def swapped_values(row: Row, rng: Random) -> str | None:
    """Return the text with two values of different slots in each other's place; None if it does not say two."""
    if row.meaning is None:
        return None
    values = said_values(row.output, row.meaning)
    pairs = [pair for pair in combinations(values, 2) if _of_different_slots(*pair)]
    if not pairs:
        return None
    one, other = (rng.choice(value.places) for value in rng.choice(pairs))
    return replace(row.output, [Edit(one, row.output[slice(*other)]), Edit(other, row.output[slice(*one)])])


def _of_different_slots(one: Value, other: Value) -> bool:
    return {slot.name for slot in one.slots}.isdisjoint(slot.name for slot in other.slots)
