"""Syntactic complexity of texts: D-levels of sentences in parse trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from rainbow.text.trees.d_level import d_level
from rainbow.text.trees.parse_trees import parse_tree

# Gives for every text the trees of its sentences in brackets, or None where it is not parsed.
Trees = Callable[[Sequence[str]], Sequence[Sequence[str] | None]]

NO_PARSE_REASON = "no text was parsed"


def complexity_measures(texts: Sequence[str], trees: Trees) -> Iterator[tuple[str, float, str | None]]:
    """Yield name, value and reason (None if defined) of each measure over all sentences."""
    levels = [d_level(parse_tree(tree)) for results in trees(texts) for tree in results or ()]
    measures: dict[str, Callable[[int], float]] = {
        "mean_d_level": float,
        "level_0_2_percent": lambda level: 100.0 * (level <= 2),
        "level_6_7_percent": lambda level: 100.0 * (level >= 6),
    }
    for name, number in measures.items():
        if levels:
            yield name, math.fsum(map(number, levels)) / len(levels), None
        else:
            yield name, math.nan, NO_PARSE_REASON
