"""Corrupted copies of rated outputs, for a learner that must also know what nobody was asked to rate."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.audit.perturbations import PERTURBATIONS, perturb, perturbed_corpus
from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.corpus import Corpus

# How much a copy counts beside a rated output: up to .1 rated outputs nearly keep their order, from .06 on copies fall.
WEIGHT = 0.06

# Texts that say nothing of what was asked get the lowest rating and are drawn twice as often, ...
UNRELATED = "unrelated-sentence"
WORTHLESS = frozenset({"shuffled-words", UNRELATED, "other-reference", "mr-copied"})
_OFTENER = 2
# ... others lose this share of the scale: two marks of the usual six.
_LOSS = 0.4
# What is never seen by a learner: empty outputs have a score of their own.
_LEFT_OUT = ("empty",)


class Corrupted(NamedTuple):
    """Corrupted copies: the texts, the positions of their originals, and what was done to each (its kind)."""

    corpus: Corpus
    originals: NDArray[np.intp]
    kinds: NDArray[np.object_]

    @property
    def worthless(self) -> BoolArray:
        """Whether each says nothing of what was asked."""
        return np.isin(self.kinds, list(WORTHLESS))


def corrupted_outputs(corpus: Corpus, seed: int = 2017) -> Corrupted:
    """Return one corrupted copy of every output, of a kind drawn for it: twice as often of one that says nothing.

    Source: Dušek, O., Novikova, J. and Rieser, V. (2017). Referenceless quality estimation for natural language
    generation. Learning to Generate Natural Language workshop, ICML: training on outputs with fabricated errors.
    """
    kinds = [kind for kind in PERTURBATIONS if kind not in _LEFT_OUT]
    table = perturb(corpus, kinds, seed=seed)
    chosen = table.iloc[_one_of_each(table["row"].tolist(), table["kind"].tolist(), corpus.frame["id"].tolist(), seed)]
    originals, names = chosen["row"].to_numpy(dtype=np.intp), chosen["kind"].to_numpy(dtype=object)
    return Corrupted(perturbed_corpus(corpus, chosen), originals, names)


def made_up_ratings(ratings: FloatArray, worthless: BoolArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Return what corrupted copies are taken to be rated, shape (copies, ratings)."""
    made_up: FloatArray = np.where(worthless[:, None], low, np.maximum(ratings - _LOSS * (high - low), low))
    return made_up


def _one_of_each(rows: list[int], kinds: list[str], ids: list[str], seed: int) -> list[int]:
    """Draw one of the places of every row; what is drawn depends on the row's id alone."""
    places: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row, []).extend([place] * (_OFTENER if kinds[place] in WORTHLESS else 1))
    return [
        Random(f"{seed}\0{ids[row]}".encode("utf-8", "surrogatepass")).choice(found)
        for row, found in sorted(places.items())
    ]
