"""The rated corpus that `rainbow fit` learns from."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.cli.column_options import resolve_columns
from rainbow.datasets.columns import NO_COLUMNS, Columns

if TYPE_CHECKING:
    from rainbow.corpus import Corpus

# Default names of rating columns.
USUAL_RATINGS = ("informativeness", "naturalness", "quality")


def load_rated_corpus(dataset: str, columns: Columns) -> Corpus:
    """Load a dataset; in a file, columns with usual names are ratings by default."""
    from rainbow.datasets import dataset_names, load_dataset

    if dataset in dataset_names():
        return load_dataset(dataset, **columns.without("ratings").set_options())
    corpus = load_dataset(dataset, **columns.set_options())
    chosen = corpus.ratings or tuple(name for name in USUAL_RATINGS if name in corpus.frame)
    if not chosen:
        raise ValueError(f"{dataset} has no column {USUAL_RATINGS[0]!r}: name its rating columns with --rating COLUMN")
    return replace(corpus, ratings=chosen)


def load_merged_corpus(names: list[str], columns: Columns, renamed: list[str], seed: int) -> Corpus:
    """Load several datasets as one corpus."""
    from rainbow.analysis.agreement.ceiling import all_ceilings, ceiling_intervals
    from rainbow.datasets import domain
    from rainbow.learned.training.training_rows import agreement_weights, combine_corpora

    called = dict(pair.split("=", 1) for pair in renamed)
    corpora = {Path(name).stem: _load_part(name, columns, called) for name in names}
    highest = {
        name: [
            results[0] for results in ceiling_intervals(all_ceilings(corpus.frame, list(corpus.ratings), seed)).values()
        ]
        for name, corpus in corpora.items()
    }
    return combine_corpora(corpora, {Path(name).stem: domain(name) for name in names}, agreement_weights(highest))


def _load_part(name: str, columns: Columns, called: dict[str, str]) -> Corpus:
    """Load a dataset with its ratings; rater columns follow the rating's new name."""
    from rainbow.datasets import dataset_names, load_dataset

    known = NO_COLUMNS if name in dataset_names() else resolve_columns(name, columns)
    corpus = load_dataset(name, **known.without("ratings").set_options())
    result = [(column, re.fullmatch(r"(.+?)((_\d+)?)", str(column))) for column in corpus.frame]
    new = {column: called[match[1]] + match[2] for column, match in result if match and match[1] in called}
    if taken := set(new.values()) & set(corpus.frame):
        raise ValueError(f"{name} already has a column {min(taken)!r}: choose another name")
    frame = corpus.frame.rename(columns=new)
    wanted = columns.rating_names or tuple(new.get(rating, rating) for rating in corpus.ratings) or USUAL_RATINGS
    return replace(corpus, frame=frame, ratings=tuple(rating for rating in wanted if rating in frame))
