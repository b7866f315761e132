"""Edit distance within a beam around the diagonal, with its alignment."""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
