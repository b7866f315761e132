"""Worse texts: words repeated, disordered or lost, wrong values, and other sentences instead or in addition."""

from __future__ import annotations

import math
import re
import string
from itertools import combinations, product
from random import Random

from rainbow.audit.audit_rows import Row, rotate_randomly, slot_contents, value_alternatives
from rainbow.audit.sentences import FILLERS, GENERIC, UNRELATED
from rainbow.audit.spans import Edit, Span, Value, apply_edits, match_case, mentioned_values, spaced_word_spans
from rainbow.meaning import MeaningRepresentation
from rainbow.programs.meteor_program import wordnet_distance
from rainbow.text.tokens.folding import fold_text
from rainbow.text.words.mentions import phrase_key

# Words in a repeated phrase.
SHORTEST, LONGEST = 2, 5
# Shares of the words that are cut off.
LEAST_CUT, MOST_CUT = 0.3, 0.6

_SENTENCE_ENDS = re.compile(r"[.!?]+['’\")\]]*\s")


def repeat_word(row: Row, rng: Random) -> str | None:
    """Return the text with one word repeated once or twice; None if it has no word."""
    words = spaced_word_spans(row.output)
    if not words:
        return None
    return _repeat_span(row.output, rng.choice(words), rng.choice((1, 2)))


def repeat_phrase(row: Row, rng: Random) -> str | None:
    """Return the text with two to five words of one sentence repeated; None if there is no such phrase."""
    words = spaced_word_spans(row.output)
    runs = [
        Span(words[first].start, words[last].stop)
        for first in range(len(words))
        for last in range(first + SHORTEST - 1, min(first + LONGEST, len(words)))
        if not _SENTENCE_ENDS.search(row.output, words[first].start, words[last].stop)
    ]
    return _repeat_span(row.output, rng.choice(runs), 1) if runs else None


def _repeat_span(text: str, place: Span, times: int) -> str:
    again = f" {text[place.start : place.stop]}" * times
    return text[: place.stop] + again + text[place.stop :]


def shuffle_words(row: Row, rng: Random) -> str | None:
    """Shuffle the words before the final punctuation; None if there are fewer than two distinct words."""
    stop = len(row.output.rstrip(string.whitespace + ".!?"))
    words = row.output[:stop].split()
    if len(set(words)) < 2:
        return None
    shuffled = list(words)
    while shuffled == words:
        rng.shuffle(shuffled)
    return " ".join(shuffled) + row.output[stop:]


def truncate_text(row: Row, rng: Random) -> str | None:
    """Return the text without its last 30 to 60 % of words; None if it has fewer than two."""
    words = spaced_word_spans(row.output)
    if len(words) < 2:
        return None
    cut = rng.randint(math.ceil(LEAST_CUT * len(words)), math.floor(MOST_CUT * len(words)))
    return row.output[: words[-cut - 1].stop]


def empty_text(row: Row, rng: Random) -> str | None:
    """Return the empty text."""
    return ""


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
    names = [{slot.name for slot in value.slots} for value in values]
    pairs = [
        (one, other)
        for (one, own), (other, others) in combinations(zip(values, names, strict=True), 2)
        if own.isdisjoint(others)
    ]
    if not pairs:
        return None
    one, other = (rng.choice(value.places) for value in rng.choice(pairs))
    return apply_edits(row.output, [Edit(one, row.output[slice(*other)]), Edit(other, row.output[slice(*one)])])


# Sentences of padding.
FEWEST, MOST = 1, 3

# The name of a speaker at the start of a turn.
_SPEAKER = re.compile(r"\w+(?: \w+)?:(?:\s+|$)")


def unrelated_sentence(row: Row, rng: Random) -> str | None:
    """Return a fluent sentence unrelated to the dataset."""
    return match_case(rng.choice(UNRELATED), row.output)


def other_reference(row: Row, rng: Random) -> str | None:
    """Return a reference of another item with other slots or values; None if there is none."""
    own = {fold_text(text) for text in (row.output, *row.references)}
    meant = slot_contents(row.meaning) if row.meaning else None
    for other in rotate_randomly(row.surroundings.references, rng):
        other_content = meant is None or other.contents is None or other.contents != meant
        if other.item != row.item and other_content and fold_text(other.text) not in own:
            return match_case(other.text, row.output)
    return None


def copy_mr(row: Row, rng: Random) -> str | None:
    """Return the input as written, a text or a meaning representation; None if there is none."""
    return row.mr or None


def previous_turn(row: Row, rng: Random) -> str | None:
    """Return the last turn of the input without its speaker; None unless it is free text with several turns."""
    turns = [turn for line in row.mr.splitlines() if (turn := _SPEAKER.sub("", line.strip(), count=1))]
    return turns[-1] if len(turns) > 1 and row.meaning is None else None


def generic_sentence(row: Row, rng: Random) -> str | None:
    """Return a fluent sentence that fits any input and says nothing about it."""
    return match_case(rng.choice(GENERIC), row.output)


def pad_length(row: Row, rng: Random) -> str | None:
    """Return the text with one to three more sentences that add no information."""
    text = row.output.rstrip()
    if not text:
        return None
    if text[-1] not in ".!?":
        text += "."
    again = f"Let me say that again: {text}"
    padding = rng.sample((*FILLERS, again), rng.randint(FEWEST, MOST))
    return " ".join([text, *(match_case(sentence, row.output) for sentence in padding)])
