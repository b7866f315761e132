"""The interface that every fitted learner implements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from rainbow.base.arrays import FloatArray


class Learner(Protocol):
    """A fitted learner: predicts ratings from scores and texts."""

    @property
    def median(self) -> FloatArray:
        """The value of each score that replaces a missing one, shape (columns,)."""

    def predict(self, scores: FloatArray, texts: Mapping[str, list[str]]) -> FloatArray:
        """Return the expected ratings, shape (n, ratings), for scores (n, columns) and texts."""

    def familiarity(self, texts: Mapping[str, list[str]], rows: int) -> FloatArray:
        """Return the share of each text and input seen in training, shape (rows,); NaN if the model reads no texts."""

    def check(self, columns: int, texts: Sequence[str]) -> None:
        """Raise ValueError unless fitted on one rating with this many columns and these texts."""
