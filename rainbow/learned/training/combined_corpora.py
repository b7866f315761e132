"""Several rated corpora combined, with all ratings on one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.corpus_table import COLUMNS
from rainbow.learned.learner.standardised import make_rank_targets

# The column that says how much the ratings of a row's corpus count; where it is wanting, all count the same.
WEIGHT = "rating weight"


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
        part = part.assign(domain=given.astype(str), **{WEIGHT: (weights or {}).get(name, 1.0)})
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
