"""Texts that say something else, or nothing more: other sentences, the bare input, padding."""

from __future__ import annotations

import re
from random import Random

from rainbow.audit.audit_rows import Reference, Row, rotate_randomly, slot_contents
from rainbow.audit.sentences import FILLERS, GENERIC, UNRELATED
from rainbow.audit.spans import match_case
from rainbow.text.tokens.folding import fold_text

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
        if _has_other_content(other, row.item, meant) and fold_text(other.text) not in own:
            return match_case(other.text, row.output)
    return None


def _has_other_content(other: Reference, item: str, meant: frozenset[tuple[str, str]] | None) -> bool:
    if other.item == item:
        return False
    return meant is None or other.contents is None or other.contents != meant


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
