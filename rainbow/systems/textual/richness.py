"""How many different words a text has for its size."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["SEGMENT", "mean_segmental_ttr", "type_token_ratio"]

SEGMENT = 50  # words


def type_token_ratio(words: Sequence[str]) -> float:
    """Return different words / words: in (0, 1], NaN without words. It falls as texts grow: compare like sizes only.

    Examples
    --------
    >>> type_token_ratio(["an", "inn", "near", "an", "inn"])
    0.6
    """
    return len(set(words)) / len(words) if words else math.nan


def mean_segmental_ttr(words: Sequence[str], segment: int = SEGMENT) -> float:
    """Return the mean type-token ratio of successive segments of so many words, whatever the size of the text.

    Words after the last whole segment are left out; NaN where there is none.

    References
    ----------
    Johnson, W. (1944). Studies in language behavior: a program of research. Psychological Monographs 56 (2).

    Examples
    --------
    >>> mean_segmental_ttr(["an", "inn", "an", "an", "egg"], segment=2)  # (2/2 + 1/2) / 2
    0.75
    """
    starts = range(0, len(words) - segment + 1, segment)
    ratios = [type_token_ratio(words[start : start + segment]) for start in starts]
    return sum(ratios) / len(ratios) if ratios else math.nan
