"""Texts whose words are repeated, disordered or lost."""

from __future__ import annotations

import math
import re
import string
from random import Random

from rainbow.audit.audit_rows import Row
from rainbow.audit.spans import Span, spaced_word_spans

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
