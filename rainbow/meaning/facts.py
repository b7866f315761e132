"""What a text says of facts: the triples of a knowledge base, the cells of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rainbow.base.caching import cache_by_size
from rainbow.meaning.representation import MeaningRepresentation, Slot
from rainbow.meaning.sayings import TextWords, is_said
from rainbow.meaning.slot_states import Realisation, State
from rainbow.meaning.slot_values import literal_value, state_of_unliteral, strays
from rainbow.text.words.mentions import GAP, Phrases, phrase_key, find_mentions, mention_words


def facts_realisation(meaning: MeaningRepresentation, tokens: Sequence[str], known: Phrases) -> Realisation:
    """Return what a text says of each fact, and beyond them."""
    text, asked = TextWords(tokens), asked_of(meaning)
    said = {value: is_said(value, text) for value in asked.values}
    states = tuple(_state(slot, said, tokens) for slot in meaning.slots)
    times = Counter(mention.phrase for mention in find_mentions(tokens, asked.phrases))
    repeated = sum(min(count, max(0, times[value] - count)) for value, count in asked.once.items())
    invented = text.numbers_besides(asked.text) + sum(1 for _ in strays(asked.licensed, tokens, known))
    return Realisation(states, repeated, invented)


class FactsAsked(NamedTuple):
    """What facts ask for: their values and subjects, and what is to be said once (no subject)."""

    values: tuple[str, ...]
    once: Counter[str]
    phrases: Phrases
    text: TextWords
    licensed: frozenset[str]


@cache_by_size(1 << 18)
def asked_of(meaning: MeaningRepresentation) -> FactsAsked:
    """Return what a text is asked to say, prepared once for any number of texts."""
    subjects = {phrase_key(slot.subject) for slot in meaning.slots}
    once = Counter(value for slot in meaning.slots if (value := literal_value(slot)) and value not in subjects)
    values = tuple(dict.fromkeys(slot.value for slot in meaning.named))
    tokens = [word for value in values for word in (*mention_words(value), GAP)]
    text = TextWords(tokens)
    licensed = text.found | text.stems | {phrase_key(value) for value in values}
    return FactsAsked(values, once, Phrases(once), text, licensed)


def _state(slot: Slot, said: Mapping[str, bool], tokens: Sequence[str]) -> State:
    if not said.get(slot.subject, True):
        return "missing"
    if not literal_value(slot):
        return state_of_unliteral(slot, tokens)
    return "realised" if said.get(slot.value) else "missing"
