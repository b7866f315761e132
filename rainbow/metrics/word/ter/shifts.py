"""Edits with shifts: how few moves of phrases, deletions, insertions and substitutions make a text of another."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from rainbow.metrics.word.ter.beam import BEAM, Alignment, BeamTable

LONGEST_PHRASE = 10  # words that are moved at once, at most
FARTHEST_MATCH = 50  # words between where a phrase stands and where the reference has it, at most
MOST_MOVES = 1000  # moves that are tried for a pair of texts; the search ends when they are used up

# The bit-parallel distance does this many cells in the time of one row of the beam table.
_CELLS_PER_ROW = 500_000


class _Move(NamedTuple):
    """A phrase of the output, by its start and length, and before which of the output's words it is to go."""

    start: int
    length: int
    goal: int


def shift_edits(output: Sequence[str], reference: Sequence[str]) -> int:
    """Return the number of edits that turn an output into a reference, as translation edit rate counts them.

    Source: Snover, M. et al. (2006). A study of translation edit rate with targeted human annotation. AMTA.
    """
    if not output or not reference:
        return max(len(output), len(reference))
    text, target = _as_letters(output, reference)
    shifts = tried = 0
    while True:
        table = BeamTable(text, target)
        moves = list(islice(_moves(text, target, table.alignment()), MOST_MOVES - tried))
        tried += len(moves)
        if tried >= MOST_MOVES:
            break
        moved = _best_moved(table, moves)
        if moved is None:
            break
        text = moved
        shifts += 1
    return shifts + table.distance


def _as_letters(output: Sequence[str], reference: Sequence[str]) -> tuple[str, str]:
    """Write each word as one letter; words that the other text lacks match nothing and need no letter of their own."""
    known = set(output)
    shared = dict.fromkeys(word for word in reference if word in known)
    letters = {word: chr(number) for number, word in enumerate(shared, start=2)}
    return "".join(letters.get(word, "\0") for word in output), "".join(letters.get(word, "\1") for word in reference)


def _moves(text: str, target: str, alignment: Alignment) -> Iterator[_Move]:
    """Return the moves worth trying: phrases that the reference has elsewhere, where both texts are in error."""
    places: dict[str, list[int]] = {}
    for place, letter in enumerate(target):
        places.setdefault(letter, []).append(place)
    output_errors = list(accumulate(alignment.output_errors, initial=0))
    reference_errors = list(accumulate(alignment.reference_errors, initial=0))
    goals = [0, *alignment.ends]
    for start, letter in enumerate(text):
        if output_errors[min(start + LONGEST_PHRASE, len(text))] == output_errors[start]:
            continue
        for place in _near(places.get(letter, []), start):
            end = alignment.ends[place]
            for length in range(1, _matching(text, start, target, place) + 1):
                if (
                    output_errors[start + length] > output_errors[start]
                    and reference_errors[place + length] > reference_errors[place]
                    and not start < end <= start + length
                ):
                    for goal in dict.fromkeys(goals[place : place + length + 1]):
                        yield _Move(start, length, goal)


def _near(places: list[int], start: int) -> list[int]:
    return places[bisect_left(places, start - FARTHEST_MATCH) : bisect_right(places, start + FARTHEST_MATCH)]


def _matching(text: str, start: int, target: str, place: int) -> int:
    """Return how many words are equal from here and there on, up to the longest phrase."""
    longest = min(LONGEST_PHRASE, len(text) - start, len(target) - place)
    return next((n for n in range(1, longest) if text[start + n] != target[place + n]), longest)


def _best_moved(table: BeamTable, moves: Sequence[_Move]) -> str | None:
    """Return the text after the best move; None if no move lowers the distance."""
    best: str | None = None
    best_rank: tuple[float, ...] = (0, math.inf)
    for move in moves:
        moved, first, last = _moved(table.output, move)
        useful = table.distance - int(best_rank[0])
        distance, exact = _least_distance(moved, table.reference, useful, last - first)
        if not exact and _rank(table, distance, move) > best_rank:
            distance = table.distance_after(first, moved[first:last])
        if _rank(table, distance, move) > best_rank:
            best, best_rank = moved, _rank(table, distance, move)
    return best


def _moved(text: str, move: _Move) -> tuple[str, int, int]:
    """Return the text after a move, and from where to where it is another."""
    start, length, goal = move
    rest = text[:start] + text[start + length :]
    position = goal if goal <= start + length else goal - length
    moved = rest[:position] + text[start : start + length] + rest[position:]
    return moved, min(start, position), max(start, position) + length


def _least_distance(text: str, target: str, useful: int, changed: int) -> tuple[int, bool]:
    """Return a lower bound on the distance within the beam, and whether it is that distance."""
    if len(text) * len(target) > _CELLS_PER_ROW * changed:
        return 0, False
    distance = Levenshtein.distance(text, target, score_cutoff=useful)
    return distance, distance + abs(len(text) - len(target)) < 2 * BEAM - 4


def _rank(table: BeamTable, distance: int, move: _Move) -> tuple[int, int, int, int]:
    """Order moves: what they gain, then the longest phrase, the first phrase, the first goal."""
    return table.distance - distance, move.length, -move.start, -move.goal
