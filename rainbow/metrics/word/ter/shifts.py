"""Edits with shifts: the fewest moves, deletions, insertions and substitutions, by distances within a beam."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

BEAM = 25  # words to either side of the diagonal
_UNREACHABLE = 500_000_000  # more than any distance; two of them still fit into 32 bits

_Row = NDArray[np.int32]


class Alignment(NamedTuple):
    """Minimum-edit alignment of an output with a reference."""

    ends: list[int]  # for every reference word, how many output words have been used up when it is reached
    output_errors: list[bool]  # whether each word is part of an edit (deleted, inserted or substituted)
    reference_errors: list[bool]  # whether each word is part of an edit (deleted, inserted or substituted)


class BeamTable:
    """Levenshtein distances between all prefixes of an output and a reference, within a beam."""

    # Column c of row i is the distance to the first low[i] + c reference words. Column 0 lies just outside the beam.
    # Margins as wide as the largest step between rows allow a row to be read by slices in the columns of its neighbour.

    def __init__(self, output: str, reference: str) -> None:
        self.output, self.reference = output, reference
        ratio = len(reference) / len(output)
        beam = BEAM if ratio <= 2 * BEAM else math.ceil(ratio / 2 + BEAM)
        low = np.floor(np.arange(len(output) + 1) * ratio).astype(np.int64) - beam - 1
        low[0] = low[1]  # row 0 has no beam of its own: it is kept as far as row 1 looks at it
        self._low: list[int] = low.tolist()
        self._width = 2 * beam + 1
        self._columns = np.arange(self._width, dtype=np.int32)
        self._margin = int(np.diff(low).max()) + 1
        self._inner = slice(self._margin, self._margin + self._width)
        self._words = np.pad(np.array([*map(ord, reference)], dtype=np.int32), beam + 2, constant_values=-1)
        self._first_word = beam + 2  # where the reference starts in the padded words
        self._blank = np.full(self._width + 2 * self._margin, _UNREACHABLE, dtype=np.int32)
        self._rows = self._forward_distances()

    @cached_property
    def distance(self) -> int:
        """The number of edits between the whole texts."""
        return self._cell(len(self.output), len(self.reference))

    def distance_after(self, start: int, words: str) -> int:
        """Return the distance with these words substituted in the output from position `start`."""
        row = self._rows[start]
        for number, word in enumerate(words, start=start + 1):
            row = self._next_row(row, number, word)
        return int((row + self._backward_distances[start + len(words)])[self._inner].min())

    def alignment(self) -> Alignment:
        """Return the minimum-edit alignment of output and reference."""
        i, j = len(self.output), len(self.reference)
        result = Alignment([0] * j, [False] * i, [False] * j)
        while i or j:
            here = self._cell(i, j)
            differs = i == 0 or j == 0 or self.output[i - 1] != self.reference[j - 1]
            if i and j and self._cell(i - 1, j - 1) + differs == here:
                result.ends[j - 1] = i
                result.output_errors[i - 1] = result.reference_errors[j - 1] = differs
                i, j = i - 1, j - 1
            elif i and self._cell(i - 1, j) + 1 == here:
                result.output_errors[i - 1] = True
                i -= 1
            else:
                result.ends[j - 1] = i
                result.reference_errors[j - 1] = True
                j -= 1
        return result

    def _cell(self, row: int, column: int) -> int:
        return int(self._rows[row, self._margin + column - self._low[row]])

    def _differs(self, word: str, row: int, ahead: int) -> NDArray[np.bool_]:
        """Return whether a word differs from the last (0) or next (1) reference word of each column."""
        start = self._first_word + self._low[row] - 1 + ahead
        differs: NDArray[np.bool_] = self._words[start : start + self._width] != ord(word)
        return differs

    def _forward_distances(self) -> _Row:
        """Return the distance between the prefixes that end at each cell."""
        rows = np.tile(self._blank, (len(self.output) + 1, 1))
        first = self._low[0] + self._columns
        rows[0, self._inner] = np.where(first >= 0, first, _UNREACHABLE)
        for number, word in enumerate(self.output, start=1):
            rows[number] = self._next_row(rows[number - 1], number, word)
        return rows

    def _next_row(self, before: _Row, number: int, word: str) -> _Row:
        start = self._margin + self._low[number] - self._low[number - 1]
        above = before[start : start + self._width] + 1
        diagonal = before[start - 1 : start - 1 + self._width] + self._differs(word, number, 0)
        cheapest = np.minimum(above, diagonal)
        cheapest[0] = _UNREACHABLE
        row = self._blank.copy()
        row[self._inner] = np.minimum.accumulate(cheapest - self._columns) + self._columns
        return row

    @cached_property
    def _backward_distances(self) -> _Row:
        """Return the distance between the suffixes that start at each cell, except in row 0."""
        rows = np.tile(self._blank, (len(self.output) + 1, 1))
        remaining = len(self.reference) - self._low[-1] - self._columns
        rows[-1, self._inner] = np.where(remaining >= 0, remaining, _UNREACHABLE)
        rows[-1, self._margin] = _UNREACHABLE
        for number in range(len(self.output) - 1, 0, -1):
            after = rows[number + 1]
            start = self._margin + self._low[number] - self._low[number + 1]
            below = after[start : start + self._width] + 1
            diagonal = after[start + 1 : start + 1 + self._width] + self._differs(self.output[number], number, 1)
            cheapest = np.minimum(below, diagonal) + self._columns
            rows[number, self._inner] = np.minimum.accumulate(cheapest[::-1])[::-1] - self._columns
            rows[number, self._margin] = _UNREACHABLE
        return rows


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
    """Return the number of edits that turn an output into a reference, as counted for TER."""
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
