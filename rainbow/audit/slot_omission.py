"""Texts that leave a slot out, with the phrase that carries it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from rainbow.audit.audit_rows import Row
from rainbow.audit.phrases import Cut, carrier_phrase
from rainbow.audit.spans import Words, fix_article, spaced_word_spans, starts_sentence
from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.realisation import realisation
from rainbow.text.words.mentions import GAP, find_mentions, phrase_key

# Words up to which a text is searched, word by word, for what says a slot in other words.
SEARCHED = 100
# Words that cannot end a sentence: left behind, they go with what they led to.
_DANGLING = re.compile(
    r"""(?i)(?:\s*,|\s+(?:a|an|and|are|at|but|by|called|for|from|has|have|in|is|its|near|of|on|or|that|the|to|where|which
    |whose|with))+\s*$""",
    re.VERBOSE,
)
# What follows the end of a clause: the end of the sentence or text, or another clause.
_CLAUSE_ENDS = re.compile(r"\s*(?:$|[.!?;:]|,\s*(?:it|its|the|their|they)\b)", re.IGNORECASE)
_RELATIVE_CLAUSE = re.compile(r"\s*,\s*(?:that|where|which|who|whose)\b")


class _MentionedSlots(NamedTuple):
    """Slots mentioned in a text and the spans of words that mention them."""

    slots: int
    spans: tuple[tuple[int, int], ...]


def drop_slot(row: Row, rng: Random) -> str | None:
    """Return the text without one mentioned slot and the phrase that carries it."""
    if row.meaning is None:
        return None
    text = Words.from_text(row.output)
    realised = _mentioned_slots(row.meaning, text.tokens)
    slots = [phrase_key(slot.value) for slot in row.meaning.slots if slot.literal]
    literal: dict[str, list[tuple[int, int]]] = {}
    for mention in find_mentions(text.tokens, set(slots) - {""}):
        literal.setdefault(mention.phrase, []).append((mention.start, mention.stop))
    mentions = [_MentionedSlots(min(slots.count(key), len(spans)), tuple(spans)) for key, spans in literal.items()]
    mentions += _indirect_mentions(row.meaning, text.tokens, mentions)
    for chosen in rng.sample(mentions, len(mentions)):
        # If several slots share a value (BAGEL's "X"), only one is dropped.
        spans = sorted(rng.sample(chosen.spans, len(chosen.spans) - chosen.slots + 1))
        taken = {place for other in mentions for span in other.spans if span not in spans for place in range(*span)}
        for cuts in ([carrier_phrase(text.tokens, *span, taken) for span in spans], [Cut(*span) for span in spans]):
            rest = _remove_spans(row.output, text, cuts)
            if spaced_word_spans(rest) and _mentioned_slots(row.meaning, Words.from_text(rest).tokens) < realised:
                return rest
    return None


def _mentioned_slots(meaning: MeaningRepresentation, tokens: Sequence[str]) -> int:
    return realisation(meaning, tokens).states.count("realised")


def _indirect_mentions(
    meaning: MeaningRepresentation, tokens: Sequence[str], literally: Sequence[_MentionedSlots]
) -> Iterator[_MentionedSlots]:
    """Return single words without which a slot would not be mentioned ("dogs", "moderately")."""
    states = realisation(meaning, tokens).states
    if states.count("realised") <= sum(mention.slots for mention in literally) or len(tokens) > SEARCHED:
        return
    taken = {place for mention in literally for span in mention.spans for place in range(*span)}
    result: dict[int, list[tuple[int, int]]] = {}
    for place, word in enumerate(tokens):
        if word.isalnum() and place not in taken:
            without = realisation(meaning, [*tokens[:place], GAP, *tokens[place + 1 :]]).states
            for slot, (before, after) in enumerate(zip(states, without, strict=True)):
                if (before, after) == ("realised", "missing"):
                    result.setdefault(slot, []).append((place, place + 1))
    for spans in result.values():
        yield _MentionedSlots(1, tuple(spans))


def _remove_spans(text: str, located: Words, cuts: Sequence[Cut]) -> str:
    """Return the text without these words, tidied around the gaps."""
    merged: list[Cut] = []
    for cut in sorted(cuts):
        if merged and cut.start <= merged[-1].stop:
            merged[-1] = merged[-1]._replace(stop=max(merged[-1].stop, cut.stop))
        else:
            merged.append(cut)
    places = [(located.starts[cut.start], located.stops[cut.stop - 1]) for cut in merged]
    rest = text[: places[0][0]]
    for cut, (first, last), following in zip(merged, places, [*(start for start, _ in places[1:]), None], strict=True):
        rest = _join_parts(rest, text[first:last], text[last:following], cut.instead)
    return rest


def _join_parts(before: str, removed: str, after: str, replacement: str) -> str:
    """Join the text around a cut: spaces, commas, capitals, articles and dangling words."""
    if starts_sentence(before, len(before)):
        after = f"{replacement} {after.lstrip(' ,;:')}" if replacement else after.lstrip(" ,;:")
        after = after[:1].upper() + after[1:] if removed[:1].isupper() else after
        return before + after if after else before.rstrip()
    if not replacement and _CLAUSE_ENDS.match(after):
        before = _DANGLING.sub("", before)
    elif (_RELATIVE_CLAUSE.match(removed) or _DANGLING.search(before)) and after.lstrip().startswith(","):
        after = after.lstrip()[1:]
    after = f" {replacement}{after}" if replacement else after
    before = fix_article(before.rstrip(), after.lstrip())
    blank = " " if after[:1].isalnum() else ""
    return before + blank + after
