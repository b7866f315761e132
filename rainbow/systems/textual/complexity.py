"""How complex the syntax of texts is: levels of their sentences, from parse trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from rainbow.text.trees.d_level import d_level
from rainbow.text.trees.parse_trees import read_tree

__all__ = ["Trees", "complexity"]

# Gives for every text the trees of its sentences in brackets, or None where it is not parsed.
Trees = Callable[[Sequence[str]], Sequence[Sequence[str] | None]]

NOTHING = "no text was parsed"


def complexity(texts: Sequence[str], trees: Trees) -> Iterator[tuple[str, float, str | None]]:
    """Return measure, value and None, or measure, NaN and the reason, for the levels of all sentences together.

    `mean_d_level` (:func:`rainbow.text.trees.d_level.d_level`, 0 to 7), and the percentages of sentences of the levels
    0 to 2 and 6 to 7. Texts that are not parsed are left out.

    Examples
    --------
    >>> found = complexity(["It is cheap."], lambda texts: [["(S (NP (PRP It)) (VP (VBZ is) (ADJP (JJ cheap))))"]])
    >>> [(name, value) for name, value, _ in found]
    [('mean_d_level', 0.0), ('level_0_2_percent', 100.0), ('level_6_7_percent', 0.0)]
    """
    levels = [d_level(read_tree(tree)) for found in trees(texts) for tree in found or ()]
    measures: dict[str, Callable[[int], float]] = {
        "mean_d_level": float,
        "level_0_2_percent": lambda level: 100.0 * (level <= 2),
        "level_6_7_percent": lambda level: 100.0 * (level >= 6),
    }
    for name, number in measures.items():
        if levels:
            yield name, math.fsum(map(number, levels)) / len(levels), None
        else:
            yield name, math.nan, NOTHING
