"""Rows to learn from: corrupted copies of outputs that nobody rated, and several corpora with ratings on one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.audit.perturbations import TRAINING_PERTURBATIONS, perturb, perturbed_corpus, suitable_kinds
from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.corpus_table import COLUMNS
from rainbow.learned.learner.standardised import make_rank_targets

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


# The column that says how much the ratings of a row's corpus count; where it is wanting, all count the same.
CORPUS_WEIGHT = "rating weight"


def combine_corpora(
    corpora: Mapping[str, Corpus], domains: Mapping[str, str] | None = None, weights: Mapping[str, float] | None = None
) -> Corpus:
    """Return the rated rows of several corpora as one, each rating on the scale of the first."""
    ratings = list(dict.fromkeys(name for corpus in corpora.values() for name in corpus.ratings))
    parts = []
    for name, corpus in corpora.items():
        part = _corpus_part(name, corpus, ratings)
        domain = (domains or {}).get(name, name)
        given = corpus.frame["domain"] if "domain" in corpus.frame else pd.Series(domain, corpus.frame.index)
        part = part.assign(domain=given.astype(str), **{CORPUS_WEIGHT: (weights or {}).get(name, 1.0)})
        parts.append(part[part[ratings].notna().any(axis=1)])
    frame = pd.concat(parts, ignore_index=True)
    for rating in ratings:
        frame[rating] = _align_scales(frame[rating].to_numpy(float), frame["corpus"].tolist())
    together = Corpus(frame, tuple(ratings))
    for corpus in corpora.values():
        if corpus.background is not None:
            together = together.with_background(corpus.background)
    return together


def agreement_weights(ceilings: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the weight of each corpus's ratings: the share of variance that is not noise."""
    known = {name: round(float(np.mean(result)) ** 2, 6) for name, result in ceilings.items() if result}
    usual = float(np.mean([*known.values()])) if known else 1.0
    return {name: known.get(name, usual) for name in ceilings}


def _corpus_part(name: str, corpus: Corpus, ratings: Sequence[str]) -> pd.DataFrame:
    if not corpus.ratings:
        raise ValueError(f"{name} has none of the ratings: leave it out, or map its column names with --rename")
    frame = corpus.frame
    items = [item if item == mr else f"{name}:{item}" for item, mr in zip(frame["item"], frame["mr"], strict=True)]
    columns: dict[str, Any] = {column: frame[column] for column in COLUMNS}
    columns |= {"id": f"{name}:" + frame["id"], "item": items, "corpus": name}
    columns |= {rating: frame[rating] if rating in corpus.ratings else np.nan for rating in ratings}
    return type(frame)(columns)


def _align_scales(rated: FloatArray, corpora: Sequence[str]) -> FloatArray:
    """Return ratings (n,) on the scale of the first corpus that has any."""
    names, known = np.array(corpora, dtype=object), ~np.isnan(rated)
    first, *others = dict.fromkeys(names[known])
    scale = rated[known & (names == first)]
    line = make_rank_targets(scale[:, None], np.ones(len(scale)))
    placed = rated.copy()
    for name in others:
        rows = known & (names == name)
        ranks = make_rank_targets(rated[rows, None], np.ones(int(rows.sum()))).targets[:, 0]
        placed[rows] = (line.mean[0] + line.slope[0] * ranks).clip(scale.min(), scale.max())
    return placed
