"""From a meaning to a sentence: fills the frames of the lexicon with the phrases of the slots."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .chance import Chance
from .lexicon import FRAMES, NOUNS, PHRASES, PLURALS, QUESTIONS
from .meanings import BOOLEANS, BOTH, CONTACTS, DONT_CARE, Meaning

# Place in a frame -> (place in the lexicon, how many slots it holds).
PLACES = {
    "adj": ("adj", 2),
    "post": ("post", 2),
    "front": ("post", 1),
    "rel": ("verb", 2),
    "rels": ("verb", 2),
    "vp": ("verb", 3),
    "any": ("any", 1),
    "mind": ("mind", 1),
}
TYPED = ("name", "type", "count")  # slots that a frame names itself
FACTS_PER_SENTENCE = 3
PLACE_SLOTS = ("area", "near", "address")
ATTEMPTS = 200


class Chunk(NamedTuple):
    """A piece of a sentence and the slot it expresses (empty for the words between)."""

    text: str
    slot: str = ""
    place: str = ""


Slots = Sequence[tuple[str, str]]
Frames = Mapping[str, Sequence[str]]


def phrases(slot: str, value: str, place: str) -> tuple[str, ...]:
    """Return all ways to say a slot in one place of a sentence, none where it does not fit there."""
    entry = PHRASES.get(f"{slot}={value}") or PHRASES.get(slot, {})
    return tuple(phrase.replace("{}", value) for phrase in entry.get(place, ()))


def realise(meaning: Meaning, chance: Chance, frames: Frames = FRAMES) -> list[Chunk]:
    """Say all of `meaning` in a random sentence, or two, as chunks."""
    if meaning.act == "request":
        return _questions(meaning, chance)
    if meaning.act == "select":
        return _choice(meaning, chance)
    told = [(slot, value) for slot, value in meaning.slots if slot not in TYPED]
    has_tail = frame_key(meaning) == "inform"
    for _ in range(ATTEMPTS):
        template, _, needed = chance.pick(frames[frame_key(meaning)]).partition(" | ")
        if meaning.get("type") and "{noun" not in template:
            continue
        filled, rest = _assign(told, re.findall(r"{(\w+)}", template), chance, has_tail)
        if all(any(map(filled.get, places.split("/"))) for places in needed.split()) and (has_tail or not rest):
            noun = NOUNS[meaning.domain][0] if meaning.get("type") else chance.pick(NOUNS[meaning.domain])
            return _expand(template, filled, meaning, noun, chance) + _tail(rest, chance)
    raise ValueError(f"no frame can say {meaning}: give the act a frame with more places")


def frame_key(meaning: Meaning) -> str:
    """Return the key of the frames for this meaning: the act, and its kind where one act has several."""
    if meaning.act == "inform" and meaning.get("count"):
        return "inform count"
    if meaning.act == "confirm" and any(value == DONT_CARE for _, value in meaning.slots):
        return "confirm dont_care"
    return meaning.act


def text(chunks: Sequence[Chunk]) -> str:
    """Write the chunks as English: articles, spacing, capitals and the final mark.

    Examples
    --------
    >>> text([Chunk("it is"), Chunk("a(n)"), Chunk("inexpensive"), Chunk("hotel")])
    'It is an inexpensive hotel.'
    """
    line = " ".join(chunk.text for chunk in chunks)
    line = re.sub(r"\ba\(n\) (?=[aeiou])", "an ", line, flags=re.IGNORECASE).replace("a(n)", "a")
    line = re.sub(r" +([,.:?])", r"\1", line)
    line = line if line.endswith("?") else line + "."
    return re.sub(r"(^|[.?] )([a-z])", lambda match: match[1] + match[2].upper(), line)


def coordinate(chunks: Sequence[Chunk], chance: Chance) -> list[Chunk]:
    """Join predicates by commas and "and", or "but" between a yes and a no; leave out a second "is" at times."""
    negative = {chunk.text.startswith(("does not", "do not")) for chunk in chunks}
    policies = all(chunk.slot in BOOLEANS for chunk in chunks)
    conjunction = "but" if len(chunks) == 2 and len(negative) == 2 and policies else "and"
    places = all(chunk.slot in PLACE_SLOTS and chunk.text.startswith("is ") for chunk in chunks)
    if places and chance.happens(0.5):
        chunks = [chunks[0], *(chunk._replace(text=chunk.text.removeprefix("is ")) for chunk in chunks[1:])]
    joined = [chunks[0]]
    for chunk in chunks[1:-1]:
        joined += [Chunk(","), chunk]
    return joined + ([Chunk(conjunction), chunks[-1]] if len(chunks) > 1 else [])


def plural(verb: str) -> str:
    """Put a predicate in the plural.

    Examples
    --------
    >>> plural("does not allow dogs")
    'do not allow dogs'
    """
    first, gap, rest = verb.partition(" ")
    return PLURALS[first] + gap + rest


def _assign(told: Slots, places: list[str], chance: Chance, has_tail: bool) -> tuple[dict[str, Slots], Slots]:
    filled: dict[str, list[tuple[str, str]]] = {}
    rest: list[tuple[str, str]] = []
    for slot, value in chance.shuffled(told):
        fitting = [place for place in places if _fits(slot, value, place, filled)]
        full = has_tail and sum(map(len, filled.values())) >= FACTS_PER_SENTENCE
        if fitting and not full:
            filled.setdefault(chance.pick(fitting), []).append((slot, value))
        else:
            rest.append((slot, value))
    return {place: tuple(slots) for place, slots in filled.items()}, rest


def _fits(slot: str, value: str, place: str, filled: Mapping[str, Slots]) -> bool:
    if place not in PLACES or (place == "front" and slot not in ("area", "near")):
        return False
    if place == "rel" and slot in CONTACTS["restaurant"]:  # nobody says "a hotel that has the postcode ..."
        return False
    key, capacity = PLACES[place]
    return bool(phrases(slot, value, key)) and len(filled.get(place, ())) < capacity


def _expand(
    template: str, filled: Mapping[str, Slots], meaning: Meaning, noun: tuple[str, str], chance: Chance
) -> list[Chunk]:
    own = {"noun": Chunk(noun[0], "type"), "nouns": Chunk(noun[1], "type")}
    own |= {slot: Chunk(value, slot) for slot, value in meaning.slots if slot in ("name", "count")}
    chunks: list[Chunk] = []
    for word in template.split():
        place = word.strip("{}")
        if word == place:
            chunks.append(Chunk(word))
        elif place in own:
            chunks.append(own[place])
        elif place in filled:
            chunks += _fill(place, filled[place], noun, chance)
    return chunks


def _fill(place: str, slots: Slots, noun: tuple[str, str], chance: Chance) -> list[Chunk]:
    key, _ = PLACES[place]
    chosen = [(slot, chance.pick(phrases(slot, value, key)).replace("{noun}", noun[0])) for slot, value in slots]
    if place in ("rel", "rels"):
        verbs = [Chunk(plural(phrase) if place == "rels" else phrase, slot, "verb") for slot, phrase in chosen]
        return [Chunk("that"), *coordinate(verbs, chance)]
    chunks = [Chunk(phrase, slot, key) for slot, phrase in chosen]
    if place == "vp":
        return coordinate(chunks, chance)
    # "cheap Thai" and "in Corvale with Wi-Fi" are the usual orders.
    return sorted(chunks, key=lambda chunk: chunk.slot == "food" or chunk.text.startswith("with"))


def _tail(rest: Slots, chance: Chance) -> list[Chunk]:
    clauses: list[Chunk] = []
    verbs: list[Chunk] = []
    for slot, value in rest:
        own_sentence = phrases(slot, value, "clause")
        if own_sentence and len(clauses) < 2 and chance.happens(0.7):
            clauses.append(Chunk(chance.pick(own_sentence), slot, "clause"))
        else:
            verbs.append(Chunk(chance.pick(phrases(slot, value, "verb")), slot, "verb"))
    chunks: list[Chunk] = []
    if verbs:
        chunks += [Chunk("."), Chunk("it"), *coordinate(verbs, chance)]
    if clauses:
        # The meal last, so that no "it" or "its" refers to it.
        clauses.sort(key=lambda chunk: CONTACTS["restaurant"].index(chunk.slot))
        chunks += [Chunk("."), *coordinate(clauses, chance)]
    return chunks


def _questions(meaning: Meaning, chance: Chance) -> list[Chunk]:
    noun = NOUNS[meaning.domain][0][0]
    asked = [Chunk(chance.pick(QUESTIONS[slot]).replace("{noun}", noun), slot) for slot, _ in meaning.slots]
    return [*asked[:1], *(part for chunk in asked[1:] for part in (Chunk(", and"), chunk)), Chunk("?")]


def _choice(meaning: Meaning, chance: Chance) -> list[Chunk]:
    slot, value = meaning.slots[0]
    pairs: list[tuple[str, ...]]
    if value == BOTH:
        kind, place, pairs = BOTH, "verb", [(phrase,) for phrase in phrases(slot, "yes", "verb")]
    else:
        first, second = chance.shuffled(value.split(" or "))
        ways = {key: _alike(slot, first, second, key) for key in ("adj", "post", "verb")}
        kind = place = chance.pick([key for key in sorted(ways) if ways[key]])
        pairs = ways[place]
    said = [Chunk(phrase, slot, place) for phrase in chance.pick(pairs)]
    own = {"{noun}": Chunk(meaning.domain, "type")}
    words = chance.pick(FRAMES[f"select {kind}"]).split()
    return [said.pop(0) if word == f"{{{place}}}" else own.get(word, Chunk(word)) for word in words]


def _alike(slot: str, first: str, second: str, place: str) -> list[tuple[str, ...]]:
    """Return the ways to say two values in the same words, each with the value itself in it."""
    pairs = zip(phrases(slot, first, place), phrases(slot, second, place), strict=False)
    return [(one, two) for one, two in pairs if f" {first} " in f" {one} " and f" {second} " in f" {two} "]
