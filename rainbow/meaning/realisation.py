"""Slot realisation: slots realised, missing, wrong, repeated or invented in a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

from rainbow.base.caching import cache_by_size
from rainbow.base.corpus_statistics import Statistics
from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.domains import find_domain
from rainbow.meaning.facts import facts_realisation
from rainbow.meaning.slot_lexicon import Wordings, all_wordings, normalise_negation, topic_stems
from rainbow.meaning.slot_values import (
    Realisation,
    State,
    indirect_state,
    literal_value,
    more_specific_slots,
    split_alternatives,
    unrequired_values,
)
from rainbow.text.words.mentions import (
    SPELLINGS,
    Mention,
    Phrases,
    find_mentions,
    mask_mentions,
    mention_words,
    phrase_key,
    stem_word,
)

# Placeholder of a value that the dataset hides (BAGEL); several slots may have it.
PLACEHOLDER = "x"
# Words of a value that a text may well say otherwise.
FUNCTION_WORDS = frozenset(["a", "an", "and", "at", "in", "of", "on", "or", "the"])
# "0" denies and "1" is a pronoun as often as a number ("the only 1").
NO_NUMBERS = frozenset("01")
# A value counts as invented only if at most this share of its mentions is unrequested in references.
TOLERATED = 0.1
# Letters that the two halves of a compound have at least.
LONGER_HALF, SHORTER_HALF = 5, 4


@dataclass(frozen=True, eq=False, repr=False)
class ValueInventory(Statistics):
    """Immutable set of values that texts mention only on purpose."""

    values: tuple[str, ...]  # folded, without blanks, in order
    said: tuple[str, ...] = ()  # in other languages than English: slots whose values references mention

    @cached_property
    def phrases(self) -> Phrases:
        """The values as phrases for matching."""
        return Phrases(self.values)

    def to_json(self) -> dict[str, Any]:
        """Return the inventory as JSON-serialisable data."""
        return {"values": list(self.values)} | ({"said": list(self.said)} if self.said else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Create the inventory from the data of :meth:`to_json`; ValueError if invalid."""
        known = [data.get("values"), data.get("said", [])] if isinstance(data, Mapping) else [None]
        if not all(isinstance(part, list) and all(isinstance(text, str) for text in part) for part in known):
            raise ValueError("invalid inventory of values: pass the result of to_json()")
        return cls(*map(tuple, known))


NO_VALUES = ValueInventory(())


def realisation(
    meaning: MeaningRepresentation, tokens: Sequence[str], inventory: ValueInventory = NO_VALUES
) -> Realisation:
    """Return how a text realises each slot, and what else it mentions."""
    if domain := find_domain(meaning):
        return domain.realisation(meaning, tokens)
    if meaning.form != "act":
        return facts_realisation(meaning, tokens, inventory.phrases)
    needed = get_requirements(meaning)
    results = list(find_mentions(tokens, needed.phrases))
    rest = mask_mentions(tokens, results)
    mention_counts = Counter(mention.phrase for mention in results)
    loosely = _count_loose_mentions(needed, tokens, results, mention_counts)
    return Realisation(
        _slot_states(meaning, mention_counts + loosely if loosely else mention_counts, rest),
        _count_repeated(needed, mention_counts, rest),
        _count_invented(needed, tokens, rest, inventory),
    )


def collect_values(texts: Iterable[tuple[MeaningRepresentation, Sequence[Sequence[str]]]]) -> ValueInventory:
    """Return the values that texts mention only if their meaning representation has them."""
    pairs = list(texts)
    candidates = candidate_values(meaning for meaning, _ in pairs)
    mention_counts: Counter[str] = Counter()
    unasked: Counter[str] = Counter()
    for meaning, realisations in pairs:
        needed = get_requirements(meaning)
        for tokens in realisations:
            results = list(find_mentions(tokens, needed.phrases))
            mention_counts.update(mention.phrase for mention in results)
            unasked.update(unrequired_values(needed.licensed, mask_mentions(tokens, results), candidates.phrases))
    return reliable_values(candidates, mention_counts, unasked)


def candidate_values(meanings: Iterable[MeaningRepresentation]) -> ValueInventory:
    """Return all values that could be recognised, with alternatives separated."""
    return ValueInventory(tuple(sorted({value for meaning in meanings for value in _distinctive_values(meaning)})))


def reliable_values(
    candidates: ValueInventory, mention_counts: Mapping[str, int], unrequested: Mapping[str, int]
) -> ValueInventory:
    """Return the values that texts mention, and hardly ever without being required."""

    def is_required(value: str) -> bool:
        strays = unrequested.get(value, 0)
        return mention_counts.get(value, 0) > 0 and strays <= TOLERATED * (mention_counts[value] + strays)

    return ValueInventory(tuple(filter(is_required, candidates.values)))


def _distinctive_values(meaning: MeaningRepresentation) -> Iterator[str]:
    """Split alternatives, and return the values long enough to be recognised."""
    for slot in meaning.slots:
        values = split_alternatives(slot.value) if literal_value(slot) else ()
        yield from (phrase_key(value) for value in values if re.search(r"[^\W\d_]{3}", value))


