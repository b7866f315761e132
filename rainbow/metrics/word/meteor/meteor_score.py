"""METEOR 1.5 of one output: the readable equivalent of the compiled kernel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from rainbow.base.arrays import FloatArray
from rainbow.metrics.word.meteor.alignment import Match, TooLongError, align_matches, find_matches
from rainbow.metrics.word.meteor.languages import LanguageRules, Parameters
from rainbow.metrics.word.meteor.tables import Tables

Number = TypeVar("Number", float, FloatArray)


class MeteorScore(NamedTuple):
    """METEOR of an output and its best reference, with the statistics summed for a system."""

    score: float  # METEOR of the output
    output_weight: float  # the weights of what matches in the output, and of all its words
    output_length: float  # the weights of what matches in the output, and of all its words
    reference_weight: float  # the same of the reference
    reference_length: float  # the same of the reference
    chunks: float  # stretches of matches in the same order in both; 0 where one leaves nothing over
    output_matches: float  # the words that match
    reference_matches: float  # the words that match


UNDEFINED = MeteorScore(*[math.nan] * len(MeteorScore._fields))


def meteor_score(output: str, references: Sequence[str], tables: Tables | LanguageRules) -> MeteorScore:
    """Return METEOR 1.5 against the best reference, with its components."""
    mine = tables.split(output)
    try:
        results = [_score_reference(mine, tables.split(text), tables) for text in references]
    except TooLongError:
        return UNDEFINED
    return max(results, key=lambda counted: counted.score, default=_score_reference(mine, [], tables))


def _score_reference(output: Sequence[str], reference: Sequence[str], tables: Tables | LanguageRules) -> MeteorScore:
    alignment = align_matches(find_matches(output, reference, tables))
    ours, our_length = _word_weights(output, [(m.other, m.other_length, m.stage) for m in alignment], tables)
    theirs, their_length = _word_weights(reference, [(m.start, m.length, m.stage) for m in alignment], tables)
    mine, other = sum(m.other_length for m in alignment), sum(m.length for m in alignment)
    chunks = _count_chunks(alignment)
    if chunks == 1 and mine == len(output) and other == len(reference):
        chunks = 0
    sums = (ours, our_length, theirs, their_length, chunks, mine, other)
    return MeteorScore(score_from_sums(tables.parameters, *sums) if alignment else 0.0, *sums)


def score_from_sums(
    parameters: Parameters,
    output_weight: Number,
    output_length: Number,
    reference_weight: Number,
    reference_length: Number,
    chunks: Number,
    output_matches: Number,
    reference_matches: Number,
) -> Number:
    """Return METEOR from the sums of :class:`MeteorScore` fields, if anything matches."""
    alpha, beta, gamma = parameters[:3]
    precision, recall = output_weight / output_length, reference_weight / reference_length
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    penalty: Number = gamma * (chunks / ((output_matches + reference_matches) / 2)) ** beta
    return mean * (1 - penalty)


def _word_weights(
    words: Sequence[str], covered: Sequence[tuple[int, int, int]], tables: Tables | LanguageRules
) -> tuple[float, float]:
    """Return the weights of matched and of all words: content words `delta`, function words the rest to 1."""
    delta, weights = tables.parameters.delta, tables.parameters.weights
    counts = [1 - delta if word in tables.function_words else delta for word in words]
    matched = sum(
        weights[stage] * counts[place] for start, size, stage in covered for place in range(start, start + size)
    )
    return matched, sum(counts)


def _count_chunks(alignment: Sequence[Match]) -> int:
    return bool(alignment) + sum(not _is_adjacent(one, two) for one, two in pairwise(alignment))


def _is_adjacent(one: Match, two: Match) -> bool:
    return two.start == one.start + one.length and two.other == one.other + one.other_length
