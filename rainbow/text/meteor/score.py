"""METEOR 1.5 of one output: the readable twin of the compiled kernel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from rainbow.text.meteor.align import align
from rainbow.text.meteor.matches import Match, TooLongError, matches
from rainbow.text.meteor.tables import Tables

__all__ = ["meteor_score"]

WEIGHTS = (1.0, 0.6, 0.8, 0.6)  # of exact matches, stems, synonyms, paraphrases
ALPHA, BETA, GAMMA, DELTA = 0.85, 0.2, 0.6, 0.75


def meteor_score(output: str, references: Sequence[str], tables: Tables) -> float:
    """Give METEOR 1.5 (English, `-norm`) of an output, the best over the references; NaN if a text is too long for it.

    Parameters
    ----------
    output, references
        Each as tokens joined by blanks.
    tables
        :func:`rainbow.text.meteor.tables.meteor_tables`.

    References
    ----------
    Denkowski, M. and Lavie, A. (2014). Meteor universal: language specific translation evaluation for any target
    language. WMT.

    Examples
    --------
    >>> from rainbow.text.meteor.tables import meteor_tables
    >>> round(meteor_score("the inn is cheap", ["a cheap inn", "the inn is not expensive"], meteor_tables()), 4)
    0.3357
    """
    mine = tables.split(output)
    try:
        return max((_score(mine, tables.split(text), tables) for text in references), default=0.0)
    except TooLongError:
        return math.nan


def _score(output: Sequence[str], reference: Sequence[str], tables: Tables) -> float:
    alignment = align(matches(output, reference, tables))
    if not alignment:
        return 0.0
    precision = _share(output, [(m.other, m.other_length, m.stage) for m in alignment], tables)
    recall = _share(reference, [(m.start, m.length, m.stage) for m in alignment], tables)
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    chunks = _chunks(alignment)
    mine, theirs = sum(m.other_length for m in alignment), sum(m.length for m in alignment)
    if chunks == 1 and mine == len(output) and theirs == len(reference):
        return mean
    penalty: float = GAMMA * (chunks / ((mine + theirs) / 2)) ** BETA
    return mean * (1 - penalty)


def _share(words: Sequence[str], covered: Sequence[tuple[int, int, int]], tables: Tables) -> float:
    """Give how much of a text is matched: content words count 0.75, function words 0.25, each match its weight."""
    counts = [1 - DELTA if word in tables.function_words else DELTA for word in words]
    matched = sum(
        WEIGHTS[stage] * counts[place] for start, size, stage in covered for place in range(start, start + size)
    )
    return matched / sum(counts)


def _chunks(alignment: Sequence[Match]) -> int:
    return 1 + sum(not _follows(one, two) for one, two in pairwise(alignment))


def _follows(one: Match, two: Match) -> bool:
    return two.start == one.start + one.length and two.other == one.other + one.other_length
