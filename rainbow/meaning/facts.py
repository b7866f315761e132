"""Realisation of facts: triples of a knowledge base or cells of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rainbow.base.caching import cache_by_size
from rainbow.meaning.representation import MeaningRepresentation, Slot
from rainbow.meaning.slot_values import Realisation, State, indirect_state, literal_value, unrequired_values
from rainbow.meaning.value_mentions import TextWords, is_mentioned
from rainbow.text.words.mentions import GAP, Phrases, find_mentions, mention_words, phrase_key


def facts_realisation(meaning: MeaningRepresentation, tokens: Sequence[str], known: Phrases) -> Realisation:
    """Return how a text realises each fact, and what else it mentions."""
    text, asked = TextWords(tokens), required_facts(meaning)
    mentioned = {value: is_mentioned(value, text) for value in asked.values}
    states = tuple(_fact_state(slot, mentioned, tokens) for slot in meaning.slots)
    times = Counter(mention.phrase for mention in find_mentions(tokens, asked.phrases))
    repeated = sum(min(count, max(0, times[value] - count)) for value, count in asked.once.items())
    invented = text.count_extra_numbers(asked.text) + sum(1 for _ in unrequired_values(asked.licensed, tokens, known))
    return Realisation(states, repeated, invented)


class RequiredFacts(NamedTuple):
    """Values and subjects that facts require, each once."""

    values: tuple[str, ...]
    once: Counter[str]
    phrases: Phrases
    text: TextWords
    licensed: frozenset[str]


@cache_by_size(1 << 18)
def required_facts(meaning: MeaningRepresentation) -> RequiredFacts:
    """Return what a text has to mention, prepared for many texts."""
    subjects = {phrase_key(slot.subject) for slot in meaning.slots}
    once = Counter(value for slot in meaning.slots if (value := literal_value(slot)) and value not in subjects)
    values = tuple(dict.fromkeys(slot.value for slot in meaning.named_slots))
    tokens = [word for value in values for word in (*mention_words(value), GAP)]
    text = TextWords(tokens)
    licensed = text.found | text.stems | {phrase_key(value) for value in values}
    return RequiredFacts(values, once, Phrases(once), text, licensed)


def _fact_state(slot: Slot, mentioned: Mapping[str, bool], tokens: Sequence[str]) -> State:
    if not mentioned.get(slot.subject, True):
        return "missing"
    if not literal_value(slot):
        return indirect_state(slot, tokens)
    return "realised" if mentioned.get(slot.value) else "missing"
