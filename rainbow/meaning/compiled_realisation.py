"""Realisation of many texts with the compiled kernels, if available."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.caching import cache_by_size
from rainbow.base.native import compiled, kernels
from rainbow.meaning import MeaningRepresentation, Slot
from rainbow.meaning.domains import find_domain
from rainbow.meaning.facts import required_facts
from rainbow.meaning.realisation import (
    PLACEHOLDER,
    ValueInventory,
    candidate_values,
    collect_values,
    get_requirements,
    is_countable_number,
    realisation,
    reliable_values,
)
from rainbow.meaning.slot_lexicon import DENIALS, EXCEPTIONS, INDIFFERENT, SENTENCE_ENDS, UNKNOWN, Wordings, topic_stems
from rainbow.meaning.slot_values import DONT_CARE, literal_value, more_specific_slots
from rainbow.meaning.value_mentions import MONTHS, ascii_digits, day_number, value_forms
from rainbow.text.tokens.token_ids import encode_tokens
from rainbow.text.words.mentions import BREAKS, NEGATIONS, NUMBERS, SPELLINGS, mention_words, stem_word

# Word features that the kernels use, in order.
MARKS: tuple[Callable[[str], bool], ...] = (
    str.isalnum,
    is_countable_number,
    NEGATIONS.__contains__,
    BREAKS.__contains__,
    SENTENCE_ENDS.__contains__,
    EXCEPTIONS.__contains__,
    lambda word: stem_word(word) in INDIFFERENT,
    UNKNOWN.__contains__,
    lambda word: word[0].isdecimal(),
)
# Ways of mentioning a slot other than by its value, in the kernels' order; 0 is by value, 5 by topic.
WAYS = {"none": 1, "no": 2, "false": 2, "yes": 3, "true": 3, **dict.fromkeys(DONT_CARE, 4)}


def slot_shares(
    meanings: Sequence[MeaningRepresentation], texts: Sequence[str], inventory: ValueInventory, threads: int = 1
) -> FloatArray:
    """Return shares of realised slots etc., shape (texts, 4), as :func:`realisation` counts them."""
    if len(meanings) != len(texts):
        raise ValueError(f"{len(texts)} texts need the same number of meaning representations, not {len(meanings)}")
    asked = [_compile_requirements(meaning) for meaning in meanings] if kernels() else [None] * len(texts)
    values = np.empty((len(texts), 4))
    prepared = {row: one for row, one in enumerate(asked) if one is not None}
    if prepared:
        encoded = encode_tokens(mention_words, [texts[row] for row in prepared])
        values[[*prepared]] = _reader().shares(
            encoded, [*prepared.values()], inventory.cached(_compile_inventory), threads
        )
    for row in set(range(len(texts))) - prepared.keys():
        states, repeated, invented = realisation(meanings[row], mention_words(texts[row]), inventory)
        counts = states.count("realised"), states.count("missing"), repeated
        values[row] = (*(count / len(states) if states else math.nan for count in counts), invented)
    return values


def known_values(texts: Iterable[tuple[MeaningRepresentation, Sequence[str]]]) -> ValueInventory:
    """Return the values that texts mention only if required, as :func:`collect_values` does."""
    pairs = list(texts)
    if not kernels():
        return collect_values((meaning, list(map(mention_words, own))) for meaning, own in pairs)
    candidates = candidate_values(meaning for meaning, _ in pairs)
    encoded = encode_tokens(mention_words, [text for _, own in pairs for text in own])
    asked = [act for meaning, own in pairs for act in [_compile_act(meaning)] * len(own)]
    return reliable_values(candidates, *_reader().counts(encoded, asked, candidates.cached(_compile_inventory)))


def _compile_inventory(inventory: ValueInventory) -> compiled.Phrases:
    return compiled.Phrases(inventory.phrases.known)


@cache
def _reader() -> compiled.SlotReader:
    denials = [(*denial, *meant) for denial, meant in DENIALS.items()]
    return compiled.SlotReader(_word_features, denials, PLACEHOLDER)


def _word_features(word: str) -> tuple[str, str, str, str, str, int]:
    """Return the features of a word for the kernels: stem, spelling, number, digits, day, marks."""
    marks = sum(holds(word) << place for place, holds in enumerate(MARKS))
    spelling, number = SPELLINGS.get(word, word), NUMBERS.get(word, "")
    return stem_word(word), spelling, number, ascii_digits(word), day_number(word), marks


@cache_by_size(1 << 18)
def _compile_requirements(meaning: MeaningRepresentation) -> compiled.Asked | None:
    if domain := find_domain(meaning):
        return domain.prepared(meaning) if domain.prepared else None
    return _compile_act(meaning) if meaning.form == "act" else _compile_facts(meaning)


@cache_by_size(1 << 18)
def _compile_act(meaning: MeaningRepresentation) -> compiled.Act:
    asked = get_requirements(meaning)
    names = {name: place for place, name in enumerate(dict.fromkeys(asked.slot_names.values()))}
    places = {value: place for place, value in enumerate(asked.values)}

    def others(key: str) -> compiled.Wordings | None:
        return _compile_wordings(asked.others[key]) if key in asked.others else None

    values = [
        (value, count, names[asked.slot_names[value]],
         [(part, times, others(part)) for part, times in asked.stems[value].items()], others(value))
        for value, count in asked.values.items()
    ]  # fmt: skip
    special = more_specific_slots([slot.name for slot in meaning.slots])
    slots = [(places.get(literal_value(slot), 0), _compile_indirect_slot(slot)) for slot in meaning.slots]
    return _reader().act(
        values,
        compiled.Phrases(asked.phrases.known),
        [(*slot, own) for slot, own in zip(slots, special, strict=True)],
        [list(topic_stems(name)) for name in asked.spoken_of],
        list(asked.licensed),
        "no" in meaning.act.split("_"),
    )


def _compile_indirect_slot(slot: Slot) -> tuple[int, list[str], bool]:
    """Return how a slot is mentioned if its value is not literal: topic, and whether it is a name."""
    if literal_value(slot):
        return 0, [], False
    return WAYS.get(slot.value.lower(), 5), list(topic_stems(slot.name)), slot.name == "name"


@lru_cache(maxsize=1024)
def _compile_wordings(wordings: Wordings) -> compiled.Wordings:
    return compiled.Wordings(wordings.stems, compiled.Phrases(wordings.phrases.known))


def _compile_facts(meaning: MeaningRepresentation) -> compiled.Asked:
    asked = required_facts(meaning)
    places = {value: place for place, value in enumerate(asked.values)}
    return compiled.facts(
        [_compile_search(value) for value in asked.values],
        [
            (places.get(slot.subject, -1), places.get(slot.value, -1), _compile_indirect_slot(slot))
            for slot in meaning.slots
        ],
        compiled.Phrases(asked.phrases.known),
        asked.once,
        asked.text.known_digits,
        list(asked.licensed),
    )


@cache_by_size(1 << 18)
def _compile_search(value: str) -> compiled.Sought:
    sought = value_forms(value)
    date: tuple[str, ...] = ()
    if sought.date:
        year, month, day = sought.date
        date = year, str(month), day, MONTHS[month - 1] if 0 < month <= len(MONTHS) else ""
    names = [(word, list(forms), stem_word(word)) for word, forms in sought.words.items()]
    return compiled.Sought((compiled.Phrases(sought.phrases.known), date, sought.digits, sought.other_names, names))
