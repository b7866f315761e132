"""Corrupted copies of rated outputs, for a learner that must also know what nobody was asked to rate."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.audit.perturbations import PERTURBATIONS, perturb, perturbed_corpus
from rainbow.corpus import Corpus
from rainbow.metrics.base import FloatArray

__all__ = ["WEIGHT", "Corrupted", "corrupted_outputs"]

# How much a copy counts beside a rated output: from .01 to .3 rated outputs keep their order, from .03 on copies fall.
WEIGHT = 0.03

# Texts that say nothing of what was asked get the lowest rating, ...
_WORTHLESS = ("shuffled-words", "unrelated-sentence", "other-reference", "mr-copied")
# ... others lose this share of the scale: two marks of the usual six.
_LOSS = 0.4
# What is never seen by a learner: empty outputs have a score of their own.
_LEFT_OUT = ("empty",)


class Corrupted(NamedTuple):
    """Corrupted copies: the texts, the positions of their originals, and what they are taken to be rated."""

    corpus: Corpus
    originals: NDArray[np.intp]
    ratings: FloatArray


def corrupted_outputs(corpus: Corpus, ratings: FloatArray, seed: int = 2017) -> Corrupted:
    """Give one corrupted copy of every output, of a kind drawn for it, with ratings made up from its own.

    Human ratings cover what systems say. A learner that has seen nothing else takes a shuffled or an unrelated text,
    which is unlike all of it, for an average one; a reward must not.

    Parameters
    ----------
    corpus
        The outputs.
    ratings
        Shape (n, ratings), NaN where there is none.
    seed
        Of what is drawn.

    References
    ----------
    Dušek, O., Novikova, J. and Rieser, V. (2017). Referenceless quality estimation for natural language generation.
    Learning to Generate Natural Language workshop, ICML: training on outputs with fabricated errors.

    Examples
    --------
    >>> corpus = Corpus.of(["the inn is in soma and cheap"], [["a cheap inn"]], ["inform(area=soma,price=cheap)"])
    >>> copies = corrupted_outputs(corpus, np.array([[5.0]]), seed=1)
    >>> len(copies.corpus), copies.originals.tolist(), copies.ratings.shape
    (1, [0], (1, 1))
    """
    kinds = [kind for kind in PERTURBATIONS if kind not in _LEFT_OUT]
    table = perturb(corpus, kinds, seed=seed)
    chosen = table.iloc[_one_of_each(table["row"].tolist(), corpus.frame["id"].tolist(), seed)]
    originals = chosen["row"].to_numpy(dtype=np.intp)
    low, high = (np.nanmin(ratings), np.nanmax(ratings)) if np.isfinite(ratings).any() else (np.nan, np.nan)
    worthless = chosen["kind"].isin(_WORTHLESS).to_numpy()[:, None]
    made_up = np.where(worthless & ~np.isnan(ratings[originals]), low, ratings[originals] - _LOSS * (high - low))
    return Corrupted(perturbed_corpus(corpus, chosen), originals, np.maximum(made_up, low))


def _one_of_each(rows: list[int], ids: list[str], seed: int) -> list[int]:
    """Draw one of the places of every row; what is drawn hangs on the row's id alone."""
    places: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row, []).append(place)
    return [Random(f"{seed}\0{ids[row]}").choice(found) for row, found in sorted(places.items())]
