"""Lexical richness, relative to text size."""

from __future__ import annotations

import math
from collections.abc import Sequence

SEGMENT = 50  # words


def type_token_ratio(words: Sequence[str]) -> float:
    """Return distinct words / words, in (0, 1]; NaN without words. Depends on text size."""
    return len(set(words)) / len(words) if words else math.nan


def mean_segmental_ttr(words: Sequence[str], segment: int = SEGMENT) -> float:
    """Return the mean type-token ratio of successive segments of fixed length.

    Source: Johnson, W. (1944). Studies in language behavior: a program of research. Psychological Monographs 56 (2).
    """
    starts = range(0, len(words) - segment + 1, segment)
    ratios = [type_token_ratio(words[start : start + segment]) for start in starts]
    return sum(ratios) / len(ratios) if ratios else math.nan
