"""What any learner gives, once it has learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from rainbow.base.arrays import FloatArray


class Learner(Protocol):
    """What a learned metric learned: it predicts ratings from scores and texts."""

    @property
    def median(self) -> FloatArray:
        """The value of every score that stands for a missing one, shape (columns,)."""

    def predict(self, scores: FloatArray, texts: Mapping[str, list[str]]) -> FloatArray:
        """Return the expected ratings for scores (n, columns) and n texts of each name, shape (n, ratings)."""

    def familiarity(self, texts: Mapping[str, list[str]], rows: int) -> FloatArray:
        """Return how much of every text and its input was met in training, 0 to 1, shape (rows,); NaN: none is read."""

    def check(self, columns: int, texts: Sequence[str]) -> None:
        """Refuse a learner from a file that did not learn one rating from so many columns and these texts."""
