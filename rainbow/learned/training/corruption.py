"""Corrupted copies of rated outputs, for training on errors that nobody rated."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.audit.perturbations import TRAINING_PERTURBATIONS, perturb, perturbed_corpus, suitable_kinds
from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.corpus import Corpus

# Weight of a copy relative to a rated output: up to .1 rated outputs keep their order, from .06 copies score lower.
WEIGHT = 0.06

# Texts that say nothing of what was asked get the lowest rating and are drawn twice as often, ...
UNRELATED = "unrelated-sentence"
WORTHLESS = frozenset({"shuffled-words", UNRELATED, "other-reference", "mr-copied"})
_WORTHLESS_FACTOR = 2
# ... others lose this share of the scale: two marks of the usual six.
_RATING_LOSS = 0.4
# Copies that no learner sees: empty outputs have their own score.
_LEFT_OUT = ("empty",)


class CorruptedOutputs(NamedTuple):
    """Corrupted copies: texts, positions of the originals, and kinds of corruption."""

    corpus: Corpus
    originals: NDArray[np.intp]
    kinds: NDArray[np.object_]

    @property
    def worthless(self) -> BoolArray:
        """Whether each copy says nothing of the input."""
        return np.isin(self.kinds, list(WORTHLESS))


def corrupt_outputs(corpus: Corpus, seed: int = 2017) -> CorruptedOutputs:
    """Return one corrupted copy of every output; worthless kinds are twice as likely.

    Source: Dušek, O., Novikova, J. and Rieser, V. (2017). Referenceless quality estimation for natural language
    generation. Learning to Generate Natural Language workshop, ICML: training on outputs with fabricated errors.
    """
    kinds = suitable_kinds(corpus, (kind for kind in TRAINING_PERTURBATIONS if kind not in _LEFT_OUT))
    table = perturb(corpus, kinds, seed=seed)
    chosen = table.iloc[
        _draw_one_per_row(table["row"].tolist(), table["kind"].tolist(), corpus.frame["id"].tolist(), seed)
    ]
    originals, names = chosen["row"].to_numpy(dtype=np.intp), chosen["kind"].to_numpy(dtype=object)
    return CorruptedOutputs(perturbed_corpus(corpus, chosen), originals, names)


def assumed_ratings(ratings: FloatArray, worthless: BoolArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Return the assumed ratings of corrupted copies, shape (copies, ratings)."""
    made_up: FloatArray = np.where(worthless[:, None], low, np.maximum(ratings - _RATING_LOSS * (high - low), low))
    return made_up


def _draw_one_per_row(rows: list[int], kinds: list[str], ids: list[str], seed: int) -> list[int]:
    """Draw one position per row, depending only on the seed and the row's id."""
    places: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row, []).extend([place] * (_WORTHLESS_FACTOR if kinds[place] in WORTHLESS else 1))
    return [
        Random(f"{seed}\0{ids[row]}".encode("utf-8", "surrogatepass")).choice(result)
        for row, result in sorted(places.items())
    ]
