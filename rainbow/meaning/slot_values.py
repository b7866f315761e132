"""How slot values are recognised, also those that no text contains verbatim."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from typing import Literal, NamedTuple

from rainbow.base.caching import cache_by_size
from rainbow.meaning.representation import NOT_LITERAL, Slot
from rainbow.meaning.slot_lexicon import INDIFFERENT, UNKNOWN, topic_stems
from rainbow.text.words.mentions import NEGATIONS, Phrases, find_mentions, find_negated, phrase_key, stem_word

State = Literal["realised", "missing", "wrong"]


class Realisation(NamedTuple):
    """How a text realises a meaning representation."""

    states: tuple[State, ...]  # for every slot `realised`, `missing`, or `wrong`: spoken of, but not with its value
    repeated: int  # the number of slots mentioned more often than requested
    invented: int  # the number of mentioned values that were not requested


DONT_CARE = frozenset({"dont_care", "dontcare", "don't care"})
# Maximum distance, in words, of a negation before a mention that contradicts the meaning representation.
CLOSE = 2


@cache_by_size(1 << 20)
def literal_value(slot: Slot) -> str:
    """Return the text that identifies a slot's value; empty if it is not literal."""
    return phrase_key(slot.value) if any(value not in NOT_LITERAL for value in split_alternatives(slot.value)) else ""


def split_alternatives(value: str) -> list[str]:
    """Return the alternatives of a value ("cheap or moderate")."""
    return re.split(r"(?<!\s)\s++or\s+", value.lower())


def more_specific_slots(names: Sequence[str]) -> list[list[int]]:
    """Return for every slot the positions of slots whose longer names end with its name."""
    backwards = sorted((name[::-1], place) for place, name in enumerate(names))
    results = []
    for name in names:
        first = bisect_right(backwards, (name[::-1], len(names)))
        last = first
        while last < len(names) and backwards[last][0].startswith(name[::-1]):
            last += 1
        results.append(sorted(place for _, place in backwards[first:last]))
    return results


def indirect_state(slot: Slot, rest: Sequence[str]) -> State:
    """Return the state of a slot that is mentioned by its topic."""
    topic = topic_stems(slot.name)
    value = slot.value.lower()
    spoken_of = any(stem_word(word) in topic for word in rest)
    is_empty = value == "none" and (spoken_of or slot.name == "name")
    if is_empty and not (UNKNOWN.isdisjoint(rest) and NEGATIONS.isdisjoint(rest)):
        return "realised"  # no name, no place: "there is nothing near x"
    if not spoken_of:
        return "missing"
    if value in ("no", "false"):
        right = any(find_negated(rest, topic))
    elif value in ("yes", "true"):
        right = not all(find_negated(rest, topic, reach=CLOSE))
    elif value in DONT_CARE:
        right = any(stem_word(word) in INDIFFERENT for word in rest)
    else:
        right = value != "none"
    return "realised" if right else "wrong"


def unrequired_values(licensed: Set[str], rest: Sequence[str], known: Phrases) -> Iterator[str]:
    """Return mentioned known values that are not required, with repetition."""
    for mention in find_mentions(rest, known):
        mentioned_words = [word for word in rest[mention.start : mention.stop] if word.isalnum()]
        if mention.phrase not in licensed and not all(stem_word(word) in licensed for word in mentioned_words):
            yield mention.phrase
