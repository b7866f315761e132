"""How much of an input its references cover, and whether full coverage is expected."""

from __future__ import annotations

import re

import numpy as np

from rainbow.base.caching import cache_by_size
from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.compiled_realisation import slot_shares
from rainbow.meaning.realisation import NO_VALUES

# References say what a text says if one of them has this share of its long words from there ...
MIN_OVERLAP = 1 / 3
_LONG_WORD = re.compile(r"\w{4,}")
# ... and all of a meaning representation if one of them says this share of its slots.
FULL_COVERAGE = 0.8
CACHE_SIZE = 1 << 21  # characters: outputs of all systems, and those of a reward again and again, have the same inputs


@cache_by_size(CACHE_SIZE)
def is_answer(references: tuple[str, ...], text: str) -> bool:
    """Return whether references answer a text (question, dialogue) or are in another language."""
    own = _long_words(text)
    word_sets = filter(None, map(_long_words, references))
    return max((len(words & own) / len(words) for words in word_sets), default=1.0) < MIN_OVERLAP


@cache_by_size(CACHE_SIZE)
def omits_slots(references: tuple[str, ...], meaning: MeaningRepresentation) -> bool:
    """Return whether every reference omits part of the meaning representation (a table to select from)."""
    realised = slot_shares([meaning] * len(references), references, NO_VALUES)[:, 0]
    return bool(np.nan_to_num(realised, nan=1.0).max(initial=0.0) < FULL_COVERAGE) if references else False


def _long_words(text: str) -> set[str]:
    return set(_LONG_WORD.findall(text.lower()))
