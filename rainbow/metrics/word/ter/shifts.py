"""Edits with shifts: the fewest moves, deletions, insertions and substitutions."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from rainbow.metrics.word.ter.beam_distance import BEAM, Alignment, BeamTable

MAX_PHRASE_LENGTH = 10  # words that are moved at once, at most
MAX_MATCH_DISTANCE = 50  # largest distance in words between a phrase and its place in the reference
MAX_MOVES = 1000  # moves that are tried for a pair of texts; the search ends when they are used up

# The bit-parallel distance does this many cells in the time of one row of the beam table.
_CELLS_PER_ROW = 500_000


class _Move(NamedTuple):
    """A phrase of the output, by start and length, and the output word to move it before."""

    start: int
    length: int
    goal: int


def shift_edits(output: Sequence[str], reference: Sequence[str]) -> int:
    """Return the number of edits that turn an output into a reference, as counted for TER.

    Source: Snover, M. et al. (2006). A study of translation edit rate with targeted human annotation. AMTA.
    """
    if not output or not reference:
        return max(len(output), len(reference))
    text, target = _encode_words(output, reference)
    shifts = tried = 0
    while True:
        table = BeamTable(text, target)
        moves = list(islice(_candidate_moves(text, target, table.alignment()), MAX_MOVES - tried))
        tried += len(moves)
        if tried >= MAX_MOVES:
            break
        moved = _apply_best_move(table, moves)
        if moved is None:
            break
        text = moved
        shifts += 1
    return shifts + table.distance


def _encode_words(output: Sequence[str], reference: Sequence[str]) -> tuple[str, str]:
    """Encode each word as one character; words missing in the other text match nothing."""
    known = set(output)
    shared = dict.fromkeys(word for word in reference if word in known)
    letters = {word: chr(number) for number, word in enumerate(shared, start=2)}
    return "".join(letters.get(word, "\0") for word in output), "".join(letters.get(word, "\1") for word in reference)


def _candidate_moves(text: str, target: str, alignment: Alignment) -> Iterator[_Move]:
    """Yield the moves worth trying: misplaced phrases that occur elsewhere in the reference."""
    places: dict[str, list[int]] = {}
    for place, letter in enumerate(target):
        places.setdefault(letter, []).append(place)
    output_errors = list(accumulate(alignment.output_errors, initial=0))
    reference_errors = list(accumulate(alignment.reference_errors, initial=0))
    goals = [0, *alignment.ends]
    for start, letter in enumerate(text):
        if output_errors[min(start + MAX_PHRASE_LENGTH, len(text))] == output_errors[start]:
            continue
        for place in _near_places(places.get(letter, []), start):
            end = alignment.ends[place]
            for length in range(1, _matching_length(text, start, target, place) + 1):
                if (
                    output_errors[start + length] > output_errors[start]
                    and reference_errors[place + length] > reference_errors[place]
                    and not start < end <= start + length
                ):
                    for goal in dict.fromkeys(goals[place : place + length + 1]):
                        yield _Move(start, length, goal)


def _near_places(places: list[int], start: int) -> list[int]:
    return places[bisect_left(places, start - MAX_MATCH_DISTANCE) : bisect_right(places, start + MAX_MATCH_DISTANCE)]


def _matching_length(text: str, start: int, target: str, place: int) -> int:
    """Return the number of equal words from both positions on, up to the longest phrase."""
    longest = min(MAX_PHRASE_LENGTH, len(text) - start, len(target) - place)
    return next((n for n in range(1, longest) if text[start + n] != target[place + n]), longest)


def _apply_best_move(table: BeamTable, moves: Sequence[_Move]) -> str | None:
    """Return the text after the best move; None if no move lowers the distance."""
    best: str | None = None
    best_rank: tuple[float, ...] = (0, math.inf)
    for move in moves:
        moved, first, last = _apply_move(table.output, move)
        useful = table.distance - int(best_rank[0])
        distance, exact = _distance_bound(moved, table.reference, useful, last - first)
        if not exact and _move_rank(table, distance, move) > best_rank:
            distance = table.distance_after(first, moved[first:last])
        if _move_rank(table, distance, move) > best_rank:
            best, best_rank = moved, _move_rank(table, distance, move)
    return best


def _apply_move(text: str, move: _Move) -> tuple[str, int, int]:
    """Return the text after a move, and the start and end of the changed part."""
    start, length, goal = move
    rest = text[:start] + text[start + length :]
    position = goal if goal <= start + length else goal - length
    moved = rest[:position] + text[start : start + length] + rest[position:]
    return moved, min(start, position), max(start, position) + length


def _distance_bound(text: str, target: str, useful: int, changed: int) -> tuple[int, bool]:
    """Return a lower bound on the beam distance, and whether it is exact."""
    if len(text) * len(target) > _CELLS_PER_ROW * changed:
        return 0, False
    distance = Levenshtein.distance(text, target, score_cutoff=useful)
    return distance, distance + abs(len(text) - len(target)) < 2 * BEAM - 4


def _move_rank(table: BeamTable, distance: int, move: _Move) -> tuple[int, int, int, int]:
    """Return the sort key of a move: gain, phrase length, phrase position, goal."""
    return table.distance - distance, move.length, -move.start, -move.goal
