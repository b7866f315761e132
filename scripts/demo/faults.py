"""Ways in which a generator goes wrong: in what it says (faults of the meaning) or in how (faults of the chunks).

Each fault returns the damaged meaning, or the damaged chunks with the names of the errors, or None where it
cannot happen. The errors of a damaged meaning are what `differences` finds.
"""

from __future__ import annotations

from collections.abc import Callable

from .chance import Chance
from .grammar import TYPED, Chunk, plural
from .lexicon import PLURALS
from .meanings import BOTH, CONSTRAINTS, DONT_CARE, Meaning, values

DamagedChunks = tuple[list[Chunk], list[str]] | None

SINGULARS = {many: one for one, many in PLURALS.items() if many != one}


def drop(meaning: Meaning, chance: Chance) -> Meaning | None:
    """Leave out a slot; acts that speak about one thing only keep it."""
    optional = [slot for slot, _ in meaning.slots if slot not in TYPED]
    spare = 0 if meaning.get("name") and meaning.act == "inform" else 1
    if len(optional) <= spare:
        return None
    lost = chance.pick(optional)
    kept = tuple(pair for pair in meaning.slots if pair[0] != lost)
    return Meaning(meaning.act, meaning.domain, kept)


def mistake(meaning: Meaning, chance: Chance) -> Meaning | None:
    """Say another value, or ask for another slot."""
    fixed = {slot for slot, value in meaning.slots if slot == "type" or value in (DONT_CARE, BOTH)}
    candidates = [slot for slot, _ in meaning.slots if slot not in fixed]
    if not candidates:
        return None
    slot = chance.pick(candidates)
    wrong = tuple(_other(meaning, pair, chance) if pair[0] == slot else pair for pair in meaning.slots)
    return Meaning(meaning.act, meaning.domain, wrong)


def _other(meaning: Meaning, pair: tuple[str, str], chance: Chance) -> tuple[str, str]:
    slot, value = pair
    taken = {name for name, _ in meaning.slots}
    if meaning.act == "request":
        return chance.pick([name for name in CONSTRAINTS[meaning.domain] if name not in taken]), ""
    said = value.split(" or ")
    other = said[-1]
    while other in said:
        other = chance.pick(values(meaning.domain, slot, chance))
    return slot, " or ".join([*said[:-1], other])


def invent(meaning: Meaning, chance: Chance) -> Meaning | None:
    """Add a slot that nobody asked for."""
    silent = meaning.act in ("request", "select") or not meaning.slots
    if silent or any(value == DONT_CARE for _, value in meaning.slots):
        return None
    slot = chance.pick([name for name in CONSTRAINTS[meaning.domain] if meaning.get(name) is None])
    added = (slot, chance.pick(values(meaning.domain, slot, chance)))
    return Meaning(meaning.act, meaning.domain, (*meaning.slots, added))


def differences(meaning: Meaning, damaged: Meaning) -> list[str]:
    """Name the errors of a text that says `damaged` in place of `meaning`."""
    meant, said = dict(meaning.slots), dict(damaged.slots)
    dropped = [f"dropped:{slot}" for slot in meant if slot not in said]
    wrong = [f"wrong:{slot}" for slot in meant if slot in said and meant[slot] != said[slot]]
    return dropped + wrong + [f"invented:{slot}" for slot in said if slot not in meant]


def repeat(chunks: list[Chunk], chance: Chance) -> DamagedChunks:
    """Say a phrase twice in a row."""
    spots = [spot for spot, chunk in enumerate(chunks) if chunk.place in ("post", "verb", "adj")]
    if not spots:
        return None
    spot = chance.pick(spots)
    again = [Chunk("and"), chunks[spot]] if chunks[spot].place == "verb" else [chunks[spot]]
    return [*chunks[: spot + 1], *again, *chunks[spot + 1 :]], [f"repeated:{chunks[spot].slot}"]


def disorder(chunks: list[Chunk], chance: Chance) -> DamagedChunks:
    """Swap a phrase with what stands before it."""
    spots = [
        spot
        for spot in range(1, len(chunks))
        if chunks[spot].place not in ("", "any")
        and chunks[spot].place != chunks[spot - 1].place
        and chunks[spot - 1].text not in ",.:?"
    ]
    if not spots:
        return None
    spot = chance.pick(spots)
    return [*chunks[: spot - 1], chunks[spot], chunks[spot - 1], *chunks[spot + 1 :]], ["order"]


def truncate(chunks: list[Chunk], chance: Chance) -> DamagedChunks:
    """Break off in the last phrase, half-way through or before it."""
    spots = [spot for spot, chunk in enumerate(chunks) if chunk.slot not in ("", "type") and spot > 0]
    if not spots:
        return None
    last = spots[-1]
    dangling = chunks[last - 1].slot == "" and chunks[last - 1].text not in ",.:?"
    whole = chunks[last].text.split()
    half = whole[: 0 if dangling and chance.happens(0.5) else len(whole) // 2]
    start = [Chunk(" ".join(half))] if half else []
    return [*chunks[:last], *start], ["truncated", f"dropped:{chunks[last].slot}"]


def disagree(chunks: list[Chunk], chance: Chance) -> DamagedChunks:
    """Put a verb in the wrong number."""
    spots = [spot for spot, chunk in enumerate(chunks) if _number_changed(chunk) != chunk.text]
    if not spots:
        return None
    spot = chance.pick(spots)
    changed = chunks[spot]._replace(text=_number_changed(chunks[spot]))
    return [*chunks[:spot], changed, *chunks[spot + 1 :]], ["agreement"]


def _number_changed(chunk: Chunk) -> str:
    first, gap, rest = chunk.text.partition(" ")
    if chunk.place not in ("", "verb"):
        return chunk.text
    return plural(chunk.text) if first in PLURALS else SINGULARS.get(first, first) + gap + rest


def lose_article(chunks: list[Chunk], chance: Chance) -> DamagedChunks:
    """Leave out an article."""
    spots = [spot for spot, chunk in enumerate(chunks) if chunk.text in ("a(n)", "the")]
    if not spots:
        return None
    spot = chance.pick(spots)
    return [*chunks[:spot], *chunks[spot + 1 :]], ["article"]


MEANING_FAULTS: dict[str, Callable[[Meaning, Chance], Meaning | None]] = {
    "dropped": drop,
    "wrong": mistake,
    "invented": invent,
}
CHUNK_FAULTS: dict[str, Callable[[list[Chunk], Chance], DamagedChunks]] = {
    "truncated": truncate,  # first, lest it cuts away what another fault has done
    "repeated": repeat,
    "order": disorder,
    "agreement": disagree,
    "article": lose_article,
}