class Required(NamedTuple):
    """Required values of a meaning representation: counts, slots, stems and alternatives."""

    values: Counter[str]
    phrases: Phrases
    slot_names: Mapping[str, str]
    stems: Mapping[str, Counter[str]]
    others: Mapping[str, Wordings]  # of values and of the stems of their words
    spoken_of: tuple[str, ...]  # slots that are not expressed by their value
    licensed: Set[str]


@cache_by_size(1 << 18)
def get_requirements(meaning: MeaningRepresentation) -> Required:
    """Return what a text has to mention, prepared for many texts."""
    literal = {value: slot for slot in reversed(meaning.slots) if (value := literal_value(slot))}
    values = Counter(value for slot in meaning.slots if (value := literal_value(slot)))
    texts = [text for slot in meaning.slots for text in (slot.value, slot.subject)]
    value_words = {word for text in texts for word in mention_words(text)}
    stems = {value: Counter(map(stem_word, _content_words(slot.value))) for value, slot in literal.items()}
    keys = {*stems, *(word for parts in stems.values() for word in parts)}
    others = {key: all_wordings()[key] for key in keys & all_wordings().keys()}
    licensed = value_words | set(map(stem_word, value_words)) | literal.keys()
    licensed = licensed.union(*(wordings.stems | wordings.phrases.known for wordings in others.values()))
    indirect = [slot for slot in meaning.slots if not literal_value(slot)]
    spoken_of = tuple(slot.name for slot in indirect if len(split_alternatives(slot.value)) == 1)
    names = {value: slot.name for value, slot in literal.items()}
    return Required(values, Phrases(values), names, stems, others, spoken_of, licensed)


def _content_words(value: str) -> list[str]:
    results = [word for word in mention_words(value) if word.isalnum()]
    return [word for word in results if word not in FUNCTION_WORDS] or results


def _count_loose_mentions(
    required: Required, tokens: Sequence[str], mentions: Sequence[Mention], mention_counts: Mapping[str, int]
) -> Counter[str]:
    """Count mentions in another order or inflection of values not yet found often enough."""
    loosely: Counter[str] = Counter()
    names = required.slot_names
    for value, slot in names.items():
        if mention_counts.get(value, 0) < required.values[value]:
            taken = [mention for mention in mentions if mention.phrase == value or names[mention.phrase] != slot]
            loosely[value] = _count_value(value, required, mask_mentions(tokens, taken))
    return loosely


def _count_value(value: str, required: Required, left: Sequence[str]) -> int:
    """Count mentions of a value in any word order, by other words, or by half of it."""
    stems, parts, others = Counter(map(stem_word, left)), required.stems[value], required.others

    def synonyms(word: str) -> int:
        return others[word].count_mentions(left, stems) if word in others else 0

    times = min(stems[word] // count for word, count in parts.items()) or synonyms(value)
    if not times and others:
        times = min(stems[word] // count or synonyms(word) for word, count in parts.items())
    if not times and len(parts) == 1 and len(value) >= LONGER_HALF + SHORTER_HALF:
        times = sum(_is_compound_half(SPELLINGS.get(word, word), value) for word in left)
    return times


def _is_compound_half(word: str, value: str) -> bool:
    """Return whether a word is half of a compound value ("river" of `riverside`)."""
    long_enough = LONGER_HALF <= len(word) <= len(value) - SHORTER_HALF
    return long_enough and (value.startswith(word) or value.endswith(word))


def _slot_states(
    meaning: MeaningRepresentation, mention_counts: Mapping[str, int], rest: Sequence[str]
) -> tuple[State, ...]:
    """Return the state of every slot."""
    left = dict(mention_counts)
    states: list[State] = []
    plain = rest if all(map(literal_value, meaning.slots)) else normalise_negation(rest, meaning.act)
    for slot in meaning.slots:
        if value := literal_value(slot):
            states.append("realised" if left.get(value, 0) > 0 else "missing")
            left[value] = left.get(value, 0) - 1
        else:
            states.append(indirect_state(slot, plain))
    special = more_specific_slots([slot.name for slot in meaning.slots])
    return tuple(
        "realised" if any(states[place] == "realised" for place in places) else state
        for state, places in zip(states, special, strict=True)
    )


def _count_repeated(required: Required, mention_counts: Mapping[str, int], rest: Sequence[str]) -> int:
    """Count slots mentioned more often than required."""
    literal = sum(
        min(count, max(0, mention_counts.get(value, 0) - count))
        for value, count in required.values.items()
        if value != PLACEHOLDER
    )
    if not required.spoken_of:
        return literal
    stems = Counter(map(stem_word, rest))
    return literal + sum(max((stems[word] for word in topic_stems(name)), default=0) > 1 for name in required.spoken_of)


def is_countable_number(word: str) -> bool:
    """Return whether a number counts as invented if it is not required."""
    return not word.isalpha() and any(map(str.isdigit, word)) and word not in NO_NUMBERS


def _count_invented(required: Required, tokens: Sequence[str], rest: Sequence[str], inventory: ValueInventory) -> int:
    numbers = sum(is_countable_number(word) and word not in required.licensed for word in rest)
    placeholders = max(0, tokens.count(PLACEHOLDER) - required.values[PLACEHOLDER])
    return numbers + placeholders + sum(1 for _ in unrequired_values(required.licensed, rest, inventory.phrases))
