"""Random draws that come out alike on every version of Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A stream of random draws named by its seed.

    Python promises to keep only `Random.random()` and the seeding stable between versions, so every draw
    is built on these two.

    Parameters
    ----------
    *seed
        What names the stream. Streams of different names are independent, so a change in one part of the
        generator leaves the draws of the others as they were.

    Examples
    --------
    >>> Chance(1, "hotel").shuffled("abc") == Chance(1, "hotel").shuffled("abc")
    True
    """

    def __init__(self, *seed: object) -> None:
        self._random = random.Random("/".join(str(part) for part in seed)).random

    def happens(self, probability: float) -> bool:
        """Tell, with the given probability, that something happens."""
        return self._random() < probability

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of `choices`, all equally likely."""
        return choices[int(self._random() * len(choices))]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """Return all of `values` in random order."""
        keyed = [(self._random(), index) for index in range(len(values))]
        return [values[index] for _, index in sorted(keyed)]

    def sample(self, values: Sequence[T], size: int) -> list[T]:
        """Return `size` different elements of `values` in random order."""
        return self.shuffled(values)[:size]

    def bell(self) -> float:
        """Return a draw of mean 0, deviation 1 and almost normal shape: a sum of twelve uniform draws."""
        return sum(self._random() for _ in range(12)) - 6.0
